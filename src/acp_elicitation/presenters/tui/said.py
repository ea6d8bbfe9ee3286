"""Text on the screen: the agent's made visible, and never read as markup.

Owns: how untrusted text becomes a `Content`, and the two widgets that show text. Textual reads
markup in every plain string that it is given for a label, and makes links and actions of it; a
`Content` is shown as it is (FORM-8). Knows nothing of: questions.
Above it: the screen and its bodies. Below it: `text.terminal`.
"""

from functools import lru_cache

from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from acp_elicitation.text.terminal import one_line, visible

__all__ = ["Quote", "Words", "in_editor", "said", "said_line", "told"]

_STAND_IN = "\ufffd"


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


def in_editor(text: str) -> str:
    """Return `text` for an editor, whose cursor counts characters: each stands for itself alone.

    What must not reach the terminal is a replacement character each, where `said` names it.
    """
    if visible(text, newlines=False) == text:
        return text
    return "".join(map(_in_editor, text))


@lru_cache(maxsize=4096)
def _in_editor(character: str) -> str:
    # A combining mark is fine where it has something to stand on, and a tab is expanded later.
    after = f"a{character}"
    return character if character == "\t" or visible(after, newlines=False) == after else _STAND_IN


class Words(Static):
    """Text that is wrapped, and can be selected and copied."""

    def __init__(self, words: Content | str = "", *, classes: str = "", id: str | None = None):
        """Show `words`; a plain string is own words, and has no markup either."""
        super().__init__(_plain(words), classes=classes, id=id, markup=False)

    @property
    def plain(self) -> str:
        """What is shown, without its styles."""
        return _plain(self.content).plain if isinstance(self.content, Content | str) else ""

    def say(self, words: Content | str) -> None:
        """Show other words."""
        self.update(_plain(words))


class Quote(Words):
    """What the agent says at length, behind a bar: it cannot pass for words of our own (UI-1)."""

    def __init__(self, untrusted: str, *, classes: str = "", id: str | None = None):
        """Show text of the agent's; nothing at all where it is empty."""
        super().__init__(said(untrusted), classes=classes, id=id)
        self.display = bool(untrusted)


def _plain(words: Content | str) -> Content:
    return words if isinstance(words, Content) else Content(words)
