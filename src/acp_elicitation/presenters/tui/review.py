"""What would be sent, question by question, for the user to look at before it is (UI-4).

Owns: `Review`. Knows nothing of: sending. Above it: `form_body`. Below it: `jumps`, `pairs`,
`forms.draft`.
"""

from collections.abc import Collection

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.parse import YES
from acp_elicitation.presenters.pairs import shown_answer
from acp_elicitation.presenters.tui.jumps import Jump
from acp_elicitation.presenters.tui.said import Words, said, said_line
from acp_elicitation.text.language import tr
from acp_elicitation.text.wording import word_label

__all__ = ["Review"]


class Review(Vertical):
    """Lists the answers; choosing one goes back to its field."""

    def __init__(self, draft: FormDraft, masked: Collection[str]) -> None:
        """List what stands in `draft`; the fields in `masked` show only how long they are."""
        super().__init__()
        self._draft = draft
        self._masked = masked

    def compose(self) -> ComposeResult:
        """Build the list."""
        yield Words(tr("Review. This is what will be sent:"), classes="heading")
        for field in self._draft.questions:
            if field.kind != "unknown":
                label = said_line(word_label(field, self._draft)).stylize("bold")
                yield Jump(Content.assemble(label, "\n", self._value(field)), field.name)

    def _value(self, field: DraftField) -> Content:
        shown = shown_answer(self._draft, field)
        if shown is None:
            return Content.styled(tr("(left empty)"), "italic")
        if shown == "":
            return Content.styled(
                tr("(nothing chosen)") if field.options else tr("(an empty text)"), "italic"
            )
        companion = field.companion
        if field.name in self._masked or (companion and companion.name in self._masked):
            return Content("•" * len(shown))
        if field.kind == "boolean":
            return Content(tr("Yes") if shown == YES else tr("No"))
        return said(shown)
