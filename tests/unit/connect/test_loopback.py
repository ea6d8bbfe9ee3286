"""Whether a host is this machine: by its address or one of the names that are never another's."""

import pytest

from acp_elicitation.connect.loopback import is_loopback


@pytest.mark.parametrize(
    "host", ["localhost", "agent.localhost", "127.0.0.1", "127.255.255.254", "::1", "[::1]"]
)
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["", "localhost.example", "notlocalhost", "127.0.0.1.evil.example", "0.0.0.0", "::",
     "10.0.0.1", "128.0.0.1", "[fe80::1]", "2130706433", "0x7f000001", "127.1"],
)  # fmt: skip
def test_others_and_what_some_parsers_take_for_this_machine(host: str) -> None:
    assert not is_loopback(host)
