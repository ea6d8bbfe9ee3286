"""A form on a full screen: its fields, the review of what will be sent, and what is wrong.

Owns: `FormBody`. Knows nothing of: who asks, the ways out, and what may be entered (the draft
judges that). Above it: `screen`. Below it: `body`, the fields, `forms.draft`.
"""

from collections.abc import Sequence

from textual.app import ComposeResult

from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.presenters.tui.body import Body, Control
from acp_elicitation.presenters.tui.said import Words, said_line
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.text.language import tr

__all__ = ["FormBody"]


class FormBody(Body):
    """The fields of one form."""

    def __init__(self, prompt: FormPrompt) -> None:
        """Draw the draft of `prompt`."""
        super().__init__()
        self._prompt = prompt
        self._draft = prompt.draft

    @property
    def opening(self) -> str:
        """Own words for what is asked."""
        return tr("Question from {}")

    @property
    def message(self) -> str:
        """What the agent wants to know."""
        return self._prompt.message

    def compose(self) -> ComposeResult:
        """Build the fields."""
        for field in self._draft.questions:
            yield Words(said_line(field.label))

    def controls(self) -> Sequence[Control]:
        """Return the ways on."""
        return (Control("submit", tr("Submit"), is_main=True),)

    async def press(self, id: str) -> None:
        """Go the way on that `id` names."""
        if not self._draft.problems():
            self.post_message(self.Answered(Accepted(self._draft.content())))
