"""What a link's page has to know comes back as it was written, and nothing else is taken for it."""

import pytest

from acp_elicitation.connect.details import LinkDetails, read_details, write_details
from acp_elicitation.connect.errors import VaultError

DETAILS = LinkDetails(
    provider="github", agent="coder", purpose="To open pull requests", scopes=("repo", "gist")
)


@pytest.mark.parametrize("details", [DETAILS, LinkDetails(provider="github")])
def test_details_come_back_as_they_were_written(details: LinkDetails) -> None:
    assert read_details(write_details(details)) == details


@pytest.mark.parametrize("written", [b"", b"{}", b"[1]", b'{"provider":7}', b"\xff"])
def test_what_was_not_written_so_is_refused(written: bytes) -> None:
    with pytest.raises(VaultError, match="another version"):
        read_details(written)
