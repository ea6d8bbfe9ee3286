"""Which control of a web page shows a field, what the page holds of its text, and names for both.

Owns: how a form's properties are called in a page (never by the agent's names: those may be any
text), the choice of a control, and what a browser makes of a text that stands in it.
Knows nothing of: markup, and of what is posted. Above it: `fields`, `form`, `posted`.
Below it: `forms.draft`, `forms.secrets`.
"""

import re
from typing import Literal, TypeAlias

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.formats import FORMATS, is_date
from acp_elicitation.forms.secrets import is_marked
from acp_elicitation.protocol.schema import StringProperty

__all__ = [
    "NOT_ANSWERED",
    "OWN_TEXT",
    "Control",
    "ControlNames",
    "control_of",
    "held",
    "is_masked",
    "stands_instead",
]

Control: TypeAlias = Literal["line", "lines", "date", "masked"]
"""What takes typed text: one line, several lines, a calendar, one line of dots."""

OWN_TEXT = "own"
"""The value of the choice that says: my own text, in place of an option."""

NOT_ANSWERED = ""
"""The value of the choice that leaves a question unanswered."""

_ONE_LINE_AT_MOST = 100
"""Code points: a text that may be longer gets an area of several lines."""

_PREFIX = re.compile("[A-Za-z0-9_-]*")
_LINE_END = re.compile("\r\n|\r|\n")
_NEVER_CARRIED = re.compile("[\0\ud800-\udfff]")


class ControlNames:
    """The names of a draft's controls, which are the ids of their elements as well."""

    def __init__(self, draft: FormDraft, prefix: str) -> None:
        """Begin every name with `prefix`, so that several forms can stand in one page.

        Raises ValueError where `prefix` has anything but ASCII letters, digits, `-` and `_`.
        """
        if not _PREFIX.fullmatch(prefix):
            raise ValueError("a prefix has only ASCII letters, digits, - and _ in it")
        self._places = {field.name: place for place, field in enumerate(draft.fields)}
        self._prefix = prefix
        self.form = f"{prefix}form"
        """What a page posts beside its controls, to say that they were all there."""
        self.summary = f"{prefix}problems"
        """The id of the list of problems."""

    def of(self, field: DraftField) -> str:
        """Return the name of the control for `field`."""
        return f"{self._prefix}f{self._places[field.name]}"


def control_of(draft: FormDraft, field: DraftField) -> Control:
    """Return which control shows the text of `field`: one that can hold what stands there now."""
    member = field.property
    text = draft.text(field.name)
    if is_masked(field):
        return "masked"
    if not isinstance(member, StringProperty):
        return "line"
    if "\n" in text or "\r" in text:
        return "lines"
    if member.format == "date":  # a calendar shows no other text, and knows no year 0
        return "date" if not text or (is_date(text) and text[:4] != "0000") else "line"
    if member.format in FORMATS or member.pattern is not None:
        return "line"
    longest = member.max_length
    return "line" if longest is not None and longest <= _ONE_LINE_AT_MOST else "lines"


def held(control: Control, text: str) -> str:
    """Return what such a control holds of `text`, and so gives back when nobody touches it."""
    text = _NEVER_CARRIED.sub("\ufffd", text)
    return _LINE_END.sub("\n" if control == "lines" else "", text)


def is_masked(field: DraftField) -> bool:
    """Whether the agent itself marked this text as a secret: then nobody else should read it."""
    return field.kind == "text" and is_marked(field.property)


def stands_instead(field: DraftField) -> bool:
    """Whether a text of the user's own is one more choice of this question, not one beside it."""
    return field.companion is not None and not field.takes_both
