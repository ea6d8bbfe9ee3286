"""Reading answers with tokens: whatever a provider writes is taken or refused, never more."""

from typing import Any

import pytest

from acp_elicitation.connect.errors import ProviderDenied, ProviderDown, ProviderFault
from acp_elicitation.connect.oauth.tokens import account_of, read_tokens, refusal
from acp_elicitation.connect.secret import Secret

NOW = 1_000_000
TOKENS = {"access_token": "abc", "token_type": "Bearer"}


def read(**changes: Any) -> Any:
    return read_tokens({**TOKENS, **changes}, provider="hub", asked=("read", "write"), now=NOW)


def test_an_answer_becomes_a_credential() -> None:
    found = read(refresh_token="def", expires_in=60, scope="read")
    assert (found.secret, found.refresh) == (Secret("abc"), Secret("def"))
    assert (found.expires_at, found.scopes) == (NOW + 60_000, ("read",))


def test_what_is_not_said_is_as_it_was_asked_for() -> None:
    found = read()
    assert (found.refresh, found.expires_at, found.scopes) == (None, None, ("read", "write"))


@pytest.mark.parametrize("scope", ["read,write", "write  read write", ""])
def test_scopes_are_those_that_were_granted(scope: str) -> None:
    assert sorted(read(scope=scope).scopes) == sorted({*scope.replace(",", " ").split()})


def test_a_provider_cannot_grant_more_scopes_than_can_be_kept() -> None:
    assert len(read(scope=" ".join(map(str, range(10_000)))).scopes) == 200


@pytest.mark.parametrize("scope", ["\x1b[2Jread", "re\u202ead", "\ud800", "a\0", "x" * 501])
def test_a_scope_that_can_be_none_is_left_out(scope: str) -> None:
    assert read(scope=f"read {scope} write").scopes == ("read", "write")


@pytest.mark.parametrize("token", [None, "", 7, ["abc"], "a b", "a\r\nHost: b", "ü", "\ud800"])
def test_an_access_token_that_cannot_stand_in_a_header_is_refused(token: object) -> None:
    with pytest.raises(ProviderFault, match="no access token"):
        read(access_token=token)


@pytest.mark.parametrize("token", [None, "", 7, "a\r\nb", "\ud800"])
def test_a_refresh_token_that_is_none_is_left(token: object) -> None:
    assert read(refresh_token=token).refresh is None


@pytest.mark.parametrize("kind", ["mac", "DPoP", 7, None, ["bearer"]])
def test_a_token_of_another_type_is_refused(kind: object) -> None:
    with pytest.raises(ProviderFault, match="type"):
        read(token_type=kind)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (3600, 3600),
        ("3600", 3600),
        (59.9, 59),
        (0, 0),
        (-5, 0),
        (10**400, 315_360_000),
        (float("inf"), 315_360_000),
        ("9" * 5_000, None),
        ("soon", None),
        (True, None),
        ([], None),
        ({}, None),
    ],
)
def test_a_life_is_a_number_of_seconds_or_unknown(said: object, seconds: int | None) -> None:
    expected = None if seconds is None else NOW + seconds * 1000
    assert read(expires_in=said).expires_at == expected


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("access_denied", ProviderDenied),
        ("temporarily_unavailable", ProviderDown),
        ("invalid_client", ProviderFault),
        ("<b>secret</b>", ProviderFault),
        (None, ProviderFault),
        (["access_denied"], ProviderFault),
        ({}, ProviderFault),
    ],
)
def test_an_error_becomes_the_exception_for_it(error: object, kind: type[Exception]) -> None:
    assert type(refusal("hub", error)) is kind


def test_an_error_is_quoted_only_where_it_is_one_of_the_standards() -> None:
    assert "(invalid_client)" in str(refusal("hub", "invalid_client"))
    assert "secret" not in str(refusal("hub", "secret"))


@pytest.mark.parametrize(
    ("claims", "account"),
    [
        ({"preferred_username": "ada", "email": "ada@example.org"}, "ada"),
        ({"login": "ada"}, "ada"),
        ({"preferred_username": " ", "email": "ada@example.org"}, "ada@example.org"),
        ({"preferred_username": "a\u202eda", "name": "Ada"}, "Ada"),
        ({"preferred_username": "\ud800"}, ""),
        ({"preferred_username": 7, "email": None, "name": ["Ada"]}, ""),
        ({"name": "a" * 1_000}, "a" * 200),
        ({}, ""),
    ],
)
def test_an_account_is_named_by_plain_text_alone(claims: dict[str, Any], account: str) -> None:
    assert account_of(claims) == account
