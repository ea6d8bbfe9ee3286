"""How a question ended, in words.

Owns: the words. Knows nothing of: where they are shown. Above it: presenters, the command line.
Below it: `text`.
"""

from typing import Literal, TypeAlias, assert_never

from acp_elicitation.text.language import tr

__all__ = ["Ending", "word_ending"]

Ending: TypeAlias = Literal["accepted", "declined", "cancelled", "withdrawn", "expired"]
"""How a question ended: by its user in three ways, without them in two."""


def word_ending(ending: Ending) -> str:
    """Return how a question ended, for whoever sent an answer to it, or was about to."""
    match ending:
        case "accepted":
            return tr("Answered. Only what was submitted first was sent.")
        case "declined":
            return tr("Declined. Nothing that you typed was sent.")
        case "cancelled":
            return tr("Cancelled. Nothing that you typed was sent.")
        case "withdrawn":
            return tr("This question was withdrawn. Nothing that you typed was sent.")
        case "expired":
            return tr("The time for this question is over. Nothing that you typed was sent.")
        case _ as never:
            assert_never(never)
