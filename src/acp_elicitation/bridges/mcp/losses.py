"""What of an MCP server's question ACP says differently, or cannot say: the loss report.

Owns: one loss, the report of all of a question, and the exception for a question that is not
forwarded. Knows nothing of: how losses are found (see `schemas`), and who hears of them.
Above it: the rest of this package. Below it: the error tree.

A report names places and kinds. It holds none of the server's sentences and nothing that a user
typed, so that it may go into a log and back to the server.
"""

from typing import Literal, TypeAlias

import msgspec

from acp_elicitation.protocol.error_data import printable
from acp_elicitation.protocol.errors import PeerError

__all__ = ["Effect", "Loss", "LossReport", "NotForwarded", "Why", "place"]

Effect: TypeAlias = Literal["converted", "checked", "dropped", "refused"]
"""What became of it: said in another way with the same meaning; left to a check of the answer, as
the form cannot say it; left out, without a change of what may be answered; or the reason why the
question was not put to the user at all."""

Why: TypeAlias = Literal[
    "malformed",  # what no version of MCP allows
    "not-carried",  # what ACP has no words for
    "secret",  # a form that asks for a secret, or holds one (FORM-5)
    "unsafe-link",  # a link that no agent may ask its user to open (URL-9, URL-14)
    "unknown-host",  # a link to a page that is not among those of the server
    "too-large",
    "too-many",  # more questions at once than one server may ask
]
"""Why a question was not put to the user."""

_MOST_TOLD = 20


class Loss(msgspec.Struct, frozen=True):
    """One place of a question that does not arrive as it was."""

    path: str
    """A JSON pointer into the params of MCP's `elicitation/create`; "" is all of them."""
    effect: Effect
    reason: str
    """What is lost, in English, without any of the server's text."""

    def __str__(self) -> str:
        return f"{printable(self.path) or '/'}: {self.effect}: {self.reason}"


class LossReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one question of an MCP server; `declined` says why nobody was asked it."""

    server: str
    mode: Literal["form", "url"]
    losses: tuple[Loss, ...] = ()
    declined: Why | None = None

    def __str__(self) -> str:
        told = "declined" if self.declined is None else f"declined ({self.declined})"
        head = f"a {self.mode} of MCP server {printable(self.server)!r} was "
        head += "forwarded with losses" if self.declined is None else told
        more = len(self.losses) - _MOST_TOLD
        told_more = [f"and {more} more"] if more > 0 else []
        return "; ".join([head, *map(str, self.losses[:_MOST_TOLD]), *told_more])


class NotForwarded(PeerError):
    """A question of an MCP server that is not put to the user.

    It is declined in the user's place, with `why` and the losses that led to it.
    """

    def __init__(self, why: Why, *losses: Loss) -> None:
        self.why: Why = why
        self.losses = losses
        super().__init__("; ".join([f"not forwarded ({why})", *map(str, losses[:_MOST_TOLD])]))


def place(*names: str) -> str:
    """Return the JSON pointer to a member of the params, by the names on the way there."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)
