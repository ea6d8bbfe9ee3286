"""The branch of the error tree that belongs to connect: its shape, and what it says."""

import re

from acp_elicitation.connect import errors
from acp_elicitation.connect.errors import CredentialLeak, NoGrant
from acp_elicitation.protocol.errors import ConnectError


def test_the_branch_is_as_it_is_drawn_at_the_top_of_the_module() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert sorted(drawn) == errors.__all__
    assert {getattr(errors, name).__base__ for name in drawn} == {ConnectError}


def test_a_message_says_what_is_wrong_and_what_to_do() -> None:
    assert "name the account instead" in str(CredentialLeak())
    missing = NoGrant("github")
    assert missing.provider == "github"
    assert str(missing) == (
        "nothing was granted for provider 'github'; ask the user with a link first"
    )
