"""Where a provider's endpoints are: as they were given, or as the issuer says (RFC 8414, OpenID).

Owns: `Metadata`, its discovery, and what has to be true of it. Knows nothing of: flows, tokens.
Above it: `client`. Below it: `fetching`.
"""

from typing import Any

import msgspec

from acp_elicitation.connect.errors import ProviderFault
from acp_elicitation.connect.oauth.fetching import Fetching
from acp_elicitation.connect.providers import OAuthProvider

__all__ = ["Metadata", "discover"]


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """A provider as it can be used. `says_issuer`: it promises `iss` in each answer (RFC 9207)."""

    issuer: str | None
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str | None = None
    revocation_endpoint: str | None = None
    userinfo_endpoint: str | None = None
    says_issuer: bool = False
    algorithms: tuple[str, ...] = ("RS256",)
    token_auth: tuple[str, ...] = ("client_secret_basic",)


async def discover(provider: OAuthProvider, fetching: Fetching) -> Metadata:
    """Return where the endpoints are. Those that were given for the provider are not looked up.

    Raises:
        ProviderDown: it cannot be reached.
        ProviderFault: what it says of itself is wrong; the message says what.
    """
    given = {name: getattr(provider, name) for name in ("issuer", *_GIVEN)}
    for name, url in given.items():
        if url is not None:
            fetching.check_endpoint(name, url)
    issuer = provider.issuer
    if issuer is None:
        return _as_given(provider)
    base = issuer.rstrip("/")
    # OpenID's place first: for an issuer with a path, RFC 8414 has another.
    found = await fetching.get(f"{base}/.well-known/openid-configuration")
    if found.status != 200 or found.body is None:
        found = await fetching.get(_rfc8414(base))
    if found.status != 200 or found.body is None:
        raise ProviderFault(provider.name, "its issuer has no metadata; give its endpoints")
    said = found.body
    if said.get("issuer") != issuer:
        raise ProviderFault(
            provider.name, "its metadata is another issuer's; write the issuer as it does"
        )
    if not _contains(said.get("code_challenge_methods_supported", ["S256"]), "S256"):
        raise ProviderFault(provider.name, "it does not support PKCE with S256")
    urls = {name: _endpoint(given.get(name), fetching, said, name) for name in _ENDPOINTS}
    if urls["authorization_endpoint"] is None or urls["token_endpoint"] is None:
        raise ProviderFault(provider.name, "its metadata lacks an endpoint; give it")
    return Metadata(
        issuer=issuer,
        authorization_endpoint=urls["authorization_endpoint"],
        token_endpoint=urls["token_endpoint"],
        jwks_uri=urls["jwks_uri"],
        revocation_endpoint=urls["revocation_endpoint"],
        userinfo_endpoint=urls["userinfo_endpoint"],
        says_issuer=said.get("authorization_response_iss_parameter_supported") is True,
        algorithms=_signing(said.get("id_token_signing_alg_values_supported")),
        token_auth=_texts(said.get("token_endpoint_auth_methods_supported"))
        or ("client_secret_basic",),
    )


_GIVEN = (
    "authorization_endpoint",
    "token_endpoint",
    "revocation_endpoint",
    "userinfo_endpoint",
)
_ENDPOINTS = (*_GIVEN, "jwks_uri")

_SIGNING = frozenset(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384",
                      "ES512", "EdDSA", "Ed25519"))  # fmt: skip
"""Signatures that only the provider can make: never `none`, never one with a shared secret."""


def _as_given(provider: OAuthProvider) -> Metadata:
    assert provider.authorization_endpoint is not None  # or it would have an issuer
    assert provider.token_endpoint is not None
    return Metadata(
        issuer=None,
        authorization_endpoint=provider.authorization_endpoint,
        token_endpoint=provider.token_endpoint,
        revocation_endpoint=provider.revocation_endpoint,
        userinfo_endpoint=provider.userinfo_endpoint,
        token_auth=("client_secret_post",),
    )


def _endpoint(given: str | None, fetching: Fetching, said: dict[str, Any], name: str) -> str | None:
    if given is not None or said.get(name) is None:
        return given
    return fetching.check_endpoint(name, said[name])


def _rfc8414(base: str) -> str:
    scheme, _, rest = base.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host}/.well-known/oauth-authorization-server{slash}{path}"


def _signing(said: object) -> tuple[str, ...]:
    return tuple(name for name in _texts(said) if name in _SIGNING) or ("RS256",)


def _texts(said: object) -> tuple[str, ...]:
    return tuple(one for one in said if isinstance(one, str)) if isinstance(said, list) else ()


def _contains(said: object, value: str) -> bool:
    return isinstance(said, list) and value in said
