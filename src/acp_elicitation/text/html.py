"""Text from the other side, made safe to stand in a web page: the only escaper for HTML.

Owns: what becomes of characters that mean something to HTML or that nobody can see, and the
elements that text is put into. Text and markup are different types here: whatever is not `Html` is
text, and is escaped where it is put into an element, so that no text can ever become markup.
Knows nothing of: which pages there are, styles, scripts, and whose text it is.
Above it: the presenters for the web. Below it: `terminal`, whose names stand for what cannot be
seen (`<U+202E>`).

There are two ways to write a text. To be read, it is made visible, as in a terminal: `escape`, and
every child of an element. To be sent back, as the value of a control, it is kept as it is:
`exactly`, and every attribute. What HTML cannot carry at all (NUL, surrogates) becomes U+FFFD.
"""

import re
from collections.abc import Mapping
from html import escape as _quote
from types import MappingProxyType
from typing import TypeAlias

from acp_elicitation.text.terminal import one_line, visible

__all__ = ["Attributes", "Html", "element", "escape", "escape_line", "exactly", "join", "place"]

Attributes: TypeAlias = Mapping[str, str | int | bool | None]
"""The attributes of an element: True is one without a value; False and None are left out."""

_NONE: Attributes = MappingProxyType({})

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_NEVER_CARRIED = re.compile("[\0\ud800-\udfff]")
_NAME = re.compile(r"[a-z][a-z0-9-]*")


class Html(str):
    """Markup that was made here. Joined to other text by `+` it is text again: use `join`.

    Template engines that escape text take it as it is.
    """

    __slots__ = ()

    def __html__(self) -> str:
        """Say to MarkupSafe (Jinja) and Django that this is markup already."""
        return str(self)


def escape(untrusted: str, *, newlines: bool = True) -> Html:
    """Return text to be read: nothing in it is markup, and what cannot be seen is named.

    Line feeds stay as they are (`white-space: pre-wrap` shows them), or are named too where
    `newlines` is false.
    """
    return Html(_quote(visible(untrusted, newlines=newlines)))


def escape_line(untrusted: str, limit: int | None = None) -> Html:
    """Return text to be read as one line of at most `limit` code points, otherwise as `escape`."""
    return Html(_quote(one_line(untrusted, limit)))


def exactly(text: str) -> Html:
    """Return text that a browser has to keep as it is, for an attribute or a `textarea`."""
    kept = _quote(_NEVER_CARRIED.sub("\ufffd", text))
    return Html(kept.replace("\r", "&#13;").replace("\n", "&#10;"))


def element(name: str, attributes: Attributes = _NONE, *children: str) -> Html:
    """Return the element `name`. A child that is not `Html` is text, and is escaped.

    The names of elements and attributes are the page's own. Raises ValueError for one that cannot
    be a name: text of the agent must never get there.
    """
    opened = f"<{_named(name)}{''.join(_written(key, attributes[key]) for key in attributes)}>"
    if name in _VOID:
        return Html(opened)
    return Html(f"{opened}{join(*children)}</{name}>")


def join(*parts: str, by: str = "") -> Html:
    """Return the parts one after another; what is not `Html` is text, and is escaped."""
    return Html(_marked_up(by).join(_marked_up(part) for part in parts))


def place(own: str, *parts: str) -> Html:
    """Return a sentence of the page's own with `parts`, in their order, where it has `{}`.

    Raises ValueError where the sentence has another number of places: a part would be lost.
    """
    around = own.split("{}")
    if len(around) != len(parts) + 1:
        raise ValueError(f"{len(around) - 1} places for {len(parts)} parts: {own!r}")
    first, *rest = around
    return join(first, *(piece for pair in zip(parts, rest, strict=True) for piece in pair))


def _marked_up(part: str) -> str:
    return part if isinstance(part, Html) else escape(part)


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of an element or an attribute")
    return name


def _written(name: str, value: str | int | bool | None) -> str:
    match value:
        case None | False:
            return ""
        case True:
            return f" {_named(name)}"
        case _:
            return f' {_named(name)}="{exactly(str(value))}"'
