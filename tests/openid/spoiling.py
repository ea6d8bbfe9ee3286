"""How the strict provider misbehaves when it is told to: each fault once, by its name.

A fault of a place is `PLACE-HOW`, such as `token-huge`; the others are those of `CLAIMS`, `SIGNED`
and `OTHERS`.
"""

import asyncio
import hmac
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from joserfc import jws
from joserfc.jwk import ECKey
from joserfc.util import urlsafe_b64encode
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

__all__ = ["CLAIMS", "FAULTS", "answer_badly", "sign", "spoil_claims", "spoil_metadata"]

Claims = dict[str, Any]

PLACES: Final = ("metadata", "jwks", "token", "userinfo", "revoke")
HOWS: Final = {
    "huge": "far more bytes than anybody needs",
    "endless": "a byte now and then, for ever",
    "silent": "no answer, for ever",
    "moved": "a redirect to the same answer",
    "garbage": "JSON in name only",
    "list": "JSON, and no object",
    "html": "a page of HTML",
    "down": "status 503",
    "broken": "status 500 with a page",
    "cut": "a connection that ends in the middle of the answer",
}


def _set(name: str, value: Any) -> Callable[[Claims], None]:
    return lambda claims: claims.update({name: value})


def _without(name: str) -> Callable[[Claims], None]:
    return lambda claims: claims.pop(name, None)


def _shift(name: str, seconds: int) -> Callable[[Claims], None]:
    return lambda claims: claims.update({name: int(time.time()) + seconds})


