"""`acp-elicit demo`: the demo agent and this client, in this terminal.

Owns: the command line of `demo`, and the answers for when nobody is there to give them.
Knows nothing of: what the agent asks next. Above it: `cli`. Below it: `faces`, `demo`.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from acp_elicitation.cli.choosing import Terminal, WrongUi, add_ui_option, choose_ui
from acp_elicitation.cli.conversation import FIRST_WORD, Settings
from acp_elicitation.cli.faces import Meeting, converse
from acp_elicitation.cli.spoken import add_language_option, speak
from acp_elicitation.presenters.answers import read_rules
from acp_elicitation.presenters.browser import open_in_browser
from acp_elicitation.presenters.notice import NOTIFY
from acp_elicitation.text.language import tr, tr_later

__all__ = ["press_the_button", "run_demo"]

_PROMPT = tr_later("Set up a new project for me.")

_ANSWERS = [
    {
        "when": {"property": "name"},
        "action": "accept",
        "content": {
            "name": "sunflower",
            "summary": "Counts the sunflowers of a field from above.\nNeeds a drone.",
            "contact": "ada@example.org",
            "start": "2027-01-04",
            "database": "postgresql",
            "extras": ["tests", "docs"],
            "workers": 8,
        },
    },
    {"when": {"message": "PostgreSQL"}, "action": "accept", "content": {"host": "db.example.org"}},
    {"when": {"mode": "url"}, "action": "accept", "open": True},
    {"when": {"message": "announce"}, "action": "decline"},
]
"""A user who fills everything in, changes some defaults, and declines once."""


def run_demo(arguments: Sequence[str]) -> int:
    """Run `acp-elicit demo`; returns the exit code."""
    speak(arguments)
    options = _parse(arguments)
    settings = Settings(
        command=(sys.executable, "-m", "acp_elicitation.demo"),
        protocol=options.protocol,
        cwd=os.getcwd(),
        prompts=(tr(_PROMPT),),
        first_word=FIRST_WORD if sys.stderr.isatty() else None,
    )
    if options.ui == "script":
        print(tr("Nobody types here, so built-in answers are given."), flush=True)
        meeting = Meeting(settings=settings, rules=read_rules(_ANSWERS), open_url=press_the_button)
        return asyncio.run(converse("script", meeting))
    meeting = Meeting(
        settings=settings,
        open_url=None if options.no_browser else open_in_browser,
        notify=options.notify,
    )
    return asyncio.run(converse(options.ui, meeting))


def press_the_button(url: str) -> bool:
    """Do what the user would do on the demo's own page: open it and press its button."""
    import http.client
    from urllib.parse import urlsplit

    address = urlsplit(url)
    if address.hostname != "127.0.0.1":
        return False
    for method in ("GET", "POST"):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=10)
        try:
            connection.request(method, address.path)
            connection.getresponse().read()
        finally:
            connection.close()
    return True


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="acp-elicit demo",
        description=tr(
            "Talk to a demo agent that sets a project up, and asks every kind of question. "
            "Nothing is written. Without a terminal, built-in answers are given."
        ),
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--protocol", choices=("auto", "1", "2"), default="auto",
        help=tr("which version to speak (default: 2, else 1)"))  # fmt: skip
    add("--no-browser", action="store_true", help=tr("print the link instead of opening it"))
    add("--notify", choices=NOTIFY, default="off",
        help=tr("call you to a question by the terminal's bell or on the desktop"))  # fmt: skip
    add("--scripted", action="store_true", help=tr("give the built-in answers in a terminal too"))
    add_ui_option(parser)
    add_language_option(parser)
    options = parser.parse_args(arguments)
    # A page has its user elsewhere; everything else reads what somebody types here.
    is_alone = options.ui != "web" and not sys.stdin.isatty()
    if options.scripted or is_alone:
        options.ui = "script"
    try:
        options.ui = choose_ui(
            options.ui,
            has_answers=options.ui == "script",
            stays=True,
            terminal=Terminal.here(),
            environment=os.environ,
        )
    except WrongUi as error:
        parser.error(str(error))
    return options
