"""What a user can be asked to connect: an account at a provider, a key that is typed, a page.

Owns: the three kinds as data, and what a name may be. Knows nothing of: how any of it is done.
Above it: `oauth`, `service`, `asking`, the command line. Below it: `secret`,
`oauth.addresses`.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from acp_elicitation.connect.loopback import is_loopback
from acp_elicitation.connect.oauth.addresses import endpoint_fault, host_of
from acp_elicitation.connect.secret import Secret

__all__ = ["Callback", "OAuthProvider", "Provider", "Providers", "SecretEntry", "by_name"]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")


_ADDRESSES = (
    "issuer",
    "authorization_endpoint",
    "token_endpoint",
    "revocation_endpoint",
    "userinfo_endpoint",
)


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    """`name` stands in paths and names the grant; `title` is what the user reads."""

    name: str
    title: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"provider name {self.name!r}: lower-case letters, digits and hyphens, at most 63"
            )

    @property
    def shown(self) -> str:
        """What the user reads."""
        return self.title or self.name


class OAuthProvider(_Named, frozen=True, kw_only=True):
    """An OAuth 2 or OpenID Connect provider, and what it calls this service.

    With `issuer`, its endpoints are looked up there (RFC 8414, OpenID discovery), and `iss` of its
    answers has to be the same (RFC 9207). Endpoints that are given here are not looked up.
    `parameters` go with the authorization request, such as `{"prompt": "consent"}`.
    """

    client_id: str
    client_secret: Secret | None = None
    issuer: str | None = None
    authorization_endpoint: str | None = None
    token_endpoint: str | None = None
    revocation_endpoint: str | None = None
    userinfo_endpoint: str | None = None
    scopes: tuple[str, ...] = ()
    parameters: Mapping[str, str] = MappingProxyType({})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.issuer is None and None in (self.authorization_endpoint, self.token_endpoint):
            raise ValueError(
                f"provider {self.name!r}: give its issuer, or both its authorization_endpoint and "
                "its token_endpoint"
            )
        for member in _ADDRESSES:
            _check_address(self, member, local=self.is_local)

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine, as in development, where it needs no https."""
        return is_loopback(host_of(self.issuer or self.token_endpoint))


class SecretEntry(_Named, frozen=True, kw_only=True):
    """An API key or the like that the user types on the connect page, straight into the vault.

    `label` is asked for; `hint` says where to find it. `check` returns the name of the account that
    the secret belongs to (or ""), and raises ValueError for one that does not work; its text is not
    shown.
    """

    label: str = ""
    hint: str = ""
    check: Callable[[Secret], Awaitable[str]] | None = None


class Callback(_Named, frozen=True, kw_only=True):
    """A page elsewhere, such as a payment, whose server reports back with a signed token.

    `page` is its address; `reference` is added to it, and comes back in the report. The report is a
    JWT signed with `key` by `algorithm`: HS256 with a secret of both, or ES256, EdDSA, RS256 with
    the other side's public key (PEM). `reporter` is its `iss`.
    """

    page: str
    reporter: str
    key: Secret
    algorithm: str = "HS256"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_address(self, "page", local=is_loopback(host_of(self.page)))


def _check_address(provider: _Named, member: str, *, local: bool) -> None:
    url = getattr(provider, member)
    if url is not None and (fault := endpoint_fault(url, local=local)):
        raise ValueError(f"provider {provider.name!r}: its {member} {fault}: {url}")


Provider: TypeAlias = OAuthProvider | SecretEntry | Callback
Providers: TypeAlias = Mapping[str, Provider]


def by_name(providers: Iterable[Provider]) -> Providers:
    """Return the providers by name.

    Raises:
        ValueError: two have the same name: the redirect path of one would be that of the other.
    """
    found: dict[str, Provider] = {}
    for provider in providers:
        if provider.name in found:
            raise ValueError(f"two providers have the name {provider.name!r}")
        found[provider.name] = provider
    return MappingProxyType(found)
