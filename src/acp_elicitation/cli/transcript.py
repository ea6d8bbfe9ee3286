"""The transcript: one JSON object per message that travelled, in a file of lines.

Owns: the shape of a line: `{"at": ..., "from": "client" | "agent", "message": ...}`, and of the
proxy's note on a question, `{"at": ..., "from": "proxy", "asks": {"requestId": ..., "by": ...}}`.
Knows nothing of: what the messages mean. Above it: `conversation`, `proxy`; `trace.record` reads it
again. Below it: a file.

It holds all that was asked and answered, so nobody else may read a new file.
"""

import datetime
import logging
import os
from pathlib import Path

import msgspec

__all__ = ["Transcript"]

_log = logging.getLogger(__name__)


class Transcript:
    """Writes to `path`, over what was there. Raises OSError where that cannot be done.

    Where it can no more, as on a full disk, the conversation goes on without it.
    """

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(descriptor, "wb", buffering=0)
        self._path = path
        self._ended = False

    def take(self, direction: str, line: bytes) -> None:
        """Write one line that travelled; `direction` is in or out, as the client sees it."""
        entry = _entry("agent" if direction == "in" else "client")
        try:
            line.decode()
            # As it travelled, to the last digit: nothing is read out of it here.
            entry["message"] = msgspec.json.decode(line, type=msgspec.Raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            entry["text"] = line.decode("utf-8", "replace")  # no message, but it was sent
        self._write(entry)

    def note_asking(self, request_id: int | str, by: str) -> None:
        """Write by which means the proxy asks a question of the agent."""
        self._write(_entry("proxy") | {"asks": {"requestId": request_id, "by": by}})

    def close(self) -> None:
        """End the file."""
        self._file.close()

    def _write(self, entry: dict[str, object]) -> None:
        if self._ended:
            return
        try:
            self._file.write(msgspec.json.encode(entry) + b"\n")
        except OSError as error:
            self._ended = True
            _log.error("%s ends here: %s", self._path, error.strerror)


def _entry(sender: str) -> dict[str, object]:
    now = datetime.datetime.now(datetime.UTC)
    return {"at": now.isoformat(timespec="milliseconds"), "from": sender}
