"""The port between asking and carrying: what an `Elicitor` needs of a connection.

Owns: the port and its obligations. Knows nothing of: who implements it (`wire.Connection` does, and
the bridges). Above it: `elicitor`, `turn`, the bridges. Below it: nothing.
"""

from typing import Protocol

from acp_elicitation.protocol.reading import JsonObject

__all__ = ["Channel"]


class Channel(Protocol):
    """What carries an elicitor's messages to one client; `wire.Connection` is one.

    Obligations:
    - `request` returns the result as decoded JSON; it raises `RemoteError` for an error response
      and `ConnectionLost` when the client is gone; cancelling it tells the client so
      (`$/cancel_request`) and drops a late response.
    - `notify` sends in order with requests, and raises `ConnectionLost` when the client is gone.
    """

    async def request(self, method: str, params: JsonObject) -> object: ...

    def notify(self, method: str, params: JsonObject) -> None: ...
