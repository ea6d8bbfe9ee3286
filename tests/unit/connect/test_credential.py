"""A credential is read as it was written, and what may be said of it holds no secret."""

import pytest

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.credential import Credential, read_credential, write_credential
from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.secret import Secret

WHOLE = Credential(
    secret=Secret("gho_0123456789abcdef"),
    refresh=Secret("ghr_fedcba9876543210"),
    expires_at=1_700_000_000_000,
    account="ada",
    scopes=("repo",),
    asked=("repo", "gist"),
    held_until=1_700_000_060_000,
)
BARE = Credential(secret=Secret("x"))


@pytest.mark.parametrize("credential", [WHOLE, BARE], ids=["whole", "bare"])
def test_a_credential_is_read_as_it_was_written(credential: Credential) -> None:
    assert read_credential(write_credential(credential)) == credential


@pytest.mark.parametrize("plain", [b"", b"\xc1", b"\x80"])
def test_what_is_no_credential_is_refused(plain: bytes) -> None:
    with pytest.raises(VaultError, match="another version"):
        read_credential(plain)


@pytest.mark.requirement("URL-2")
def test_what_may_be_said_of_it_is_the_account_and_the_scopes() -> None:
    assert WHOLE.grant("hub") == Grant(provider="hub", account="ada", scopes=("repo",))
    assert "gho_" not in repr(WHOLE)
    assert "ghr_" not in repr(WHOLE)


def test_it_runs_out_at_its_end_and_never_where_it_has_none() -> None:
    assert not WHOLE.runs_out_by(1_699_999_999_999)
    assert WHOLE.runs_out_by(1_700_000_000_000)
    assert not BARE.runs_out_by(9_999_999_999_999)
