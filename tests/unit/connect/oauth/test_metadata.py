"""Looking up a provider: what it says of itself is taken only where it can be true."""

import json
from typing import Any

import httpx2
import pytest

from acp_elicitation.connect.errors import ProviderDown, ProviderFault
from acp_elicitation.connect.oauth.fetching import Fetching
from acp_elicitation.connect.oauth.metadata import Metadata, discover
from acp_elicitation.connect.providers import OAuthProvider
from tests.openid.strict import strict_provider

ISSUER = "https://idp.example/tenant"
SAID = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
}
OPENID = "/tenant/.well-known/openid-configuration"
OAUTH = "/.well-known/oauth-authorization-server/tenant"


async def look_up(
    said: object, *, at: str = OPENID, issuer: str | None = ISSUER, **given: Any
) -> Metadata:
    """Discover a provider that says this of itself at one place, and nothing elsewhere."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.dumps(said).encode() if request.url.path == at else b""
        return httpx2.Response(200 if body else 404, stream=httpx2.ByteStream(body))

    provider = OAuthProvider(name="hub", client_id="acp", issuer=issuer, **given)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        asking = Fetching(http, provider="hub", local=False, trusted=["idp.example"])
        return await discover(provider, asking)


async def test_the_strict_provider_is_found_with_all_that_it_promises() -> None:
    async with strict_provider() as strict, httpx2.AsyncClient(trust_env=False) as http:
        provider = OAuthProvider(name="hub", client_id="acp", issuer=strict.issuer)
        found = await discover(provider, Fetching(http, provider="hub", local=True))
    assert found.issuer == strict.issuer
    assert found.token_endpoint == f"{strict.issuer}/token"
    assert found.jwks_uri == f"{strict.issuer}/jwks"
    assert found.says_issuer
    assert found.algorithms == ("ES256",)


@pytest.mark.parametrize("at", [OPENID, OAUTH])
async def test_both_places_are_looked_at(at: str) -> None:
    found = await look_up(SAID, at=at)
    assert found.token_endpoint == f"{ISSUER}/token"
    assert (found.says_issuer, found.algorithms) == (False, ("RS256",))
    assert found.token_auth == ("client_secret_basic",)


@pytest.mark.parametrize("issuer", ["https://another.example", f"{ISSUER}/", None, 7])
async def test_metadata_of_another_issuer_are_not_taken(issuer: object) -> None:
    with pytest.raises(ProviderFault, match="another issuer's"):
        await look_up({**SAID, "issuer": issuer})


@pytest.mark.parametrize(
    "name",
    [
        "authorization_endpoint",
        "token_endpoint",
        "jwks_uri",
        "userinfo_endpoint",
        "revocation_endpoint",
    ],
)
@pytest.mark.parametrize("url", ["http://idp.example/x", "file:///etc/passwd", "/x", 7, ["x"]])
async def test_an_endpoint_that_may_not_be_asked_is_not_taken(name: str, url: object) -> None:
    with pytest.raises(ProviderFault, match=f"its {name} is"):
        await look_up({**SAID, name: url})


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint"])
async def test_a_provider_without_an_endpoint_is_not_taken(name: str) -> None:
    with pytest.raises(ProviderFault, match="lacks an endpoint"):
        await look_up({**SAID, name: None})


@pytest.mark.parametrize("methods", [["plain"], [], "S256", None])
async def test_a_provider_that_says_it_has_no_pkce_is_not_taken(methods: object) -> None:
    with pytest.raises(ProviderFault, match="PKCE"):
        await look_up({**SAID, "code_challenge_methods_supported": methods})


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        (["none", "HS256", "ES256"], ("ES256",)),
        (["RS256", "EdDSA", 7], ("RS256", "EdDSA")),
        (["none"], ("RS256",)),
        (["HS256", "HS384", "HS512"], ("RS256",)),
        ("none", ("RS256",)),
    ],
)
async def test_only_signatures_that_nobody_else_can_make_are_taken(
    said: object, taken: tuple[str, ...]
) -> None:
    found = await look_up({**SAID, "id_token_signing_alg_values_supported": said})
    assert found.algorithms == taken


@pytest.mark.parametrize(("said", "promised"), [(True, True), (False, False), ("true", False)])
async def test_the_promise_of_an_issuer_in_each_answer_is_kept_in_mind(
    said: object, promised: bool
) -> None:
    key = "authorization_response_iss_parameter_supported"
    assert (await look_up({**SAID, key: said})).says_issuer is promised


async def test_no_metadata_is_a_fault_that_says_what_to_give() -> None:
    with pytest.raises(ProviderFault, match="give its endpoints"):
        await look_up(SAID, at="/elsewhere")
    with pytest.raises(ProviderFault, match="give its endpoints"):
        await look_up(["not", "metadata"])


async def test_endpoints_that_were_given_are_not_looked_up() -> None:
    given = {
        "authorization_endpoint": "https://hub.example/authorize",
        "token_endpoint": "https://hub.example/token",
    }
    alone = await look_up(SAID, issuer=None, **given, userinfo_endpoint="https://hub.example/user")
    assert (alone.issuer, alone.token_endpoint) == (None, given["token_endpoint"])
    assert alone.userinfo_endpoint == "https://hub.example/user"
    assert alone.token_auth == ("client_secret_post",)
    assert (await look_up(SAID, **given)).token_endpoint == given["token_endpoint"]


async def test_a_provider_that_is_down_is_down() -> None:
    faults = {"metadata-down"}
    async with strict_provider(faults=faults) as strict, httpx2.AsyncClient() as http:
        provider = OAuthProvider(name="hub", client_id="acp", issuer=strict.issuer)
        with pytest.raises(ProviderDown):
            await discover(provider, Fetching(http, provider="hub", local=True))
