"""A link that was put before the user: the consent, and the wait for the outside part.

Owns: what the caller of `Elicitor.link` holds in hand.
Knows nothing of: messages. Above it: `elicitor`. Below it: `outstanding`, `protocol.answers`.
"""

import asyncio

from acp_elicitation.agent.outstanding import AskedLink, AskedLinks
from acp_elicitation.protocol.answers import Accepted, Answer
from acp_elicitation.protocol.errors import (
    AnswerTimeout,
    ConnectionLost,
    ElicitationError,
    NotAccepted,
)
from acp_elicitation.protocol.ledger import Asked
from acp_elicitation.protocol.requests import ElicitationId

__all__ = ["Link"]


class Link:
    """The answer to a link, and what comes after it.

    `answer` says whether the user consented to open it. That is not completion (URL-1): wait for
    `completed()`.
    """

    __slots__ = ("_because", "_entry", "_links", "answer", "url")

    def __init__(
        self, *, url: str, answer: Answer[None], entry: AskedLink, links: AskedLinks
    ) -> None:
        self.url = url
        self.answer = answer
        self._entry = entry
        self._links = links
        self._because: ElicitationError | None = None

    def __repr__(self) -> str:
        return f"<Link {self.id} {type(self.answer).__name__} {self._entry.state.name}>"

    @property
    def id(self) -> ElicitationId:
        """The `elicitationId`, for `Elicitor.complete`."""
        return self._entry.id

    @property
    def consented(self) -> bool:
        """Whether the user agreed to open the link (URL-1)."""
        return isinstance(self.answer, Accepted)

    async def completed(self, *, timeout: float | None = None) -> None:
        """Return when `Elicitor.complete` was called for this link (URL-5).

        Args:
            timeout: seconds to wait; None waits as long as it takes. After the limit the link is
                still outstanding, and this can be awaited again.

        Raises:
            NotAccepted: the user declined or cancelled, so nothing will complete (URL-1).
            AnswerTimeout: the time is over.
            ConnectionLost: the client is gone (RES-5).
        """
        self.answer.unwrap()
        try:
            async with asyncio.timeout(timeout):
                await self._entry.ended.wait()
        except TimeoutError:
            raise AnswerTimeout(timeout or 0, awaited="completion") from None
        match self._entry.state:
            case Asked.COMPLETED:
                return
            case Asked.LOST:
                raise ConnectionLost
            case _:
                raise self._because or NotAccepted("the link was withdrawn")

    def withdraw(self, *, because: ElicitationError | None = None) -> None:
        """Stop waiting for the outside part: `completed()` raises, a later `complete` is refused.

        `because` is what `completed()` then raises, in place of `NotAccepted`. A link that has
        ended stays as it is.

        The protocol has no message for this; the client keeps showing its "waiting" until its
        user is done (URL-8).
        """
        if not self._entry.ended.is_set():
            self._because = because
            self._links.withdraw(self._entry)
