"""What an agent may not put into a form."""

import logging
import threading
from typing import Any

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.guard import Guard
from acp_elicitation.forms.check import Check
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import ModeNotAdvertised, SecretInForm
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty, StringProperty
from acp_elicitation.protocol.version import V1


class Client:
    """Accepts everything, with the content that the test says."""

    def __init__(self, content: JsonObject) -> None:
        self.asked: list[JsonObject] = []
        self._content = content

    async def request(self, method: str, params: JsonObject) -> object:
        self.asked.append(params)
        return {"action": "accept", "content": self._content}

    def notify(self, method: str, params: JsonObject) -> None:
        raise AssertionError("nothing is told")


def elicitor(client: Client, *, form: bool = True) -> Elicitor:
    return Elicitor(client, capabilities=Capabilities(form=form), version=V1)


KEY = FormSchema(properties={"api_key": StringProperty()})


@pytest.mark.requirement("FORM-5")
async def test_a_form_that_asks_for_a_secret_is_never_sent() -> None:
    client = Client({})
    with pytest.raises(SecretInForm) as raised:
        await elicitor(client).form("How do I reach the service?", KEY, session="s")
    assert (raised.value.property, raised.value.where) == ("api_key", "name")
    with pytest.raises(SecretInForm):
        await elicitor(client).text("Please enter your password.", session="s")
    assert client.asked == []


@pytest.mark.requirement("FORM-6")
@pytest.mark.parametrize("advertised", [True, False])
async def test_a_secret_never_falls_back(advertised: bool) -> None:
    async def other_way(unanswered: object) -> Any:
        raise AssertionError("not reached")

    with pytest.raises(SecretInForm):
        await elicitor(Client({}), form=advertised).form("?", KEY, session="s", fallback=other_way)


@pytest.mark.requirement("FORM-6")
async def test_a_link_has_no_fallback_but_fails() -> None:
    with pytest.raises(ModeNotAdvertised):
        await elicitor(Client({})).link("Connect", "https://agent.example/c", session="s")


@pytest.mark.requirement("FORM-5")
async def test_a_property_that_was_reviewed_is_asked_for() -> None:
    client = Client({"api_key": "the one in the README"})
    answer = await elicitor(client).form("Which?", KEY, session="s", reviewed=["api_key"])
    assert answer == Accepted({"api_key": "the one in the README"})


@pytest.mark.requirement("FORM-5")
@pytest.mark.parametrize("name", ["max_tokens", "key_name", "username", "secretary"])
async def test_ordinary_wording_is_asked_for(name: str) -> None:
    client = Client({})
    form = FormSchema(properties={name: StringProperty(), "limit": IntegerProperty()})
    assert await elicitor(client).form("Please fill this in.", form, session="s") == Accepted({})


@pytest.mark.requirement("FORM-9")
async def test_a_pattern_is_judged_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    judged_in: list[threading.Thread] = []
    judge = Check.of

    def noting(check: Check, name: str, value: object) -> list[Problem]:
        judged_in.append(threading.current_thread())
        return judge(check, name, value)

    monkeypatch.setattr(Check, "of", noting)
    guard = Guard()
    await guard.check("?", Check(FormSchema(properties={"a": StringProperty(default="a")})))
    patterned = FormSchema(properties={"a": StringProperty(pattern="^a+$", default="a")})
    await guard.check("?", Check(patterned))
    assert [thread is threading.main_thread() for thread in judged_in] == [True, False]


@pytest.mark.requirement("FORM-7")
async def test_a_url_in_a_form_is_warned_about_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    guard = Guard()
    form = FormSchema(properties={"a": StringProperty(title="See https://a.example")})
    for _ in range(2):
        await guard.check("Look at https://b.example first.", Check(form))
    assert [record.getMessage() for record in caplog.records] == [
        "a form has a URL in message; ask with a link instead (FORM-7)",
        "a form has a URL in the title of property 'a'; ask with a link instead (FORM-7)",
    ]


async def test_a_form_is_judged_again_after_many_others(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    guard = Guard()
    forms = [FormSchema(properties={"a": StringProperty()}) for _ in range(65)]
    for form in forms:
        await guard.check("https://a.example", Check(form))
    await guard.check("https://a.example", Check(forms[0]))
    assert len(caplog.records) == 66


@pytest.mark.requirement("FORM-9")
@pytest.mark.parametrize(("words", "elsewhere"), [("x" * 5_000, True), ("x", False)])
async def test_a_long_form_is_judged_off_the_event_loop(
    words: str, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    def find(*_: object, **__: object) -> list[object]:
        threads.append(threading.get_ident())
        return []

    monkeypatch.setattr("acp_elicitation.agent.guard.find_secrets", find)
    form = FormSchema(properties={"name": StringProperty(description=words)})
    await elicitor(Client({})).form("Who?", form, session="s")
    assert [thread != threading.get_ident() for thread in threads] == [elsewhere]
