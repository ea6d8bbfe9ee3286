"""What Chromium wrote down of its own work on the network (`--log-net-log`).

The log has every attempt to connect, every datagram and every name that is looked up, be it for a
page, for a prefetch or for the browser itself. It is written by the browser, so it proves what the
browser did and not what other programs did.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

__all__ = ["NetLog"]


class NetLog:
    """The log of a browser that has ended."""

    def __init__(self, path: Path) -> None:
        log = json.loads(path.read_text(encoding="utf-8"))
        self._names = {number: name for name, number in log["constants"]["logEventTypes"].items()}
        self._events: list[dict[str, Any]] = log["events"]

    def _of(self, type: str) -> Iterator[dict[str, Any]]:
        for event in self._events:
            if self._names[event["type"]] == type and "params" in event:
                yield event["params"]

    def requests_to(self, host: str) -> list[str]:
        """The address of each request to the host, in order."""
        started = (params.get("url", "") for params in self._of("URL_REQUEST_START_JOB"))
        return [url for url in started if urlsplit(url).hostname == host]

    def dealt_with(self, name: str) -> set[str]:
        """What was done about a host or an address: the types of all events that name it.

        What a page says to its reader is not among them: contents stand here in another form.
        """
        return {self._names[event["type"]] for event in self._events if name in json.dumps(event)}

    @property
    def connected(self) -> list[str]:
        """The address of each attempt to connect with TCP, in order."""
        return [params["address"] for params in self._of("TCP_CONNECT_ATTEMPT")]

    @property
    def datagrams(self) -> int:
        """How many datagrams were sent: for names, or anything else."""
        return sum(1 for _ in self._of("UDP_BYTES_SENT"))
