"""Calling a user who looks elsewhere: the terminal's bell, or a notification of the desktop.

Owns: what is written to the terminal for it. Knows nothing of: what is asked. Nothing of the
agent's is in it: the words are our own and always the same, since a terminal acts on them.
Above it: `plain`, `tui`, the command line. Below it: `page`, `text.language`.

It is off unless the user asks for it, and nothing is written where no terminal is.
"""

import os
from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from acp_elicitation.presenters.page import Out
from acp_elicitation.text.language import tr

__all__ = ["NOTIFY", "Notice", "Notify", "attention"]

Notify: TypeAlias = Literal["off", "bell", "desktop"]
"""How to call the user."""

NOTIFY: tuple[Notify, ...] = get_args(Notify)

_BELL = "\a"
_ESCAPE = "\x1b"


def attention(notify: Notify, environment: Mapping[str, str]) -> str:
    """Return what to write to a terminal to call its user; empty for "off".

    "desktop" is OSC 9, which the terminal shows as a notification of its own: iTerm2, WezTerm,
    kitty, Ghostty, foot and others do, the rest ignore it. tmux hands it on where its
    option `allow-passthrough` is on. A terminal that knows no sequences rings its bell.
    """
    if notify == "off":
        return ""
    if notify == "bell" or environment.get("TERM", "dumb") == "dumb":
        return _BELL
    words = tr("An agent asks you a question.")
    sequence = f"{_ESCAPE}]9;{words}{_BELL}"
    if environment.get("TMUX"):
        return f"{_ESCAPE}Ptmux;{sequence.replace(_ESCAPE, _ESCAPE * 2)}{_ESCAPE}\\"
    return sequence


class Notice:
    """Calls the user of one terminal."""

    def __init__(self, notify: Notify, out: Out) -> None:
        """Call by way of `out`, where that is a terminal."""
        self._notify = notify
        self._out = out

    def call(self) -> None:
        """Call the user: a question has come before them."""
        if self._notify != "off" and self._out.isatty():
            self._out.write(attention(self._notify, os.environ))
            self._out.flush()
