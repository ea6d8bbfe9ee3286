"""Reading what a provider answers: tokens, whose they are, and why it gives none.

Owns: those readings; nothing that a provider writes can do more than be refused.
Knows nothing of: requests, id tokens. Above it: `client`. Below it: `credential`, `errors`.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeGuard

from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.errors import (
    ProviderDenied,
    ProviderDown,
    ProviderError,
    ProviderFault,
)
from acp_elicitation.connect.secret import Secret

__all__ = ["account_of", "read_tokens", "refusal"]

_DENIED = frozenset(("access_denied", "consent_required", "login_required", "interaction_required"))
_DOWN = frozenset(("temporarily_unavailable", "server_error"))
_KNOWN = frozenset(
    ("invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope",
     "invalid_client", "invalid_grant", "unsupported_grant_type", "invalid_target",
     "unsupported_token_type")
)  # fmt: skip

_TOKEN = re.compile(r"[!-~]{1,65536}")
"""A token stands in a header, so it is visible ASCII (RFC 6750)."""

_LONGEST_LIFE = 10 * 365 * 86_400
_LONGEST_ACCOUNT = 200
_MOST_SCOPES = 200
_SCOPE = re.compile(r"[!-~]{1,500}")
"""Visible ASCII (RFC 6749, 3.3): it is shown to users, and told to the agent's model."""


def read_tokens(
    tokens: Mapping[str, Any], *, provider: str, asked: tuple[str, ...], now: int
) -> Credential:
    """Return the credential of an answer with tokens; `now` is in milliseconds since 1970.

    Raises:
        ProviderFault: there is no access token in it, or none that anybody can use.
    """
    access, refresh = tokens.get("access_token"), tokens.get("refresh_token")
    if not _is_token(access):
        raise ProviderFault(provider, "its answer brings no access token")
    kind = tokens.get("token_type", "bearer")
    if not isinstance(kind, str) or kind.casefold() != "bearer":
        raise ProviderFault(provider, "its token is of a type that nobody can use")
    seconds, scope = _seconds(tokens.get("expires_in")), tokens.get("scope")
    return Credential(
        secret=Secret(access),
        refresh=Secret(refresh) if _is_token(refresh) else None,
        expires_at=None if seconds is None else now + seconds * 1000,
        # What was not said to be other is what was asked for (RFC 6749, 5.1).
        scopes=_scopes(scope) if isinstance(scope, str) else asked,
        asked=asked,
    )


def refusal(provider: str, error: object) -> ProviderError:
    """Return what to raise for the `error` that a provider gives, which is quoted if it is known.

    Its `error_description` is for nobody: it may hold whatever was sent.
    """
    if not isinstance(error, str):
        error = ""
    if error in _DENIED:
        return ProviderDenied(provider, "it was refused")
    if error in _DOWN:
        return ProviderDown(provider, "it says that it cannot answer now")
    said = f" ({error})" if error in _KNOWN else ""
    return ProviderFault(provider, f"it refused{said}: look at the client and its redirect URI")


def account_of(claims: Mapping[str, Any]) -> str:
    """Return whose account it is, as its user reads it; "" where nothing says so in plain text."""
    for name in ("preferred_username", "login", "email", "name"):
        found = claims.get(name)
        if isinstance(found, str) and found.strip() and found.isprintable():
            return found[:_LONGEST_ACCOUNT]
    return ""


def _is_token(found: object) -> TypeGuard[str]:
    return isinstance(found, str) and _TOKEN.fullmatch(found) is not None


def _seconds(found: object) -> int | None:
    """Return for how long a token is good: None where nobody can know."""
    if isinstance(found, str) and re.fullmatch(r"[0-9]{1,12}", found):
        found = int(found)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return int(min(max(found, 0), _LONGEST_LIFE))


def _scopes(text: str) -> tuple[str, ...]:
    found = dict.fromkeys(filter(_SCOPE.fullmatch, text.replace(",", " ").split()))
    return tuple(found)[:_MOST_SCOPES]
