"""A permission that an agent asks for, and its options.

Owns: how the options are shown and chosen; none is chosen before the user does.
Knows nothing of: what an option leads to: its words are the agent's.
Above it: `screen`. Below it: `body`, `said`.
"""

from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from acp_elicitation.client.prompts import PermissionPrompt
from acp_elicitation.presenters.tui.body import Body
from acp_elicitation.presenters.tui.said import Words, said_line
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.text.language import tr

__all__ = ["PermissionBody"]

_LONGEST_NAME = 200
_READ_FIRST = 0.5
"""Seconds in which no key chooses: what is typed as a question comes up was not meant for it."""


class PermissionBody(Body):
    """Has one option chosen."""

    DEFAULT_CSS: ClassVar[str] = """
    PermissionBody { height: auto; layout: vertical; }
    PermissionBody .-lead { color: $text-muted; }
    PermissionBody OptionList, PermissionBody OptionList:focus {
        height: auto; max-height: 100%; border: none; padding: 0; background: $surface;
    }
    """

    can_decline = False
    """The options say yes and no; apart from them the protocol knows only cancel."""

    def __init__(self, prompt: PermissionPrompt) -> None:
        """Ask what `prompt` asks."""
        super().__init__()
        self._prompt = prompt
        self.since = monotonic()
        """When it came up."""
        self._options = OptionList(
            *(Option(_word_option(place, option.name))
              for place, option in enumerate(prompt.request.options, 1)),
            markup=False,
        )  # fmt: skip

    @property
    def opening(self) -> str:
        """Own words for what is asked."""
        return tr("Permission request from {}")

    @property
    def message(self) -> str:
        """What the agent wants to do, and what it says about it."""
        request = self._prompt.request
        return "\n\n".join(filter(None, (request.title, request.description)))

    def compose(self) -> ComposeResult:
        """Show the options."""
        yield Words(tr("Choose with the arrow keys and Enter, or click."), classes="-lead")
        yield self._options

    def focus_first(self) -> bool:
        """Focus the options, with none of them under the cursor yet."""
        self._options.highlighted = None
        self._options.focus()
        return True

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        if monotonic() - self.since < _READ_FIRST:
            return
        chosen = self._prompt.request.options[event.option_index]
        self.post_message(self.Answered(Accepted(chosen.option_id)))


def _word_option(place: int, name: str) -> Content:
    return Content.assemble((f"{place}. ", "bold"), said_line(name, _LONGEST_NAME))
