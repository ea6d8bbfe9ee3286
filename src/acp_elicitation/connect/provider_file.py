"""The providers file: what can be connected, read strictly, with its secrets elsewhere.

Owns: what the file may say. Knows nothing of: how a provider is spoken to. Above it: the command
line, agents that share the file with the service. Below it: `providers`, the parsers of
`presenters.answer_formats`.

A file is a list (in TOML the array of tables `providers`):

    - {name: github, kind: oauth, title: GitHub, client_id: "...", client_secret: GITHUB_SECRET,
       issuer: "https://...", scopes: [repo]}
    - {name: wiki, kind: secret, label: API key, hint: In your settings}
    - {name: shop, kind: callback, page: "https://...", reporter: shop, key: SHOP_KEY}

`client_secret` and `key` are the names of environment variables: no secret stands in the file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from acp_elicitation.connect.providers import (
    Callback,
    OAuthProvider,
    Provider,
    Providers,
    SecretEntry,
    by_name,
)
from acp_elicitation.connect.secret import Secret
from acp_elicitation.presenters.answer_formats import NotReadable, parse_file

__all__ = ["BadProviders", "read_providers"]


class BadProviders(Exception):
    """A providers file that says something this package does not understand, and where."""


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    title: str = ""


class _OAuth(_Written, frozen=True, kw_only=True, tag_field="kind", tag="oauth"):
    client_id: str
    client_secret: str | None = None
    issuer: str | None = None
    authorization_endpoint: str | None = None
    token_endpoint: str | None = None
    revocation_endpoint: str | None = None
    userinfo_endpoint: str | None = None
    scopes: tuple[str, ...] = ()
    parameters: dict[str, str] = {}


class _Secret(_Written, frozen=True, kw_only=True, tag_field="kind", tag="secret"):
    label: str = ""
    hint: str = ""


class _Callback(_Written, frozen=True, kw_only=True, tag_field="kind", tag="callback"):
    page: str
    reporter: str
    key: str
    algorithm: Literal["HS256", "RS256", "ES256", "EdDSA"] = "HS256"


_Any: TypeAlias = _OAuth | _Secret | _Callback
_KINDS = ("oauth", "secret", "callback")


def read_providers(path: Path, environment: Mapping[str, str]) -> Providers:
    """Return the providers that a file has, by name, with secrets out of `environment`.

    Raises:
        BadProviders: it cannot be read, says something else, or names a variable that is not set.
    """
    try:
        found = parse_file(path)
    except NotReadable as error:
        raise BadProviders(f"{path}: {error}") from None
    listed = found.get("providers") if isinstance(found, dict) else found
    if not isinstance(listed, list) or not listed:
        raise BadProviders(f"{path}: it has to be a list of providers, one at least")
    providers = [_read(path, place, entry, environment) for place, entry in enumerate(listed, 1)]
    try:
        return by_name(providers)
    except ValueError as error:
        raise BadProviders(f"{path}: {error}") from None


def _read(path: Path, place: int, entry: object, environment: Mapping[str, str]) -> Provider:
    try:
        if isinstance(entry, dict) and entry.get("kind") not in _KINDS:
            raise ValueError(f"kind has to be one of {', '.join(_KINDS)}")
        written: _Any = msgspec.convert(entry, _Any)
        return _provider(written, environment)
    except (msgspec.ValidationError, ValueError) as error:
        name = entry.get("name") if isinstance(entry, dict) else None
        shown = f"provider {place}" if not isinstance(name, str) else f"provider {place} ({name!r})"
        raise BadProviders(f"{path}: {shown}: {error}") from None


def _provider(written: _Any, environment: Mapping[str, str]) -> Provider:
    match written:
        case _OAuth(client_secret=variable):
            members = msgspec.structs.asdict(written)
            secret = None if variable is None else _of(environment, "client_secret", variable)
            return OAuthProvider(**{**members, "client_secret": secret})
        case _Secret():
            return SecretEntry(**msgspec.structs.asdict(written))
        case _Callback(key=variable):
            members = msgspec.structs.asdict(written)
            return Callback(**{**members, "key": _of(environment, "key", variable)})


def _of(environment: Mapping[str, str], member: str, variable: str) -> Secret:
    text = environment.get(variable)
    if not text:
        # What stands there may be the secret itself, so it is not quoted.
        raise ValueError(
            f"{member} has to be the name of an environment variable that holds it, and there is "
            "no variable of that name"
        )
    return Secret(text)
