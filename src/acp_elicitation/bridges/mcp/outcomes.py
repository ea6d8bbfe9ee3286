"""What an outcome is in MCP: a result of `elicitation/create`, or an error.

Owns: the results and errors that a server gets, and the params as JSON.
Knows nothing of: how the outcome came about. Above it: `forwarding`. Below it: `losses`, the types
of the SDK, imported where a server has asked.

A question that its user never answered says so in `_meta`, by the key of this package, as an
answer in ACP does. An error has a fixed text: it goes to the server.
"""

from typing import TYPE_CHECKING, Any

from acp_elicitation.bridges.mcp.losses import NotForwarded
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import AnswerTimeout, ModeNotAdvertised
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.responses import META_KEY

if TYPE_CHECKING:
    from mcp import ErrorData
    from mcp.types import ElicitRequestParams, ElicitResult

__all__ = ["answer_of", "declined", "failed", "whole_params"]

_MOST_LOSSES = 20


def whole_params(params: "ElicitRequestParams") -> JsonObject:
    """Return the params as they came, as JSON; the form is not copied."""
    whole: JsonObject = params.model_dump(
        by_alias=True, mode="json", exclude_none=True, exclude={"requested_schema"}
    )
    form = getattr(params, "requested_schema", None)
    return whole if form is None else {**whole, "requestedSchema": form}


def answer_of(answer: Answer[Any]) -> "ElicitResult":
    """Return the result that a user's answer is (RES-1)."""
    from mcp.types import ElicitResult

    match answer:
        case Accepted(value=content):  # a link's consent has no content (RES-4)
            return ElicitResult(action="accept", content=content)
        case Declined():
            return ElicitResult(action="decline")
        case Cancelled(reason=None):
            return ElicitResult(action="cancel")
        case Cancelled(reason=reason):
            return ElicitResult(action="cancel", _meta={META_KEY: {"reason": reason}})


def declined(error: NotForwarded) -> "ElicitResult":
    """Return the decline of a question that was not put to the user, with the reason."""
    from mcp.types import ElicitResult

    losses = [str(loss) for loss in error.losses[:_MOST_LOSSES]]
    said = {"reason": error.why, **({"losses": losses} if losses else {})}
    return ElicitResult(action="decline", _meta={META_KEY: said})


def failed(error: Exception) -> "ElicitResult | ErrorData":
    """Return what becomes of a question that could not be asked or has no usable answer (RES-5)."""
    from mcp import ErrorData
    from mcp.types import INTERNAL_ERROR, INVALID_PARAMS

    match error:
        case ModeNotAdvertised():
            return ErrorData(
                code=INVALID_PARAMS, message="this client did not declare the mode of elicitation"
            )
        case AnswerTimeout():
            return answer_of(Cancelled("expired"))
        case _:
            return ErrorData(code=INTERNAL_ERROR, message="the question could not be answered")
