"""The provider of the tests is strict: what it lets through is right, and the rest it refuses."""

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from tests.openid.person import Authorization, answer_at
from tests.openid.provider import OpenIdClient, OpenIdProvider, TokenAnswer, openid_provider

pytestmark = pytest.mark.asyncio(loop_scope="module")

_HERE, _THERE = "http://127.0.0.1:1/callback/one", "http://127.0.0.1:1/callback/two"
_CLIENT = OpenIdClient(id="agent", secret="for the tests", redirect_uris=(_HERE, _THERE))
_OFFLINE = {"scope": "openid offline_access", "prompt": "consent"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def provider() -> AsyncIterator[OpenIdProvider]:
    async with openid_provider(_CLIENT) as provider:
        yield provider


class Client:
    """A client of the provider, and the browser of its user."""

    def __init__(self, provider: OpenIdProvider, http: httpx2.AsyncClient) -> None:
        self.provider, self.http = provider, http

    def request(self, redirect_uri: str = _HERE, **more: Any) -> Authorization:
        return Authorization(f"{self.provider.issuer}/auth", _CLIENT.id, redirect_uri, **more)

    async def code_for(self, request: Authorization) -> str:
        _, back = await answer_at(self.http, request.url, "ada")
        return back["code"]

    async def post(self, endpoint: str, **data: str) -> httpx2.Response:
        assert _CLIENT.secret is not None
        who = httpx2.BasicAuth(_CLIENT.id, _CLIENT.secret.replace(" ", "+"))
        return await self.http.post(f"{self.provider.issuer}/{endpoint}", data=data, auth=who)

    async def redeem(self, request: Authorization, code: str, **other: str) -> httpx2.Response:
        data = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": request.redirect_uri,
            "code_verifier": request.verifier,
        }
        return await self.post("token", **(data | other))

    async def tokens(self, **more: Any) -> dict[str, Any]:
        request = self.request(**more)
        response = await self.redeem(request, await self.code_for(request))
        return dict(response.json())

    async def refresh(self, token: str) -> httpx2.Response:
        return await self.post("token", grant_type="refresh_token", refresh_token=token)


@contextlib.asynccontextmanager
async def _at(provider: OpenIdProvider) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(timeout=20) as http:
        yield Client(provider, http)


@pytest_asyncio.fixture(loop_scope="module")
async def client(provider: OpenIdProvider) -> AsyncIterator[Client]:
    async with _at(provider) as client:
        yield client


async def test_the_answer_names_its_issuer_and_the_state(client: Client) -> None:
    request = client.request()
    place, back = await answer_at(client.http, request.url, "ada")
    assert place.startswith(f"{_HERE}?")
    assert (back["iss"], back["state"]) == (client.provider.issuer, request.state)


