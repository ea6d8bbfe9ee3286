"""The other end of a socket, as the server and the kernel tell it."""

from pathlib import Path

import pytest
from starlette.requests import Request

from acp_elicitation.connect.identities.peers import is_forwarded, peer_of, sees_uids, uid_of

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"


def request(
    client: tuple[str, int] | None = ("127.0.0.1", 40_000),
    *headers: tuple[str, str],
    server: tuple[str, int | None] | None = ("127.0.0.1", 8000),
) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers]
    return Request({"type": "http", "client": client, "server": server, "headers": raw})


def row(theirs: str, ours: str, uid: int, state: str = "01") -> str:
    return f"   0: {theirs} {ours} {state} 00000000:00000000 00:00000000 00000000 {uid:5d} 0 1 1\n"


def listed(folder: Path, *, tcp: str = "", tcp6: str = "") -> Path:
    (folder / "tcp").write_text(HEAD + tcp)
    (folder / "tcp6").write_text(HEAD + tcp6)
    return folder


@pytest.mark.parametrize(
    ("client", "said"),
    [
        (None, ""),
        (("a-socket-file", 1), ""),
        (("192.0.2.7", 0), "192.0.2.7"),  # uvicorn, for an entry without a port
        (("10.0.0.1", 4711), "10.0.0.1:4711"),
        (("10.0.0.1", 4711), "198.51.100.1, 10.0.0.1:4711"),
        (("2001:db8::7", 4711), "[2001:db8::7]:4711"),
    ],
)
def test_a_peer_that_only_a_header_names_is_none(client: tuple[str, int] | None, said: str) -> None:
    assert peer_of(request(client, ("x-forwarded-for", said))) is None


def test_a_peer_is_told_whatever_it_says_of_others() -> None:
    found = peer_of(request(("::ffff:10.0.0.1", 4711), ("x-forwarded-for", "192.0.2.7:4711")))
    assert found is not None
    assert (str(found.address), found.port) == ("10.0.0.1", 4711)


def test_what_says_that_it_was_passed_on_is_known() -> None:
    assert not is_forwarded(request())
    assert is_forwarded(request(None, ("x-forwarded-proto", "https")))
    assert is_forwarded(request(None, ("Via".lower(), "1.1 proxy")))


OWN, OTHER = "0100007F:9C40", "0100007F:1F40"
MAPPED = "0000000000000000FFFF0000"


def test_the_user_of_a_socket_is_found_in_either_list(tmp_path: Path) -> None:
    assert not sees_uids(tmp_path)
    assert uid_of(request(), tmp_path) is None
    narrow = listed(tmp_path, tcp=row(OTHER, OWN, 0) + row(OWN, OTHER, 1000))
    assert sees_uids(narrow)
    assert uid_of(request(), narrow) == 1000
    wide = listed(tmp_path, tcp6=row(MAPPED + OWN, MAPPED + OTHER, 1001))
    assert uid_of(request(("::ffff:127.0.0.1", 40_000)), wide) == 1001


def test_an_address_of_version_six_is_found_as_the_kernel_writes_it(tmp_path: Path) -> None:
    theirs, ours = "B80D0120000000000000000007000000:9C40", f"{'0' * 24}01000000:1F40"
    folder = listed(tmp_path, tcp6=row(theirs, ours, 1000))
    asked = request(("2001:db8::7", 40_000), server=("::1", 8000))
    assert uid_of(asked, folder) == 1000


@pytest.mark.parametrize("state", ["06", "04", "05", "0A"])
def test_a_socket_that_was_closed_or_listens_has_no_user(tmp_path: Path, state: str) -> None:
    """The kernel shows those of the dead as root's."""
    assert uid_of(request(), listed(tmp_path, tcp=row(OWN, OTHER, 0, state))) is None


@pytest.mark.parametrize("server", [None, ("a-socket-file", None), ("127.0.0.1", 8001)])
def test_a_socket_to_somewhere_else_says_nothing(
    tmp_path: Path, server: tuple[str, int | None] | None
) -> None:
    folder = listed(tmp_path, tcp=row(OWN, OTHER, 1000))
    assert uid_of(request(server=server), folder) is None