CLAIMS: Final[dict[str, Callable[[Claims], None]]] = {
    "id-issuer-other": _set("iss", "https://another.example"),
    "id-issuer-missing": _without("iss"),
    "id-audience-other": _set("aud", "another-client"),
    "id-audience-missing": _without("aud"),
    "id-audience-many": lambda claims: claims.update(aud=[claims["aud"], "another-client"]),
    "id-party-other": _set("azp", "another-client"),
    "id-nonce-other": _set("nonce", "another-nonce"),
    "id-nonce-missing": _without("nonce"),
    "id-expired": _shift("exp", -3600),
    "id-expiry-missing": _without("exp"),
    "id-expiry-text": _set("exp", "never"),
    "id-issued-later": _shift("iat", 3600),
    "id-issued-missing": _without("iat"),
    "id-not-before-later": _shift("nbf", 3600),
    "id-subject-missing": _without("sub"),
    "id-subject-number": _set("sub", 7),
    "id-subject-other": _set("sub", "another-subject"),
    "id-hash-other": _set("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
}
"""What an id token says wrongly."""

SIGNED: Final = {
    "id-unsigned": "alg none and no signature",
    "id-symmetric": "HS256 with the public key as its secret",
    "id-client-secret": "HS256 with the client's secret",
    "id-key-other": "a key that the provider does not publish, under the name of one that it does",
    "id-key-unknown": "a key of a name that the provider never publishes",
    "id-key-inside": "a key that the header itself brings",
    "id-changed": "a claim changed after it was signed",
    "id-garbage": "three dots and some letters",
}
"""How an id token is signed wrongly."""

OTHERS: Final = {
    "answer-issuer-missing": "no iss beside the code",
    "answer-issuer-other": "the iss of another provider beside the code",
    "answer-state-other": "another state than the one that was asked with",
    "answer-error": "error=server_error instead of a code",
    "metadata-issuer-other": "metadata of another issuer",
    "metadata-plain": "a token endpoint by plain http elsewhere",
    "metadata-private": "a token endpoint in a private network",
    "metadata-incomplete": "metadata without a token endpoint",
    "metadata-issuer-unpromised": "metadata that do not promise iss beside the code",
    "id-names-missing": "an id token that does not name the user",
    "metadata-keyless": "metadata that name no keys",
    "metadata-weak": "metadata that offers none and HS256 for id tokens",
    "token-refused": "invalid_grant, whatever was sent",
    "token-type-other": "a token type that is not bearer",
    "token-access-missing": "no access token",
    "token-id-missing": "no id token",
    "token-refresh-missing": "no refresh token",
    "token-scope-less": "fewer scopes than were asked for",
    "token-scope-unsaid": "no scope in the answer",
    "token-expiry-unsaid": "no expires_in in the answer",
    "token-expiry-text": "an expires_in that is a text",
    "refresh-same": "the refresh token stays valid and is not sent again",
    "userinfo-subject-other": "user info of another subject than that of the id token",
}

FAULTS: Final = frozenset(
    {*CLAIMS, *SIGNED, *OTHERS, *(f"{place}-{how}" for place in PLACES for how in HOWS)}
)


def spoil_claims(claims: Claims, faults: set[str]) -> Claims:
    """Return the claims of an id token with what is wrong about them."""
    for fault in sorted(faults & set(CLAIMS)):
        CLAIMS[fault](claims)
    return claims


def spoil_metadata(metadata: Claims, faults: set[str]) -> Claims:
    """Return the provider's metadata with what is wrong about them."""
    if "metadata-issuer-other" in faults:
        metadata["issuer"] = "https://another.example"
    if "metadata-plain" in faults:
        metadata["token_endpoint"] = "http://elsewhere.example/token"
    if "metadata-private" in faults:
        metadata["token_endpoint"] = "https://192.168.0.1/token"
    if "metadata-issuer-unpromised" in faults:
        del metadata["authorization_response_iss_parameter_supported"]
    if "metadata-keyless" in faults:
        del metadata["jwks_uri"]
    if "metadata-incomplete" in faults:
        del metadata["token_endpoint"]
    if "metadata-weak" in faults:
        metadata["id_token_signing_alg_values_supported"] = ["none", "HS256", "ES256"]
    return metadata


def sign(claims: Claims, key: ECKey, client_secret: str, faults: set[str]) -> str:
    """Return the id token, signed as it should be or as it should not."""
    header: Claims = {"typ": "JWT", "alg": "ES256", "kid": key.kid}
    body = json.dumps(claims).encode()
    if "id-garbage" in faults:
        return "..letters"
    if "id-unsigned" in faults:
        return _forge({"alg": "none"}, body, None)
    if "id-symmetric" in faults:
        return _forge({**header, "alg": "HS256"}, body, key.as_pem(private=False))
    if "id-client-secret" in faults:
        return _forge({**header, "alg": "HS256"}, body, client_secret.encode())
    other = ECKey.generate_key("P-256")
    if "id-key-other" in faults:
        return jws.serialize_compact(header, body, other)
    if "id-key-unknown" in faults:
        return jws.serialize_compact({**header, "kid": "never-published"}, body, other)
    if "id-key-inside" in faults:
        inside = {"alg": "ES256", "jwk": other.as_dict(private=False)}
        return jws.serialize_compact(inside, body, other)
    token = jws.serialize_compact(header, body, key)
    if "id-changed" in faults:
        head, _, signature = token.split(".")
        return f"{head}.{_letters(json.dumps({**claims, 'sub': 'another'}).encode())}.{signature}"
    return token


def _forge(header: Claims, body: bytes, secret: bytes | None) -> str:
    """A token as an attacker writes it, which no library does any more."""
    text = f"{_letters(json.dumps(header).encode())}.{_letters(body)}"
    mac = b"" if secret is None else hmac.digest(secret, text.encode(), "sha256")
    return f"{text}.{_letters(mac)}"


def _letters(data: bytes) -> str:
    return urlsafe_b64encode(data).decode()


async def answer_badly(
    place: str, faults: set[str], over: asyncio.Event, good: Callable[[], Awaitable[Response]]
) -> Response:
    """Return the answer of a place, or what is told to come in its stead. `over` ends a wait."""
    hows = {how for how in HOWS if f"{place}-{how}" in faults}
    match hows and hows.pop():
        case "huge":
            return Response(b'{"a":"' + b"a" * 4_000_000 + b'"}', media_type="application/json")
        case "endless":
            return StreamingResponse(_drip(over), media_type="application/json")
        case "silent":
            await over.wait()
            return Response(status_code=504)
        case "moved":
            return RedirectResponse("/moved", 307)
        case "garbage":
            return Response('{"access_token": gar', media_type="application/json")
        case "list":
            return JSONResponse(["access_token"])
        case "html":
            return Response("<h1>Hello</h1>", media_type="text/html")
        case "down":
            return Response("come back later", 503)
        case "broken":
            return Response("<h1>secret-of-a-trace</h1>", 500, media_type="text/html")
        case "cut":
            return Response('{"a":', headers={"content-length": "400"})
        case _:
            return await good()


async def _drip(over: asyncio.Event) -> AsyncIterator[bytes]:
    yield b'{"a":"'
    while not over.is_set():
        yield b"a"
        try:
            await asyncio.wait_for(over.wait(), 0.02)
        except TimeoutError:
            continue