async def test_the_id_token_is_the_users_and_holds_the_nonce(client: Client) -> None:
    request = client.request()
    response = await client.redeem(request, await client.code_for(request))
    payload = response.json()["id_token"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    assert (claims["sub"], claims["nonce"]) == ("ada", request.nonce)
    assert (claims["iss"], claims["aud"]) == (client.provider.issuer, _CLIENT.id)


async def test_a_user_who_says_no_is_an_error_of_the_answer(client: Client) -> None:
    _, back = await answer_at(client.http, client.request().url, "ada", "deny")
    assert (back["error"], back["iss"]) == ("access_denied", client.provider.issuer)
    assert "code" not in back


async def test_a_code_works_once(client: Client) -> None:
    request = client.request()
    code = await client.code_for(request)
    assert (await client.redeem(request, code)).status_code == 200
    again = await client.redeem(request, code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


async def test_a_code_that_was_used_twice_takes_its_token_with_it(client: Client) -> None:
    request = client.request()
    code = await client.code_for(request)
    token = (await client.redeem(request, code)).json()["access_token"]
    await client.redeem(request, code)
    asked = await client.http.get(
        f"{client.provider.issuer}/me", headers={"Authorization": f"Bearer {token}"}
    )
    assert asked.status_code == 401


@pytest.mark.parametrize(
    "without",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
    ],
    ids=["none", "plain", "no method"],
)
async def test_a_request_without_pkce_by_s256_is_refused(
    client: Client, without: dict[str, Any]
) -> None:
    _, back = await answer_at(client.http, client.request(**without).url, "ada")
    assert back["error"] == "invalid_request"
    assert "code" not in back


@pytest.mark.parametrize(
    "wrong",
    [{"code_verifier": "x" * 43}, {"code_verifier": ""}, {"redirect_uri": _THERE}],
    ids=["another verifier", "no verifier", "another redirect"],
)
async def test_a_code_is_not_redeemed_with_what_it_was_not_made_for(
    client: Client, wrong: dict[str, str]
) -> None:
    request = client.request()
    response = await client.redeem(request, await client.code_for(request), **wrong)
    assert response.status_code == 400
    assert "access_token" not in response.text


@pytest.mark.parametrize(
    "place", [f"{_HERE}/", f"{_HERE}?more=1", "http://127.0.0.1:2/callback/one"]
)
async def test_a_redirect_that_is_not_exactly_a_known_one_is_shown_and_not_followed(
    client: Client, place: str
) -> None:
    where, back = await answer_at(client.http, client.request(place).url, "ada")
    assert where.startswith(client.provider.issuer)
    assert "redirect_uri" in back["page"]


async def test_a_second_redirect_is_known_as_well(client: Client) -> None:
    place, back = await answer_at(client.http, client.request(_THERE).url, "ada")
    assert place.startswith(f"{_THERE}?")
    assert "code" in back


async def test_a_refresh_token_works_once_and_its_reuse_ends_all(client: Client) -> None:
    first = (await client.tokens(**_OFFLINE))["refresh_token"]
    second = (await client.refresh(first)).json()["refresh_token"]
    assert second != first
    assert (await client.refresh(first)).json()["error"] == "invalid_grant"
    assert (await client.refresh(second)).json()["error"] == "invalid_grant"


async def test_offline_access_takes_consent(client: Client) -> None:
    assert "refresh_token" not in await client.tokens(scope="openid offline_access")


async def test_a_revoked_token_is_refused(client: Client) -> None:
    token = (await client.tokens(**_OFFLINE))["refresh_token"]
    assert (await client.post("token/revocation", token=token)).status_code == 200
    assert (await client.refresh(token)).json()["error"] == "invalid_grant"


async def test_another_secret_is_refused(client: Client) -> None:
    request = client.request()
    code = await client.code_for(request)
    response = await client.http.post(
        f"{client.provider.issuer}/token",
        data={"grant_type": "authorization_code", "code": code, "client_secret": "x"},
        auth=httpx2.BasicAuth(_CLIENT.id, "another"),
    )
    assert response.status_code in (400, 401)


async def test_its_token_endpoint_can_be_counted_held_and_down() -> None:
    async with openid_provider(_CLIENT, token="down") as provider, _at(provider) as client:
        request = client.request()
        code = await client.code_for(request)
        assert (await client.redeem(request, code)).status_code == 503
        await provider.behave("hold")
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(client.redeem(request, code))
            await provider.has_had(arrived=2)
            assert not waiting.done()
            await provider.behave("serve")
        assert waiting.result().status_code == 200
        await provider.has_had(answered=2)
        right = TokenAnswer(status=200, grant="authorization_code", client=_CLIENT.id)
        assert provider.answers == [TokenAnswer(status=503), right]


async def test_its_lifetimes_are_those_that_were_given() -> None:
    lifetimes = {"AccessToken": 7}
    async with openid_provider(_CLIENT, lifetimes=lifetimes) as provider, _at(provider) as client:
        assert (await client.tokens())["expires_in"] == 7
