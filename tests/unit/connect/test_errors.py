"""The branch of the error tree that belongs to connect: its shape, and what it says."""

import re

import pytest

from acp_elicitation.connect import errors
from acp_elicitation.connect.errors import (
    ConnectFailed,
    CredentialLeak,
    NoGrant,
    ProviderDenied,
    ProviderDown,
    ProviderError,
    ProviderFault,
    WrongIssuer,
)
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.protocol.errors import ConnectError


def test_the_branch_is_as_it_is_drawn_at_the_top_of_the_module() -> None:
    drawn = re.findall(r"(│?)   ? ?[├└]── (\w+)", errors.__doc__ or "")
    assert sorted(name for _, name in drawn) == errors.__all__
    for nested, name in drawn:
        assert getattr(errors, name).__base__ is (ProviderError if nested else ConnectError)


def test_a_message_says_what_is_wrong_and_what_to_do() -> None:
    assert "name the account instead" in str(CredentialLeak())
    missing = NoGrant("github")
    assert missing.provider == "github"
    assert str(missing) == (
        "nothing was granted for provider 'github'; ask the user with a link first"
    )


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_said_in_words(reason: Reason) -> None:
    failed = ConnectFailed("github", reason)
    assert failed.reason is reason
    assert str(failed).startswith("provider 'github' was not connected: ")
    assert len(str(failed)) > 55


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (ProviderDown, Reason.PROVIDER_DOWN),
        (ProviderFault, Reason.PROVIDER_ERROR),
        (ProviderDenied, Reason.DENIED),
        (WrongIssuer, Reason.WRONG_ISSUER),
    ],
)
def test_what_comes_of_a_provider_has_its_reason(kind: type[ProviderError], reason: Reason) -> None:
    error = kind("github", "it is closed")
    assert (error.reason, str(error)) == (reason, "provider 'github': it is closed")
