"""The language of a command: `--lang`, or else the environment.

Owns: the option, and when it takes effect: before the command line is read, so that its help and
its complaints are in the language too. Knows nothing of: catalogues and commands.
Above it: the commands. Below it: `text.language`.
"""

import argparse
import os
from collections.abc import Sequence

from acp_elicitation.text.language import LANGUAGES, language_of, match_language, tr, use_language

__all__ = ["add_language_option", "speak"]

_OPTION = "--lang"


def speak(arguments: Sequence[str]) -> None:
    """Choose the language that `arguments` ask for, or else the environment."""
    asked = match_language(_asked(arguments))
    use_language(asked or language_of(os.environ))


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Have the parser know the option; what it says is done by `speak`."""
    parser.add_argument(
        _OPTION,
        type=_language,
        metavar="|".join(LANGUAGES),
        help=tr("the language to speak to you (default: by LC_ALL, LC_MESSAGES or LANG)"),
    )


def _asked(arguments: Sequence[str]) -> str:
    """Return the last value of the option, or nothing; the agent's command comes after `--`."""
    asked = ""
    own = [*arguments, "--"]
    own = own[: own.index("--")]
    for place, argument in enumerate(own):
        if argument == _OPTION:
            asked = "".join(own[place + 1 : place + 2])
        elif argument.startswith(f"{_OPTION}="):
            asked = argument.removeprefix(f"{_OPTION}=")
    return asked


def _language(tag: str) -> str:
    language = match_language(tag)
    if language is None:
        names = ", ".join(LANGUAGES)
        raise argparse.ArgumentTypeError(
            tr("no such language: {tag}; there are {names}", tag=tag, names=names)
        )
    return language
