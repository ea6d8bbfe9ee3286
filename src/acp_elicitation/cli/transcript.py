"""The transcript: one JSON object per message that travelled, in a file of lines.

Owns: the shape of a line: `{"at": ..., "from": "client" | "agent", "message": ...}`.
Knows nothing of: what the messages mean. Above it: `conversation`. Below it: a file.

It holds all that was asked and answered, so nobody else may read a new file.
"""

import datetime
import os
from pathlib import Path

import msgspec

__all__ = ["Transcript"]


class Transcript:
    """Writes to `path`, over what was there. Raises OSError where that cannot be done."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(descriptor, "wb", buffering=0)

    def take(self, direction: str, line: bytes) -> None:
        """Write one line that travelled; `direction` is in or out, as the client sees it."""
        entry: dict[str, object] = {
            "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"),
            "from": "agent" if direction == "in" else "client",
        }
        try:
            line.decode()
            # As it travelled, to the last digit: nothing is read out of it here.
            entry["message"] = msgspec.json.decode(line, type=msgspec.Raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            entry["text"] = line.decode("utf-8", "replace")  # no message, but it was sent
        self._file.write(msgspec.json.encode(entry) + b"\n")

    def close(self) -> None:
        """End the file."""
        self._file.close()
