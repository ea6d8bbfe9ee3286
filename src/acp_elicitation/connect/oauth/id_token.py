"""Judging an id token: by its signature, by whom, for whom, when, and for which beginning.

Owns: those checks. Knows nothing of: where it came from, and how keys are fetched.
Above it: `client`. Below it: `joserfc`.
"""

import base64
import hashlib
import hmac
import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, TypeGuard

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import JWKRegistry, Key, KeySet
from joserfc.jws import JWSRegistry

from acp_elicitation.connect.errors import ProviderFault

__all__ = ["UnknownKey", "read_id_token"]

_LEEWAY = 60
"""Seconds by which the clocks of both sides may differ."""

_MOST_KEYS = 100
"""What is larger is no provider's: reading each costs time that others wait."""

_UNREADABLE = (JoseError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What comes of letters and keys that are none."""

_HASHES = {"256": hashlib.sha256, "384": hashlib.sha384, "512": hashlib.sha512}


class UnknownKey(Exception):
    """It is signed with a key that is not in the set: the provider may have a new one."""


class _Header(JWSRegistry):
    """What may stand in the header: one of the algorithms, and whatever nobody has to know."""

    max_header_length = 16_000  # some providers put their certificates into it

    def __init__(self, algorithms: Collection[str]) -> None:
        assert algorithms  # none would mean any
        super().__init__(algorithms=algorithms, strict_check_header=False)


def read_id_token(
    text: str,
    *,
    keys: Mapping[str, Any],
    algorithms: Collection[str],
    provider: str,
    issuer: str,
    client_id: str,
    nonce: str,
    access_token: str,
    now: int,
) -> Mapping[str, Any]:
    """Return the claims of an id token, checked. `now` is in seconds, `keys` a JSON Web Key Set.

    Raises:
        UnknownKey: see there.
        ProviderFault: it is not to be believed; the message says why, and quotes nothing.
    """
    try:
        token = jwt.decode(text, KeySet(_of_use(keys)), registry=_Header(algorithms))
    except InvalidKeyIdError:
        raise UnknownKey from None
    except _UNREADABLE:
        raise ProviderFault(provider, "the signature of its id token does not hold") from None
    claims = token.claims
    _check(provider, claims, issuer=issuer, client_id=client_id, nonce=nonce, now=now)
    at_hash = claims.get("at_hash")
    if at_hash is not None and not _is_hash(at_hash, access_token, token.header["alg"]):
        raise ProviderFault(provider, "its id token belongs to another access token")
    return claims


def _check(
    provider: str, claims: Mapping[str, Any], *, issuer: str, client_id: str, nonce: str, now: int
) -> None:
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    faults = {
        "it is another issuer's": claims.get("iss") != issuer,
        "it is for another client": client_id not in audiences,
        "it is for several clients and was given to another": (
            (len(audiences) > 1 or "azp" in claims) and claims.get("azp") != client_id
        ),
        "it has expired, or never does": not _is_after(claims.get("exp"), now - _LEEWAY),
        "it is of the future": not _is_after(now + _LEEWAY, claims.get("iat")),
        "it is not valid yet": "nbf" in claims and not _is_after(now + _LEEWAY, claims["nbf"]),
        "it belongs to another beginning": not _is_same(claims.get("nonce"), nonce),
        "it does not say who the user is": not _is_text(claims.get("sub")),
    }
    for fault, found in faults.items():
        if found:
            raise ProviderFault(provider, f"its id token is not to be believed: {fault}")


def _of_use(keys: Mapping[str, Any]) -> list[Key]:
    """Return the keys that a signature can be checked with; what nobody knows is left out.

    A key for a shared secret is never one of them.
    """
    found, usable = keys.get("keys"), []
    for key in found[:_MOST_KEYS] if isinstance(found, list) else []:
        if not isinstance(key, dict) or key.get("kty") not in ("RSA", "EC", "OKP"):
            continue
        if key.get("use", "sig") == "sig":
            with suppress(*_UNREADABLE):
                usable.append(JWKRegistry.import_key(key))
    return usable


def _is_after(late: object, early: object) -> bool:
    return _is_moment(late) and _is_moment(early) and late >= early


def _is_moment(found: object) -> TypeGuard[float]:
    if isinstance(found, float):
        return math.isfinite(found)
    return isinstance(found, int) and not isinstance(found, bool)


def _is_same(found: object, expected: str) -> bool:
    return isinstance(found, str) and hmac.compare_digest(_bytes(found), _bytes(expected))


def _is_text(found: object) -> bool:
    return isinstance(found, str) and 0 < len(found) <= 255 and found.isprintable()


def _is_hash(found: object, access_token: str, algorithm: str) -> bool:
    hash_of = _HASHES.get(algorithm[-3:], hashlib.sha512)
    digest = hash_of(access_token.encode()).digest()
    half = base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=")
    return isinstance(found, str) and hmac.compare_digest(_bytes(found), half)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # JSON can hold what UTF-8 cannot
