"""What is found out about a form before its turn comes."""

import asyncio
import threading
from typing import Any

import pytest

from acp_elicitation.client.judging import judging
from acp_elicitation.client.prompts import Asker, FormPrompt
from acp_elicitation.client.responder import Responder
from acp_elicitation.forms.check import compile_check
from acp_elicitation.forms.secrets import SecretFinding, find_secrets
from acp_elicitation.protocol.answers import Declined
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.requests import FormRequest, read_request
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.version import V2
from tests.held import HeldPresenter

LIMIT = 20
LONG = "please enter your secret passphrase " * 200


def params(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"sessionId": "s", "mode": "form", "message": "m", "requestedSchema": schema}


def asked(**properties: Any) -> FormPrompt:
    request = read_request(params(**properties), V2)
    assert isinstance(request, FormRequest)
    return FormPrompt(request=request, asker=Asker())


def judged(prompt: FormPrompt) -> Any:
    return judging(prompt, compile_check(prompt.request.schema))


def test_a_short_form_without_patterns_is_shown_at_once() -> None:
    assert judged(asked(a={"type": "string", "title": "Password"})) is None


@pytest.mark.requirement("FORM-9")
async def test_a_bad_pattern_is_named() -> None:
    prompt = asked(b={"type": "string", "pattern": "b"}, a={"type": "string", "pattern": "("})
    with pytest.raises(MalformedMessage) as raised:
        await judged(prompt)()
    assert raised.value.path == "/requestedSchema/properties/a/pattern"
    assert "invalid" in raised.value.expected


class Held:
    """Looks for secrets once the event loop has gone on, however long that takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("acp_elicitation.client.judging.find_secrets", self.find)
        self.begun = asyncio.Event()
        self.go_on = threading.Event()
        self._loop = asyncio.get_running_loop()

    def find(self, message: str, form: FormSchema) -> list[SecretFinding]:
        self._loop.call_soon_threadsafe(self.begun.set)
        assert self.go_on.wait(LIMIT), "the event loop waits for this"
        return find_secrets(message, form)


@pytest.mark.requirement("FORM-5", "FORM-9")
async def test_others_go_on_while_a_long_form_is_looked_through_for_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held, user = Held(monkeypatch), HeldPresenter()
    responder = Responder(user)
    long = params(phrase={"type": "string", "description": LONG})
    answers = [asyncio.create_task(responder.create(long))]
    async with asyncio.timeout(LIMIT):
        await held.begun.wait()
        answers.append(asyncio.create_task(responder.create(params(name={"type": "string"}))))
        first = await user.next_form()  # is asked and answered meanwhile
        assert (list(first.request.schema.properties), first.secrets) == (["name"], [])
        user.reply(first, Declined())
        assert await answers[1] == {"action": "decline"}
        held.go_on.set()
        second = await user.next_form()
        monkeypatch.undo()
        monkeypatch.setattr("acp_elicitation.client.prompts.find_secrets", None)  # not once more
        assert [found.property for found in second.secrets] == ["phrase"]
        user.reply(second, Declined())
        assert await answers[0] == {"action": "decline"}


@pytest.mark.requirement("REQ-6")
async def test_a_form_that_is_taken_back_meanwhile_is_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held, user = Held(monkeypatch), HeldPresenter()
    responder = Responder(user)
    long = params(phrase={"type": "string", "description": LONG})
    answer = asyncio.create_task(responder.create(long))
    async with asyncio.timeout(LIMIT):
        await held.begun.wait()
        assert responder.close() == 1
        assert (await answer)["action"] == "cancel"
        held.go_on.set()
        await judged(asked(a={"type": "string", "pattern": "a"}))()  # the thread is done with it
    assert user.shown.empty()
