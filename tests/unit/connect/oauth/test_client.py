"""The client against a strict provider: away, back, and each way in which a provider can lie."""

import json
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from msgspec.structs import replace

from acp_elicitation.connect.attempt import Begun
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.errors import (
    ProviderDenied,
    ProviderDown,
    ProviderError,
    ProviderFault,
    WrongIssuer,
)
from acp_elicitation.connect.oauth.client import OAuthClient
from acp_elicitation.connect.providers import OAuthProvider
from acp_elicitation.connect.secret import Secret
from tests.openid.strict import Client, StrictProvider, strict_provider, visit
from tests.tracebacks import with_variables

BACK = "https://agent.example/connect/callback/hub"
KNOWN = Client(redirect_uris=(BACK,))
SCOPES = ("openid", "profile", "offline_access")


@pytest.fixture
async def provider() -> AsyncIterator[StrictProvider]:
    async with strict_provider(KNOWN) as provider:
        yield provider


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    # No certificate is read, which takes longer than a test; `test_fetching` has the real one.
    async with httpx2.AsyncClient(verify=False) as http:
        yield http


class Clock:
    """The time, which a test may move on."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead


def client_of(
    provider: StrictProvider,
    http: httpx2.AsyncClient,
    *,
    clock: Clock | None = None,
    **settings: Any,
) -> OAuthClient:
    known = {
        "name": "hub",
        "client_id": KNOWN.id,
        "client_secret": Secret(KNOWN.secret),
        "issuer": provider.issuer,
        "scopes": SCOPES,
    }
    return OAuthClient(OAuthProvider(**{**known, **settings}), http=http, clock=clock or Clock())


@pytest.fixture
def client(provider: StrictProvider, http: httpx2.AsyncClient) -> OAuthClient:
    return client_of(provider, http)


async def come_back(
    client: OAuthClient, *scopes: str, allow: bool = True
) -> tuple[dict[str, str], Begun]:
    url, _, begun = await client.begin(redirect_uri=BACK, scopes=scopes)
    address = await visit(url, allow=allow)
    assert address.startswith(f"{BACK}?")
    return dict(parse_qsl(urlsplit(address).query)), begun


async def connect(client: OAuthClient, *scopes: str) -> Credential:
    params, begun = await come_back(client, *scopes)
    await client.check_issuer(params)
    client.check_error(params)
    return await client.redeem(params, begun)


# --- away and back --------------------------------------------------------------------------------


async def test_a_user_who_allows_gives_a_credential(
    client: OAuthClient, provider: StrictProvider
) -> None:
    before = time.time_ns() // 1_000_000
    credential = await connect(client, "read")
    assert provider.is_valid(credential.secret.reveal())
    assert (credential.account, credential.scopes) == ("ada", (*SCOPES, "read"))
    assert credential.refresh is not None
    assert credential.expires_at is not None
    assert 3_590_000 < credential.expires_at - before < 3_610_000


async def test_each_beginning_has_secrets_of_its_own_and_none_of_them_travels_but_hashed(
    client: OAuthClient,
) -> None:
    url, state, begun = await client.begin(redirect_uri=BACK)
    asked = dict(parse_qsl(urlsplit(url).query))
    again_url, again_state, again = await client.begin(redirect_uri=BACK)
    assert asked["state"] == state != again_state
    assert asked["nonce"] == begun.nonce != again.nonce
    assert asked["code_challenge_method"] == "S256"
    assert begun.verifier not in url
    assert begun.verifier != again.verifier
    assert min(map(len, (state, begun.nonce, begun.verifier))) >= 43
    assert (asked["redirect_uri"], asked["response_type"]) == (BACK, "code")
    assert again_url != url


async def test_parameters_of_the_provider_go_along_and_replace_none(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    parameters = {"prompt": "consent", "state": "fixed", "code_challenge_method": "plain"}
    given: dict[str, Any] = {"authorization_endpoint": f"{provider.issuer}/authorize?tenant=1"}
    client = client_of(provider, http, parameters=parameters, **given)
    url, state, _ = await client.begin(redirect_uri=BACK)
    asked = parse_qsl(urlsplit(url).query)
    assert len(dict(asked)) == len(asked)
    assert {("prompt", "consent"), ("tenant", "1"), ("state", state)} <= set(asked)
    assert ("code_challenge_method", "S256") in asked


async def test_a_provider_without_openid_is_asked_without_a_nonce_and_names_the_user_itself(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    client = client_of(provider, http, scopes=("profile",))
    assert (await connect(client)).account == "ada"
    assert "nonce" not in provider.asked[0]


async def test_a_provider_of_which_the_endpoints_are_given_needs_no_metadata(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    provider.clients["acp"] = replace(KNOWN, proof="post")
    names = {"authorization": "authorize", "token": "token"}
    given: dict[str, Any] = {
        f"{name}_endpoint": f"{provider.issuer}/{path}" for name, path in names.items()
    }
    client = client_of(provider, http, issuer=None, scopes=("read",), **given)
    credential = await connect(client)
    assert (credential.account, credential.scopes) == ("", ("read",))
    await client.revoke(credential)  # which it was not told how to do
    assert set(provider.visits) == {"/authorize", "/token"}


@pytest.mark.parametrize("proof", ["basic", "post", "none"])
async def test_a_client_proves_itself_as_the_provider_wants_it(
    http: httpx2.AsyncClient, proof: Any
) -> None:
    odd = "a:b c%+ü&secret-of-32-bytes-or-more"
    async with strict_provider(replace(KNOWN, proof=proof, secret=odd)) as provider:
        secret = None if proof == "none" else Secret(odd)
        credential = await connect(client_of(provider, http, client_secret=secret))
        assert provider.is_valid(credential.secret.reveal())


@pytest.mark.parametrize(
    ("fault", "scopes"),
    [("token-scope-less", ("openid",)), ("token-scope-unsaid", SCOPES)],
)
async def test_scopes_are_those_that_the_provider_says_or_else_those_asked_for(
    client: OAuthClient, provider: StrictProvider, fault: str, scopes: tuple[str, ...]
) -> None:
    provider.faults.add(fault)
    assert (await connect(client)).scopes == scopes


async def test_an_account_without_a_name_is_named_by_its_subject(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    client = client_of(provider, http, scopes=("openid",))
    assert (await connect(client)).account == "subject-ada"


@pytest.mark.parametrize("fault", ["userinfo-down", "userinfo-garbage", "userinfo-huge"])
async def test_an_account_whose_name_cannot_be_asked_for_is_connected_all_the_same(
    provider: StrictProvider, http: httpx2.AsyncClient, fault: str
) -> None:
    provider.faults.add(fault)
    client = client_of(provider, http, scopes=("profile",))
    assert (await connect(client)).account == ""


async def test_user_info_about_another_subject_names_nobody(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    provider.faults.update({"userinfo-subject-other", "id-names-missing"})
    client = client_of(provider, http, scopes=("openid", "profile"))
    assert (await connect(client)).account == "subject-ada"
    provider.faults.remove("userinfo-subject-other")
    assert (await connect(client)).account == "ada"


async def test_the_checked_claims_of_a_user_who_signs_in_are_given_and_no_more_is_asked_for(
    client: OAuthClient, provider: StrictProvider
) -> None:
    provider.faults.add("id-names-missing")
    params, begun = await come_back(client)
    assert (await client.redeem_identity(params, begun))["sub"] == "subject-ada"
    assert "/userinfo" not in provider.visits


async def test_an_id_token_that_names_its_user_leaves_nothing_to_be_asked(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    client = client_of(provider, http, scopes=("openid", "profile"))
    assert (await connect(client)).account == "ada"
    assert "/userinfo" not in provider.visits
    provider.faults.add("id-names-missing")
    assert (await connect(client)).account == "ada"
    assert provider.visits.count("/userinfo") == 1


# --- the answer -----------------------------------------------------------------------------------


async def test_a_user_who_denies_has_denied(client: OAuthClient) -> None:
    params, _ = await come_back(client, allow=False)
    await client.check_issuer(params)
    with pytest.raises(ProviderDenied):
        client.check_error(params)


async def test_an_error_of_the_provider_is_no_denial(
    client: OAuthClient, provider: StrictProvider
) -> None:
    provider.faults.add("answer-error")
    params, _ = await come_back(client)
    with pytest.raises(ProviderDown) as caught:
        client.check_error(params)
    assert "private" not in str(caught.value)


@pytest.mark.parametrize("params", [{}, {"code": ""}])
async def test_an_answer_without_a_code_is_a_fault(
    client: OAuthClient, params: Mapping[str, str]
) -> None:
    with pytest.raises(ProviderFault, match="no code"):
        client.check_error(params)


@pytest.mark.parametrize("fault", ["answer-issuer-missing", "answer-issuer-other"])
async def test_an_answer_of_another_issuer_or_of_none_is_refused_in_each_process(
    client: OAuthClient, provider: StrictProvider, http: httpx2.AsyncClient, fault: str
) -> None:
    provider.faults.add(fault)
    params, _ = await come_back(client)
    another_process = client_of(provider, http)
    for one in (client, another_process):
        with pytest.raises(WrongIssuer):
            await one.check_issuer(params)


@pytest.mark.parametrize("said", ["", "https://idp.example/", "https://IDP.example", "\ud800"])
async def test_an_issuer_is_compared_letter_by_letter(client: OAuthClient, said: str) -> None:
    with pytest.raises(WrongIssuer):
        await client.check_issuer({"iss": said})


async def test_a_provider_that_promises_no_issuer_may_leave_it_out_and_not_lie(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    provider.faults.add("metadata-issuer-unpromised")
    client = client_of(provider, http)
    await client.check_issuer({})
    with pytest.raises(WrongIssuer):
        await client.check_issuer({"iss": "https://another.example"})


async def test_a_provider_of_which_no_issuer_is_known_may_say_anything(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    names = {"authorization": "authorize", "token": "token"}
    given: dict[str, Any] = {
        f"{name}_endpoint": f"{provider.issuer}/{path}" for name, path in names.items()
    }
    client = client_of(provider, http, issuer=None, **given)
    await client.check_issuer({"iss": "https://another.example"})
    assert provider.visits == []


# --- tokens ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        "id-unsigned",
        "id-symmetric",
        "id-client-secret",
        "id-key-other",
        "id-key-unknown",
        "id-changed",
        "id-nonce-other",
        "id-audience-other",
        "id-issuer-other",
        "id-expired",
        "id-hash-other",
        "token-id-missing",
        "token-access-missing",
        "token-type-other",
        "token-refused",
        "token-moved",
        "token-garbage",
        "token-list",
        "token-html",
        "token-huge",
        "jwks-garbage",
        "jwks-moved",
        "jwks-list",
    ],
)
async def test_a_provider_that_answers_what_it_must_not_is_at_fault(
    client: OAuthClient, provider: StrictProvider, fault: str
) -> None:
    provider.faults.update({fault, "metadata-weak"})
    params, begun = await come_back(client)
    with pytest.raises(ProviderFault) as caught:
        await client.redeem(params, begun)
    said = str(caught.value)
    assert "secret" not in said
    assert not any(value in said for value in (params["code"], begun.verifier, begun.nonce))


@pytest.mark.parametrize("fault", ["token-down", "token-broken", "token-cut", "jwks-down"])
async def test_a_provider_that_cannot_answer_is_down(
    client: OAuthClient, provider: StrictProvider, fault: str
) -> None:
    provider.faults.add(fault)
    params, begun = await come_back(client)
    with pytest.raises(ProviderDown):
        await client.redeem(params, begun)


async def test_a_provider_that_publishes_no_keys_is_not_believed(
    client: OAuthClient, provider: StrictProvider
) -> None:
    provider.faults.add("metadata-keyless")
    params, begun = await come_back(client)
    with pytest.raises(ProviderFault, match="names no keys"):
        await client.redeem(params, begun)


async def test_a_code_of_another_beginning_is_worth_nothing(
    client: OAuthClient, provider: StrictProvider
) -> None:
    params, _ = await come_back(client)
    _, others = await come_back(client)
    with pytest.raises(ProviderFault, match="invalid_grant"):
        await client.redeem(params, others)


async def test_a_provider_may_take_a_new_key_at_any_time(
    client: OAuthClient, provider: StrictProvider
) -> None:
    await connect(client)
    provider.rotate()
    await connect(client)
    assert provider.visits.count("/jwks") == 2


async def test_keys_are_asked_for_once_more_and_no_more_for_a_key_that_nobody_published(
    client: OAuthClient, provider: StrictProvider
) -> None:
    provider.faults.add("id-key-unknown")
    params, begun = await come_back(client)
    with pytest.raises(ProviderFault, match="no key of its own"):
        await client.redeem(params, begun)
    assert provider.visits.count("/jwks") == 2


async def test_a_key_that_was_withdrawn_is_not_believed_for_ever(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    clock = Clock()
    client = client_of(provider, http, clock=clock)
    await connect(client)
    stolen = provider.key
    provider.rotate()
    provider.published, provider.key = provider.key, stolen
    clock.ahead = 3_600_000
    params, begun = await come_back(client)
    clock.ahead = 0
    with pytest.raises(ProviderFault, match="no key of its own"):
        await client.redeem(params, begun)


async def test_a_company_s_own_provider_may_be_anywhere_and_names_nobody_else_there() -> None:
    asked: list[str] = []
    issuer = "https://10.0.0.1"
    said = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": "https://10.0.0.2/token",
    }

    def send(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        return httpx2.Response(200, stream=httpx2.ByteStream(json.dumps(said).encode()))

    hub = OAuthProvider(name="hub", client_id="acp", issuer=issuer)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(send)) as http:
        client = OAuthClient(hub, http=http)
        _, _, begun = await client.begin(redirect_uri=BACK)
        with pytest.raises(ProviderFault, match="private network"):
            await client.redeem({"code": "x"}, begun)
    assert asked == ["10.0.0.1"]


async def test_metadata_are_looked_up_once_in_an_hour(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    clock = Clock()
    client = client_of(provider, http, clock=clock)
    place = "/.well-known/openid-configuration"
    for _ in range(3):
        await client.begin(redirect_uri=BACK)
    assert provider.visits.count(place) == 1
    clock.ahead = 3_600_000
    await client.begin(redirect_uri=BACK)
    assert provider.visits.count(place) == 2


# --- later ----------------------------------------------------------------------------------------


async def test_a_credential_is_refreshed_again_and_again(
    client: OAuthClient, provider: StrictProvider
) -> None:
    first = await connect(client)
    second = await client.refresh(first)
    third = await client.refresh(second)
    assert provider.is_valid(third.secret.reveal())
    assert len({one.secret for one in (first, second, third)}) == 3
    assert third.refresh != second.refresh
    assert (third.account, third.scopes) == (first.account, first.scopes)


async def test_a_refresh_token_that_is_not_replaced_is_kept(
    client: OAuthClient, provider: StrictProvider
) -> None:
    provider.faults.add("refresh-same")
    first = await connect(client)
    second = await client.refresh(first)
    assert second.refresh == first.refresh
    assert provider.is_valid((await client.refresh(second)).secret.reveal())


async def test_a_grant_that_was_taken_back_has_to_be_asked_for_again(
    client: OAuthClient, provider: StrictProvider
) -> None:
    first = await connect(client)
    await client.refresh(first)
    with pytest.raises(ProviderDenied, match="ask again"):
        await client.refresh(first)  # it was used, so that this one may be stolen


async def test_what_has_no_refresh_token_is_not_refreshed(
    client: OAuthClient, provider: StrictProvider
) -> None:
    provider.faults.add("token-refresh-missing")
    credential = await connect(client)
    with pytest.raises(ProviderFault, match="nothing to refresh with"):
        await client.refresh(credential)


async def test_a_credential_is_revoked_with_all_that_could_come_of_it(
    client: OAuthClient, provider: StrictProvider
) -> None:
    credential = await connect(client)
    await client.revoke(credential)
    assert not provider.is_valid(credential.secret.reveal())
    with pytest.raises(ProviderDenied):
        await client.refresh(credential)


async def test_a_credential_without_a_refresh_token_is_revoked(
    client: OAuthClient, provider: StrictProvider
) -> None:
    credential = await connect(client)
    await client.revoke(replace(credential, refresh=None))
    assert not provider.is_valid(credential.secret.reveal())


@pytest.mark.parametrize(
    ("fault", "kind"), [("revoke-down", ProviderDown), ("revoke-moved", ProviderFault)]
)
async def test_a_credential_that_could_not_be_revoked_is_told_of(
    client: OAuthClient, provider: StrictProvider, fault: str, kind: type[Exception]
) -> None:
    credential = await connect(client)
    provider.faults.add(fault)
    with pytest.raises(kind):
        await client.revoke(credential)


async def test_a_client_with_a_wrong_secret_is_told_how_to_help_itself(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    right, wrong = client_of(provider, http), client_of(provider, http, client_secret=Secret("x"))
    credential = await connect(right)
    with pytest.raises(ProviderFault, match="invalid_client"):
        await wrong.revoke(credential)
    params, begun = await come_back(wrong)
    with pytest.raises(ProviderFault, match="invalid_client"):
        await wrong.redeem(params, begun)


# --- what a failure shows -------------------------------------------------------------------------


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("proof", ["basic", "post"])
@pytest.mark.parametrize(
    ("do", "fault"),
    [("refresh", "token-down"), ("refresh", "token-refused"), ("revoke", "revoke-down"),
     ("redeem", "id-nonce-other"), ("redeem_identity", "id-nonce-other"), ("redeem", "token-down")],
)  # fmt: skip
async def test_no_token_and_no_secret_is_in_a_traceback_with_its_variables(
    provider: StrictProvider, client: OAuthClient, proof: Any, do: str, fault: str
) -> None:
    provider.clients[KNOWN.id] = replace(KNOWN, proof=proof)
    credential = await connect(client)
    params, begun = await come_back(client)
    provider.faults.add(fault)
    given = (params, begun) if do.startswith("redeem") else (credential,)
    with pytest.raises(ProviderError) as caught:
        await getattr(client, do)(*given)
    assert credential.refresh is not None
    shown = with_variables(caught.value)
    secrets = [KNOWN.secret, begun.verifier, credential.refresh.reveal(), *provider.access_tokens]
    assert [secret for secret in secrets if secret in shown] == []
