"""What a typed line means: a command, or the text itself.

Owns: the words that act while a field is asked for, and how their like is entered as text.
Knows nothing of: fields, values, and where lines come from. Above it: `fields`, `plain`.
Below it: `text.language`.

A command is exactly one of the words below. Every other line is text, `/usr/bin` as well as
`decline`; a text that is a command's word is entered with its slash doubled.
"""

import enum
import unicodedata

from acp_elicitation.text.language import tr

__all__ = [
    "DECLINE_ALL",
    "Command",
    "explain_commands",
    "is_near_command",
    "read_entry",
    "read_word",
    "why_unusable",
]

DECLINE_ALL = "decline all"
"""What is typed where a question is decided, to decline all questions of its agent."""


class Command(enum.Enum):
    """A word that acts; its value is what is typed."""

    DECLINE = "/decline"
    DECLINE_ALL = "/decline all"
    CANCEL = "/cancel"
    BACK = "/back"
    REVIEW = "/review"
    CLEAR = "/clear"
    DEFAULT = "/default"
    LIST = "/list"
    HELP = "/help"


_BY_WORD = {command.value: command for command in Command}


def read_entry(line: str) -> Command | str:
    """Return the command that `line` is, or else the text that it says."""
    word = " ".join(line.split())
    if word in _BY_WORD:
        return _BY_WORD[word]
    if word.startswith("//") and "/" + word.lstrip("/") in _BY_WORD:
        return word[1:]
    return line


def read_word(line: str) -> str:
    """Return the word of a line where only words are expected; a slash before it is the same."""
    return " ".join(line.casefold().split()).removeprefix("/")


def is_near_command(text: str) -> bool:
    """Whether `text` looks like a command and is none: worth a word, since it was taken as text."""
    word = text.strip()
    return word.startswith("/") and word[1:].isalpha() and word.islower() and word not in _BY_WORD


def explain_commands(*, has_options: bool, is_text: bool) -> list[str]:
    """Return what can be typed at a field of this kind besides an answer, line by line."""
    lines = (
        tr("Enter alone keeps what stands in brackets, or leaves an optional field empty."),
        tr("/clear    leave the field empty, without its default"),
        tr("/default  put the agent's default back"),
        tr("/list     list all choices") if has_options else "",
        tr("//clear   enter the text /clear; likewise for the other words") if is_text else "",
        tr("/back     go to the field before"),
        tr("/review   go to the review; nothing is sent before you submit there"),
        tr("/decline  say no to the agent; nothing that you typed is sent"),
        tr("/decline all  say no to this and to all other questions of this agent that wait"),
        tr("/cancel   dismiss the question, as Ctrl-C does; nothing that you typed is sent"),
    )
    return [line for line in lines if line]


def why_unusable(line: str) -> str | None:
    """Return why `line` cannot have been meant as it arrived, or None.

    An arrow key at a line-mode terminal sends an escape sequence; it must not end up in an answer.
    """
    if "\ufffd" in line:
        return tr(
            "parts of it are lost: characters in another encoding, or a line over 4,000 bytes"
        )
    if any(unicodedata.category(character) == "Cc" and character != "\t" for character in line):
        return tr("it has control characters, perhaps from an arrow key")
    return None
