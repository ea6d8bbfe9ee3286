"""Whether a request comes from a page of ours: what its headers say, and how its body is read.

Owns: the checks that every page of this package makes of a request. Knows nothing of: who the user
is, and what is served. Above it: `guard`, the connect service. Below it: Starlette's data types.

Each check returns the status of a refusal, or None.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope

__all__ = [
    "plain_answer",
    "read_posted",
    "refuse_ambiguous",
    "refuse_fetched",
    "refuse_method",
    "refuse_posted",
]

_LONGEST_POSTING = 30.0
"""Seconds within which what is posted has to arrive."""

_FORM = "application/x-www-form-urlencoded"
_SINGLE = ("host", "origin", "sec-fetch-site", "content-type", "content-length")
"""Headers that a browser sends once; which of two would count is nobody's guess."""


def refuse_ambiguous(headers: Headers) -> int | None:
    """Refuse a request that says one thing twice."""
    return 400 if any(len(headers.getlist(name)) > 1 for name in _SINGLE) else None


def refuse_fetched(headers: Headers) -> int | None:
    """Refuse what a page elsewhere loads, if it does not lead its user here."""
    is_navigation = headers.get("sec-fetch-mode", "navigate") == "navigate"
    is_ours = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return None if is_ours or is_navigation else 403


def refuse_posted(headers: Headers, *, origins: Collection[str], most: int) -> int | None:
    """Refuse what another page has posted, and what is no form or longer than `most` bytes.

    A browser too old for `Sec-Fetch-Site`, or one for text, may send neither header: the token in
    the form has to do. `null` is what a browser says that was asked to tell nothing.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site not in (None, "same-origin"):
        return 403
    is_ours = origin is None or origin in origins
    if not is_ours and not (origin == "null" and site == "same-origin"):
        return 403
    if headers.get("content-type", "").partition(";")[0].strip().casefold() != _FORM:
        return 415
    if "content-encoding" in headers:
        return 415
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit():
        return 400
    return 413 if int(length) > most else None


async def read_posted(receive: Receive, *, most: int) -> Receive | int:
    """Read all of what is posted: nothing waits for a body half way.

    Returns what gives it to an application, or the status of a refusal.

    Raises:
        ClientDisconnect: the browser has gone.
    """
    try:
        async with asyncio.timeout(_LONGEST_POSTING):
            body = await _read(receive, most)
    except TimeoutError:
        return 408
    if body is None:
        return 413
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


async def _read(receive: Callable[[], Awaitable[Message]], most: int) -> bytes | None:
    """Return the body, or None where it is too large."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def plain_answer(status: int) -> Response:
    """Return an answer that tells nothing to whoever does not know it anyway."""
    close = {"Connection": "close"} if status in (408, 413) else None
    return PlainTextResponse(f"{status}\n", status, headers=close)


def refuse_method(scope: Scope) -> int | None:
    """Refuse a method that no page uses."""
    return None if scope["method"] in ("GET", "HEAD", "POST") else 405
