"""The presenter of docs/presenters.md: it keeps the obligations, and a person can answer in it."""

import asyncio
import re
import runpy
import sys
from collections import deque
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.client.contract import check_presenter
from acp_elicitation.client.prompts import FormPrompt, Prompt, Reply
from acp_elicitation.client.trial import Decision, form_prompt, link_prompt
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import (
    IntegerProperty,
    Property,
    StringProperty,
    UnknownProperty,
)
from tests.interop.test_examples import EXAMPLES, ROOT, run

EXAMPLE = EXAMPLES / "own_presenter.py"
SOURCE: dict[str, Any] = runpy.run_path(str(EXAMPLE))


class Chat:
    """A user who answers with these messages, and then leaves, or stays and says nothing."""

    def __init__(self, *messages: str, stays: bool = False) -> None:
        self._messages = deque(messages)
        self._stays = stays
        self._heard = asyncio.Event()
        self.posted: list[str] = []
        self.opened: list[str] = []
        self.presenter = SOURCE["ChatPresenter"](self.posted.append, self.hear, self.opened.append)

    async def hear(self) -> str | None:
        self._heard.set()
        if not self._messages and self._stays:
            await asyncio.Event().wait()
        return self._messages.popleft() if self._messages else None

    @property
    def sees(self) -> str:
        return "\n".join(self.posted)

    async def prompted(self) -> None:
        await self._heard.wait()

    def close(self) -> None:
        """A chat stays."""


def driven(decision: Decision, prompt: Prompt) -> Chat:
    match decision:
        case "accept":
            return Chat("submit" if isinstance(prompt, FormPrompt) else "open")
        case "dismiss" | "wait":
            return Chat(stays=decision == "wait")
        case _:
            return Chat(decision)


@pytest.mark.requirement("UI-1", "UI-3", "UI-5", "UI-6", "RES-1", "URL-10")
async def test_it_keeps_the_obligations_of_a_presenter() -> None:
    await check_presenter(driven)


PORT: dict[str, Property] = {
    "port": IntegerProperty(title="Port", minimum=1024),
    "blob": UnknownProperty(type="object"),
}


async def answered(*messages: str) -> tuple[Reply, str]:
    chat = Chat(*messages)
    return await chat.presenter.form(form_prompt(PORT, required=("port",))), chat.sees


@pytest.mark.requirement("UI-4", "FORM-2")
async def test_what_is_entered_is_shown_and_can_be_mended() -> None:
    reply, sees = await answered("port: 80", "submit", "port : 8080", "nonsense", "submit")
    assert reply == Accepted({"port": 8080})
    assert "port: 80 (Port. 1024 or more. Enter 1024 or more.)" in sees


@pytest.mark.requirement("FWD-2")
async def test_a_question_of_an_unknown_kind_cannot_be_entered() -> None:
    assert (await answered("blob: 1", "decline"))[0] == Declined()


@pytest.mark.requirement("FORM-5")
async def test_a_form_that_asks_for_a_secret_is_warned_of() -> None:
    chat = Chat("cancel")
    prompt = form_prompt({"password": StringProperty()})
    assert await chat.presenter.form(prompt) == Cancelled()
    assert "Decline, and do not enter it here." in chat.sees


@pytest.mark.requirement("URL-12")
async def test_what_is_odd_about_a_link_is_said() -> None:
    chat = Chat("what?", "decline")
    prompt = link_prompt("https://xn--pypal-4ve.example/", host="xn--pypal-4ve.example")
    assert await chat.presenter.link(prompt) == Declined()
    assert "xn--pypal-4ve.example: https://xn--pypal-4ve.example/" in chat.sees
    assert len(chat.posted[1].splitlines()) > 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (b"strategy: aggressive\nsubmit\n", "Strategy: aggressive, dry run: True."),
        (b"decline\n", "Then I leave the code as it is."),
        (b"", "I will ask again another time."),
    ],
)
async def test_a_person_answers_an_agent_with_it(typed: bytes, said: str) -> None:
    out = await run(
        [*(sys.executable, str(EXAMPLE), sys.executable, str(EXAMPLES / "agent.py"))], typed
    )
    assert "refactorer 1.0 asks" in out
    assert said in out


def test_the_docs_show_the_example_as_it_is() -> None:
    docs = Path(ROOT / "docs" / "presenters.md").read_text()
    source = EXAMPLE.read_text()
    shown = source[source.index("class ChatPresenter") : source.index("async def main")].strip()
    assert f"```python\n{shown}\n```" in docs


@pytest.mark.parametrize("kind", [FormDraft, DraftField])
def test_the_docs_name_every_member_of_a_draft(kind: type) -> None:
    docs = (ROOT / "docs" / "presenters.md").read_text()
    table = docs.partition(f"| `{kind.__name__}` | |\n")[2].partition("\n\n")[0]
    cells = "".join(row.split("|")[1] for row in table.splitlines())
    named = set(re.findall(r"`(\w+)(?:\([^)]*\))?`", cells))
    members = {name for name in dir(kind) if not name.startswith("_")}
    if kind is FormDraft:
        members |= {name for name in vars(form_prompt().draft) if not name.startswith("_")}
    assert named == members


def test_the_docs_show_no_more_than_there_is() -> None:
    docs = (ROOT / "docs" / "presenters.md").read_text()
    for name in re.findall(r"`text\.(\w+\.\w+)`", docs):
        module, _, function = name.partition(".")
        assert hasattr(import_module(f"acp_elicitation.text.{module}"), function), name
    for name in ("waiting", "waiting_from_asker", "decline_all", "asker", "message"):
        assert hasattr(form_prompt(), name)
        assert f"`{name}" in docs
