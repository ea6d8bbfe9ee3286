"""What to do when a form cannot be asked, or was not answered (CAP-5, RES-5).

Owns: the ladder of other ways, and the answer with the name of the rung that gave it.
Knows nothing of: how a rung asks (see `permission`, `in_text`). A link has no fallback: what is
sensitive goes by url mode or fails (FORM-6). Above it: `elicitor`. Below it: `protocol.answers`.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import msgspec

from acp_elicitation.agent.asking import Asking, within
from acp_elicitation.agent.turns import Withdrawn
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import (
    ElicitationError,
    MisuseError,
    ModeNotAdvertised,
)
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.version import Version

__all__ = [
    "Fallback",
    "Ladder",
    "Rung",
    "TextChannel",
    "Unanswered",
    "fall_back",
    "has_fallback",
]

T = TypeVar("T")


class TextChannel(Protocol):
    """Asks in the text of a turn; the runtime of an agent can offer it."""

    async def ask_in_text(self, session_id: str, text: str) -> str:
        """Say `text`, end the turn, and return what the user's next prompt says."""
        ...


class Unanswered:
    """A form that was not answered, as a rung gets it.

    message, form, asking: what was asked, and where it belongs.
    error: why there is no answer.
    receive: turns content into the checked value; raises `InvalidAnswer`.
    call: sends any other request to the client, within the limits of the question.
    """

    def __init__(
        self,
        *,
        message: str,
        form: FormSchema,
        asking: Asking,
        error: ElicitationError,
        receive: Callable[[JsonObject | None], Awaitable[Any]],
        call: Callable[[str, JsonObject], Awaitable[object]],
        version: Version,
        text_channel: TextChannel | None,
    ) -> None:
        self.message = message
        self.form = form
        self.asking = asking
        self.error = error
        self.receive = receive
        self.call = call
        self.version = version
        self.text_channel = text_channel


Rung: TypeAlias = Callable[[Unanswered], Awaitable[Any]]
"""A coroutine function that asks, or decides, in another way.

It returns an `Answer`, or a value, which counts as accepted; or it raises, and the next rung is
tried.
"""


class Ladder:
    """Several rungs, tried in order until one gives an answer.

    A rung is a coroutine function (`via_permission`, `via_text`, your own) or a plain value.
    """

    def __init__(self, *rungs: Rung | object) -> None:
        self.rungs = rungs


Fallback: TypeAlias = T | Rung | Ladder


def has_fallback(error: ElicitationError) -> bool:
    """Whether another way may be taken after `error`.

    Misuse by the caller has none, but for a mode that the client does not have: what must not be
    asked in a form must not be asked in another way either (FORM-6).
    """
    return isinstance(error, ModeNotAdvertised) or not isinstance(error, MisuseError)


async def fall_back(unanswered: Unanswered, fallback: Fallback[T]) -> Answer[T]:
    """Return the answer of the first rung that has one.

    Raises:
        ElicitationError: no rung has; then it is the error of the form itself.
    """
    rungs = fallback.rungs if isinstance(fallback, Ladder) else (fallback,)
    for rung in rungs:
        if not callable(rung):
            return Accepted(cast("T", rung), via="value")
        ask = cast("Rung", rung)
        try:
            answer = await _ask(ask, unanswered)
        except ElicitationError:
            continue
        except Withdrawn:
            return Cancelled("withdrawn")
        via = getattr(rung, "__name__", type(rung).__name__)
        if isinstance(answer, Accepted | Declined | Cancelled):
            return cast("Answer[T]", msgspec.structs.replace(answer, via=answer.via or via))
        return Accepted(cast("T", answer), via=via)
    raise unanswered.error


async def _ask(rung: Rung, unanswered: Unanswered) -> Any:
    seconds = unanswered.asking.get("timeout")
    answer = rung(unanswered)
    return await (answer if seconds is None else within(seconds, answer))
