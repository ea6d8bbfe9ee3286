"""A strict OpenID provider, as a peer of the tests: it takes nothing that RFC 9700 forbids.

It enforces PKCE with S256, exact redirect URIs, state, nonce, codes and refresh tokens that work
once (a second use takes back what came of the first), and one way for a client to prove itself; it
sends `iss`, and signs with ES256. `faults` makes it misbehave: see `spoiling.FAULTS`.

In a test: `async with strict_provider(client) as provider`, then `provider.issuer`. As a program:
`python -m tests.openid.strict --port 0 --client JSON --fault NAME`; the first line of its output
is its issuer. The login page asks for a name and has the buttons Allow and Deny; `visit` does with
httpx2 what a person does in a browser. A client is registered by `--client`, or by a POST of the
same JSON to /register; a POST of a JSON list to /faults changes the faults of a running provider.
"""

import argparse
import asyncio
import base64
import contextlib
import hashlib
import html
import secrets
import socket
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote_plus, urlencode

import httpx2
import msgspec
import uvicorn
from joserfc.jwk import ECKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.openid.spoiling import FAULTS, answer_badly, sign, spoil_claims, spoil_metadata

__all__ = ["Client", "StrictProvider", "sign_in", "strict_provider", "visit"]

_LIFE_OF_A_CODE = 60


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """What the provider knows of a client. `proof` is how it proves itself for a token."""

    id: str = "acp"
    secret: str = "strict-client-secret-of-32-bytes-or-more"
    redirect_uris: tuple[str, ...] = ()
    proof: Literal["basic", "post", "none"] = "basic"
    scopes: tuple[str, ...] = ("openid", "profile", "email", "offline_access", "read", "write")


class _Asked(msgspec.Struct, frozen=True):
    """A request for authorization that was in order."""

    client: Client
    redirect_uri: str
    state: str
    nonce: str
    challenge: str
    scopes: tuple[str, ...]


class _Family(msgspec.Struct):
    """All that came of one code."""

    asked: _Asked
    subject: str
    access: set[str] = msgspec.field(default_factory=set)
    refresh: str | None = None


class _Code(msgspec.Struct):
    family: _Family
    until: float
    used: bool = False


