"""Text on the screen: the agent's made visible, and never read as markup.

Owns: how untrusted text becomes a `Content`, and the two widgets that show text. Textual reads
markup in every plain string that it is given for a label, and makes links and actions of it; a
`Content` is shown as it is (FORM-8). Knows nothing of: questions.
Above it: the screen and its bodies. Below it: `text.terminal`.
"""

from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from acp_elicitation.text.terminal import one_line, visible

__all__ = ["Quote", "Words", "said", "said_line", "told"]


def said(untrusted: str) -> Content:
    """Return text of the agent's with its lines."""
    return Content(visible(untrusted))


def said_line(untrusted: str, limit: int | None = None) -> Content:
    """Return text of the agent's on one line, of at most `limit` characters."""
    return Content(one_line(untrusted, limit))


def told(own: str, untrusted: str = "", *, style: Style | str = "") -> Content:
    """Return own words with the agent's, on one line, in the place of their `{}`."""
    before, _, after = own.partition("{}")
    return Content.assemble(before, (one_line(untrusted), style), after)


class Words(Static):
    """Text that is wrapped, and can be selected and copied."""

    def __init__(self, words: Content | str = "", *, classes: str = "", id: str | None = None):
        """Show `words`; a plain string is own words, and has no markup either."""
        super().__init__(_plain(words), classes=classes, id=id, markup=False)

    def say(self, words: Content | str) -> None:
        """Show other words."""
        self.update(_plain(words))


class Quote(Words):
    """What the agent says at length, behind a bar: it cannot pass for words of our own (UI-1)."""

    def __init__(self, untrusted: str, *, classes: str = "", id: str | None = None):
        """Show text of the agent's."""
        super().__init__(said(untrusted), classes=classes, id=id)


def _plain(words: Content | str) -> Content:
    return words if isinstance(words, Content) else Content(words)
