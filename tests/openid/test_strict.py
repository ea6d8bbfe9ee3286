"""The strict provider itself: what it refuses, so that a test against it proves something."""

import asyncio
import base64
import hashlib
import sys
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import msgspec
import pytest

from tests.openid.strict import Client, StrictProvider, sign_in, strict_provider, visit

BACK = "https://agent.example/callback/strict"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=")
ASKED = {
    "response_type": "code",
    "client_id": "acp",
    "redirect_uri": BACK,
    "state": "a-state-that-is-long-enough",
    "nonce": "a-nonce-that-is-long-enough",
    "code_challenge": CHALLENGE.decode(),
    "code_challenge_method": "S256",
    "scope": "openid profile offline_access",
}


@pytest.fixture
async def provider() -> AsyncIterator[StrictProvider]:
    async with strict_provider(Client(redirect_uris=(BACK,), proof="post")) as provider:
        yield provider


@pytest.fixture
async def http(provider: StrictProvider) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(trust_env=False, verify=False, base_url=provider.issuer) as http:
        yield http


def values_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


async def come_back(provider: StrictProvider, **changes: str) -> dict[str, str]:
    asked = {name: value for name, value in {**ASKED, **changes}.items() if value}
    address = await visit(f"{provider.issuer}/authorize?{urlencode(asked)}")
    assert address.startswith(f"{BACK}?")
    return values_of(address)


async def redeem(http: httpx2.AsyncClient, code: str = "", **changes: str) -> tuple[int, Any]:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
        "client_id": "acp",
        "client_secret": Client().secret,
        **changes,
    }
    answer = await http.post("/token", data=form)
    return answer.status_code, answer.json()


async def test_a_user_who_allows_comes_back_with_a_code_that_gets_tokens(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    back = await come_back(provider)
    assert (back["state"], back["iss"]) == (ASKED["state"], provider.issuer)
    status, tokens = await redeem(http, back["code"])
    assert (status, tokens["token_type"]) == (200, "Bearer")
    assert provider.is_valid(tokens["access_token"])
    bearer = {"authorization": f"Bearer {tokens['access_token']}"}
    assert (await http.get("/userinfo", headers=bearer)).json()["preferred_username"] == "ada"


async def test_a_user_who_denies_comes_back_with_the_error(provider: StrictProvider) -> None:
    address = await visit(f"{provider.issuer}/authorize?{urlencode(ASKED)}", allow=False)
    assert values_of(address)["error"] == "access_denied"


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("code_challenge", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("state", "", "invalid_request"),
        ("nonce", "short", "invalid_request"),
        ("response_type", "token", "unsupported_response_type"),
        ("scope", "openid admin", "invalid_scope"),
    ],
)
async def test_a_request_that_is_not_in_order_is_sent_back(
    provider: StrictProvider, name: str, value: str, error: str
) -> None:
    assert (await come_back(provider, **{name: value}))["error"] == error


@pytest.mark.parametrize("uri", [f"{BACK}/", f"{BACK}?a=b", "https://evil.example/"])
async def test_a_redirect_uri_that_is_not_exactly_the_one_is_not_visited(
    http: httpx2.AsyncClient, uri: str
) -> None:
    answer = await http.get("/authorize", params={**ASKED, "redirect_uri": uri})
    assert (answer.status_code, answer.headers.get("location")) == (400, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("code_verifier", "w" * 43),
        ("redirect_uri", f"{BACK}/"),
        ("code", "0" * 16),
        ("client_secret", "wrong"),
    ],
)
async def test_a_code_is_worth_nothing_to_another(
    provider: StrictProvider, http: httpx2.AsyncClient, name: str, value: str
) -> None:
    back = await come_back(provider)
    status, answer = await redeem(http, **{"code": back["code"], name: value})
    assert status in (400, 401)
    assert answer["error"] in ("invalid_grant", "invalid_client")


async def test_a_code_that_comes_twice_takes_back_what_it_gave(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    back = await come_back(provider)
    _, tokens = await redeem(http, back["code"])
    assert (await redeem(http, back["code"]))[1]["error"] == "invalid_grant"
    assert not provider.is_valid(tokens["access_token"])


async def test_a_refresh_token_that_comes_twice_takes_back_what_it_gave(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    _, first = await redeem(http, (await come_back(provider))["code"])
    grant = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    status, second = await redeem(http, **grant)
    assert status == 200
    assert second["refresh_token"] != first["refresh_token"]
    assert (await redeem(http, **grant))[1]["error"] == "invalid_grant"
    assert not provider.is_valid(second["access_token"])


async def test_a_token_that_is_taken_back_is_worth_nothing(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    _, tokens = await redeem(http, (await come_back(provider))["code"])
    proof = {"client_id": "acp", "client_secret": Client().secret}
    answer = await http.post("/revoke", data={"token": tokens["access_token"], **proof})
    assert answer.status_code == 200
    assert not provider.is_valid(tokens["access_token"])


async def test_it_runs_as_a_program_and_takes_clients_and_faults_while_it_runs() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.openid.strict", "--fault", "metadata-down", stdout=-1
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(20):
            issuer = (await process.stdout.readline()).decode().strip()
        async with httpx2.AsyncClient(trust_env=False, verify=False, base_url=issuer) as http:
            metadata = "/.well-known/openid-configuration"
            assert (await http.get(metadata)).status_code == 503
            assert (await http.post("/faults", json=[])).status_code == 204
            assert (await http.get(metadata)).json()["issuer"] == issuer
            client = msgspec.to_builtins(Client(redirect_uris=(BACK,)))
            assert (await http.post("/register", json=client)).status_code == 201
            page = await http.get("/authorize", params=ASKED)
            assert "code" in values_of(await sign_in(http, page))
    finally:
        process.terminate()
        await process.communicate()