class _Refusal(Exception):
    """An answer in JSON that says what is wrong (RFC 6749, 5.2)."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        self.response = JSONResponse(
            {"error": error, "error_description": description},
            status,
            {"cache-control": "no-store"},
        )
        super().__init__(description)


class StrictProvider:
    """The provider. `app` is to be served at `issuer`."""

    def __init__(self, issuer: str, *clients: Client, faults: set[str] | None = None) -> None:
        self.issuer = issuer
        self.clients = {client.id: client for client in clients}
        self.faults = faults if faults is not None else set()
        self.over = asyncio.Event()
        self.asked: list[dict[str, str]] = []
        """The parameters of each request for authorization."""
        self.token_requests: list[dict[str, str]] = []
        self.visits: list[str] = []
        """The path of each request."""
        self.life = 3600
        self.rotate()
        self._waiting: dict[str, _Asked] = {}
        self._codes: dict[str, _Code] = {}
        self._access: dict[str, _Family] = {}
        self._refresh: dict[str, tuple[_Family, bool]] = {}
        self.app = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._at("metadata", self._metadata)),
                Route(
                    "/.well-known/oauth-authorization-server", self._at("metadata", self._metadata)
                ),
                Route("/jwks", self._at("jwks", self._jwks)),
                Route("/authorize", self._authorize),
                Route("/decide", self._decide, methods=["POST"]),
                Route("/token", self._at("token", self._token), methods=["POST"]),
                Route("/userinfo", self._at("userinfo", self._userinfo)),
                Route("/revoke", self._at("revoke", self._revoke), methods=["POST"]),
                Route("/moved", self._moved, methods=["GET", "POST"]),
                Route("/register", self._register, methods=["POST"]),
                Route("/faults", self._set_faults, methods=["POST"]),
            ]
        )

    def rotate(self) -> None:
        """Sign with a new key from now on, and no longer publish the one before."""
        self.key = ECKey.generate_key("P-256", {"kid": secrets.token_hex(4), "use": "sig"})
        self.published = self.key

    def is_valid(self, access_token: str) -> bool:
        """Whether it was given and not taken back."""
        return access_token in self._access

    @property
    def access_tokens(self) -> list[str]:
        """Those that were given and not taken back."""
        return list(self._access)

    def _at(self, place: str, handle: Any) -> Any:
        async def answer(request: Request) -> Response:
            async def good() -> Response:
                try:
                    response = await handle(request)
                except _Refusal as refusal:
                    response = refusal.response
                assert isinstance(response, Response)
                return response

            self.visits.append(request.url.path)
            return await answer_badly(place, self.faults, self.over, good)

        return answer

    async def _metadata(self, request: Request) -> Response:
        proofs = ["client_secret_basic", "client_secret_post", "none"]
        metadata = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "jwks_uri": f"{self.issuer}/jwks",
            "revocation_endpoint": f"{self.issuer}/revoke",
            "registration_endpoint": f"{self.issuer}/register",
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "token_endpoint_auth_methods_supported": self._proofs() or proofs,
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": list(Client().scopes),
            "authorization_response_iss_parameter_supported": True,
        }
        return JSONResponse(spoil_metadata(metadata, self.faults))

    def _proofs(self) -> list[str]:
        names = {"basic": "client_secret_basic", "post": "client_secret_post", "none": "none"}
        return sorted({names[client.proof] for client in self.clients.values()})

    async def _jwks(self, request: Request) -> Response:
        key = {**self.published.as_dict(private=False), "alg": "ES256"}
        return JSONResponse({"keys": [key]}, media_type="application/jwk-set+json")

    async def _authorize(self, request: Request) -> Response:
        self.visits.append(request.url.path)
        pairs = parse_qsl(request.url.query, keep_blank_values=True, strict_parsing=True)
        values = dict(pairs)
        client = self.clients.get(values.get("client_id", ""))
        # Who cannot be trusted is not sent anywhere (RFC 9700, 4.11).
        if client is None or len(values) != len(pairs):
            return HTMLResponse("<h1>Unknown client, or a parameter twice</h1>", 400)
        redirect_uri = values.get("redirect_uri", "")
        if redirect_uri not in client.redirect_uris:
            return HTMLResponse("<h1>The redirect URI is not registered</h1>", 400)
        self.asked.append(values)
        state = values.get("state", "")
        asked = _Asked(
            client,
            redirect_uri,
            state,
            values.get("nonce", ""),
            values.get("code_challenge", ""),
            tuple(values.get("scope", "").split()),
        )
        if wrong := _wrong_about(asked, values):
            return self._go_back(asked, {"error": wrong[0], "error_description": wrong[1]})
        number = secrets.token_urlsafe(16)
        self._waiting[number] = asked
        return HTMLResponse(
            _PAGE.format(
                number=number,
                client=html.escape(client.id),
                scopes=html.escape(" ".join(asked.scopes)),
                hint=html.escape(values.get("login_hint", "")),
            ),
            headers={"cache-control": "no-store"},
        )

    async def _decide(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
        asked = self._waiting.pop(form.get("number", ""), None)
        if asked is None:
            return HTMLResponse("<h1>This was answered already</h1>", 400)
        if form.get("decision") != "allow" or not form.get("user"):
            return self._go_back(asked, {"error": "access_denied"})
        if "answer-error" in self.faults:
            return self._go_back(asked, {"error": "server_error", "error_description": "private"})
        code = secrets.token_urlsafe(24)
        self._codes[code] = _Code(_Family(asked, form["user"]), time.time() + _LIFE_OF_A_CODE)
        return self._go_back(asked, {"code": code})

    def _go_back(self, asked: _Asked, values: dict[str, str]) -> Response:
        state = "another-state" if "answer-state-other" in self.faults else asked.state
        values = {**values, **({"state": state} if state else {}), "iss": self.issuer}
        if "answer-issuer-missing" in self.faults:
            del values["iss"]
        if "answer-issuer-other" in self.faults:
            values["iss"] = "https://another.example"
        mark = "&" if "?" in asked.redirect_uri else "?"
        return RedirectResponse(f"{asked.redirect_uri}{mark}{urlencode(values)}", 303)

    async def _token(self, request: Request) -> Response:
        client, form = await self._prove(request)
        self.token_requests.append(form)
        if "token-refused" in self.faults:
            raise _Refusal("invalid_grant", "secret-of-a-description")
        match form.get("grant_type"):
            case "authorization_code":
                return self._give(self._redeem(client, form), with_id_token=True)
            case "refresh_token":
                return self._give(self._renew(client, form), with_id_token=False)
            case _:
                raise _Refusal("unsupported_grant_type", "code or refresh token")

    async def _prove(self, request: Request) -> tuple[Client, dict[str, str]]:
        """Return the client, which has proved itself in its own way, and what it has sent."""
        kind = request.headers.get("content-type", "").partition(";")[0]
        pairs = parse_qsl((await request.body()).decode(), keep_blank_values=True)
        form = dict(pairs)
        if kind != "application/x-www-form-urlencoded" or len(form) != len(pairs):
            raise _Refusal("invalid_request", "a form with each parameter once")
        basic = request.headers.get("authorization")
        if basic is None:
            name, secret = form.get("client_id", ""), form.get("client_secret")
            way = "none" if secret is None else "post"
        else:
            plain = base64.b64decode(basic.removeprefix("Basic ")).decode()
            name, secret = (unquote_plus(part) for part in plain.split(":", 1))
            way = "basic" if "client_secret" not in form else "twice"
        client = self.clients.get(name)
        if (
            client is None
            or client.proof != way
            or (secret is not None and secret != client.secret)
        ):
            raise _Refusal("invalid_client", "not the way this client proves itself", 401)
        return client, form

    def _redeem(self, client: Client, form: Mapping[str, str]) -> _Family:
        code = self._codes.get(form.get("code", ""))
        if code is None or code.family.asked.client.id != client.id:
            raise _Refusal("invalid_grant", "no such code")
        if code.used:
            self._take_back(code.family)  # one of the two was stolen (RFC 6749, 4.1.2)
            raise _Refusal("invalid_grant", "the code was used before")
        code.used = True
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        asked = code.family.asked
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked.challenge:
            raise _Refusal("invalid_grant", "the verifier is not that of the challenge")
        if form.get("redirect_uri") != asked.redirect_uri or code.until < time.time():
            raise _Refusal("invalid_grant", "another redirect URI, or too late")
        return code.family

    def _renew(self, client: Client, form: Mapping[str, str]) -> _Family:
        family, is_current = self._refresh.get(form.get("refresh_token", ""), (None, False))
        if family is None or family.asked.client.id != client.id:
            raise _Refusal("invalid_grant", "no such refresh token")
        if not is_current:
            self._take_back(family)
            raise _Refusal("invalid_grant", "the refresh token was used before")
        return family

    def _take_back(self, family: _Family) -> None:
        for token in family.access:
            self._access.pop(token, None)
        if family.refresh is not None:
            self._refresh.pop(family.refresh, None)

    def _give(self, family: _Family, *, with_id_token: bool) -> Response:
        access = secrets.token_urlsafe(24)
        family.access.add(access)
        self._access[access] = family
        answer: dict[str, Any] = {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": self.life,
            "scope": " ".join(family.asked.scopes),
        }
        if refresh := self._next_refresh(family):
            answer["refresh_token"] = refresh
        if with_id_token and "openid" in family.asked.scopes:
            answer["id_token"] = self._id_token(family, access)
        return JSONResponse(self._spoil_answer(answer), headers={"cache-control": "no-store"})

    def _next_refresh(self, family: _Family) -> str | None:
        if "offline_access" not in family.asked.scopes or "token-refresh-missing" in self.faults:
            return None
        if family.refresh is not None:
            if "refresh-same" in self.faults:
                return None
            self._refresh[family.refresh] = (family, False)
        family.refresh = secrets.token_urlsafe(24)
        self._refresh[family.refresh] = (family, True)
        return family.refresh

    def _spoil_answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        for fault, name in _LEFT_OUT.items():
            if fault in self.faults:
                answer.pop(name, None)
        if "token-type-other" in self.faults:
            answer["token_type"] = "mac"
        if "token-scope-less" in self.faults:
            answer["scope"] = "openid"
        if "token-expiry-text" in self.faults:
            answer["expires_in"] = "soon"
        return answer

    def _id_token(self, family: _Family, access: str) -> str:
        asked, now = family.asked, int(time.time())
        half = hashlib.sha256(access.encode()).digest()[:16]
        claims = {
            "iss": self.issuer,
            "sub": f"subject-{family.subject}",
            "aud": asked.client.id,
            "exp": now + 300,
            "iat": now,
            "nonce": asked.nonce,
            "at_hash": base64.urlsafe_b64encode(half).rstrip(b"=").decode(),
            **({} if "id-names-missing" in self.faults else _names(family)),
        }
        return sign(spoil_claims(claims, self.faults), self.key, asked.client.secret, self.faults)

    async def _userinfo(self, request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        family = self._access.get(token)
        if family is None:
            raise _Refusal("invalid_token", "unknown", 401)
        other = "userinfo-subject-other" in self.faults
        subject = "another-subject" if other else f"subject-{family.subject}"
        return JSONResponse({"sub": subject, **_names(family)})

    async def _revoke(self, request: Request) -> Response:
        client, form = await self._prove(request)
        token = form.get("token", "")
        if family := self._refresh.get(token, (None, False))[0]:
            if family.asked.client.id == client.id:
                self._take_back(family)
        elif token in self._access and self._access[token].asked.client.id == client.id:
            del self._access[token]  # its refresh token goes on, as RFC 7009 leaves it free
        return Response()

    async def _moved(self, request: Request) -> Response:
        self.visits.append(request.url.path)
        return JSONResponse(
            {"issuer": self.issuer, "access_token": "moved", "token_type": "Bearer"}
        )

    async def _register(self, request: Request) -> Response:
        client = msgspec.json.decode(await request.body(), type=Client)
        self.clients[client.id] = client
        return JSONResponse({"client_id": client.id}, 201)

    async def _set_faults(self, request: Request) -> Response:
        self.faults.clear()
        self.faults.update(_known(msgspec.json.decode(await request.body(), type=list[str])))
        return Response(status_code=204)


def _names(family: _Family) -> dict[str, str]:
    """What is said about the user, as far as the client may know."""
    scopes, user = family.asked.scopes, family.subject
    return {
        **({"preferred_username": user} if "profile" in scopes else {}),
        **({"email": f"{user}@example.org"} if "email" in scopes else {}),
    }


def _wrong_about(asked: _Asked, values: Mapping[str, str]) -> tuple[str, str] | None:
    """What a request must not leave out, though the standards let some clients."""
    if values.get("response_type") != "code":
        return "unsupported_response_type", "only code"
    if values.get("code_challenge_method") != "S256" or len(asked.challenge) != 43:
        return "invalid_request", "PKCE with S256"
    if len(asked.state) < 20:
        return "invalid_request", "a state that cannot be guessed"
    if not asked.scopes or not set(asked.scopes) <= set(asked.client.scopes):
        return "invalid_scope", "unknown"
    if "openid" in asked.scopes and len(asked.nonce) < 20:
        return "invalid_request", "a nonce that cannot be guessed"
    return None


_LEFT_OUT = {
    "token-access-missing": "access_token",
    "token-id-missing": "id_token",
    "token-scope-unsaid": "scope",
    "token-expiry-unsaid": "expires_in",
}

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Strict provider</title>
<h1>Sign in</h1>
<p>{client} asks for: {scopes}</p>
<form method="post" action="decide">
<input type="hidden" name="number" value="{number}">
<p><label>User name <input name="user" value="{hint}" autocomplete="off"></label>
<p><button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
</html>
"""


