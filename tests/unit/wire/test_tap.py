"""What a tap on a connection sees."""

from acp_elicitation.wire.events import Limits, NotificationReceived
from acp_elicitation.wire.framing import EDGE_BYTES
from acp_elicitation.wire.jsonrpc import Peer
from acp_elicitation.wire.tap import Tap

NOTE = b'{"jsonrpc":"2.0","method":"n"}'


class Seen:
    def __init__(self) -> None:
        self.lines: list[tuple[str, bytes]] = []

    def __call__(self, direction: str, line: bytes) -> None:
        self.lines.append((direction, line))


def test_a_tap_sees_whole_lines_and_changes_nothing() -> None:
    seen = Seen()
    tap = Tap(Peer(), seen, Limits())
    sent: list[bytes] = []
    assert tap.receive(NOTE[:7]) == []
    assert seen.lines == []
    assert tap.receive(NOTE[7:] + b"\n" + b"noise\n")[0] == NotificationReceived(
        method="n", params=None
    )
    tap.write(NOTE + b"\n", sent.append)
    assert sent == [NOTE + b"\n"]
    assert seen.lines == [("in", NOTE), ("in", b"noise"), ("out", NOTE)]


def test_a_tap_sees_the_last_line_without_a_newline() -> None:
    seen = Seen()
    tap = Tap(Peer(), seen, Limits())
    tap.receive(NOTE)
    assert tap.end_of_input() == [NotificationReceived(method="n", params=None)]
    assert tap.end_of_input() == []
    assert seen.lines == [("in", NOTE)]


def test_of_an_oversized_line_a_tap_sees_the_beginning() -> None:
    seen = Seen()
    tap = Tap(Peer(limits=Limits(message_bytes=100)), seen, Limits(message_bytes=100))
    tap.receive(b"x" * 5000 + b"\n")
    assert seen.lines == [("in", b"x" * EDGE_BYTES)]


def test_a_tap_that_fails_harms_nobody() -> None:
    def fail(direction: str, line: bytes) -> None:
        raise OSError("disk full")

    tap = Tap(Peer(), fail, Limits())
    sent: list[bytes] = []
    assert tap.receive(NOTE + b"\n") == [NotificationReceived(method="n", params=None)]
    tap.write(NOTE + b"\n", sent.append)
    assert sent == [NOTE + b"\n"]