async def sign_in(
    http: httpx2.AsyncClient, page: httpx2.Response, *, user: str = "ada", allow: bool = True
) -> str:
    """Answer the provider's login page; return where it sends the browser, which is not visited."""
    assert page.status_code == 200, page.text
    number = page.text.partition('name="number" value="')[2].partition('"')[0]
    decision = "allow" if allow else "deny"
    done = await http.post(
        str(page.url.join("decide")),
        data={"number": number, "user": user, "decision": decision},
        follow_redirects=False,
    )
    assert done.status_code == 303, done.text
    return done.headers["location"]


async def visit(url: str, *, user: str = "ada", allow: bool = True) -> str:
    """Do what a person does who is sent to `url`; return the address that the provider sends to."""
    async with httpx2.AsyncClient(trust_env=False, verify=False) as http:
        page = await http.get(url)
        if page.status_code == 303:
            return page.headers["location"]
        return await sign_in(http, page, user=user, allow=allow)


class _Server(uvicorn.Server):
    """A server that leaves signals to the program, and does nothing while nothing comes."""

    def __init__(self, config: uvicorn.Config, over: asyncio.Event) -> None:
        super().__init__(config)
        self._over = over

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self._over.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End at once: uvicorn's own waits a tenth of a second, whatever is open."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(list(self.server_state.tasks))
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def strict_provider(
    *clients: Client, port: int = 0, faults: set[str] | None = None
) -> AsyncIterator[StrictProvider]:
    """Serve a provider on 127.0.0.1 while the block lasts."""
    # Without its protocol asyncio does not know it for TCP, and each answer waits for 40 ms.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(1024)  # who connects before the server runs waits for it
        issuer = f"http://127.0.0.1:{listening.getsockname()[1]}"
        provider = StrictProvider(issuer, *clients, faults=faults)
        config = uvicorn.Config(
            provider.app, ws="none", lifespan="off", log_config=None, log_level="critical"
        )
        server = _Server(config, provider.over)
        running = asyncio.create_task(server.serve([listening]))
        try:
            yield provider
        finally:
            provider.over.set()
            await running


def _known(faults: list[str]) -> set[str]:
    unknown = set(faults) - FAULTS
    assert not unknown, f"no such fault: {', '.join(sorted(unknown))}"
    return set(faults)


async def _run(arguments: argparse.Namespace) -> None:
    clients = [msgspec.json.decode(client, type=Client) for client in arguments.client]
    faults = _known(arguments.fault)
    async with strict_provider(*clients, port=arguments.port, faults=faults) as provider:
        print(provider.issuer, flush=True)
        await provider.over.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A strict OpenID provider for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--client", action="append", default=[], metavar="JSON")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(parser.parse_args()))
