"""What an agent does when a form cannot be asked, or was not answered."""

import asyncio
from typing import Any

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.fallback import Ladder, Unanswered
from acp_elicitation.agent.permission import via_permission
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import (
    AnswerTimeout,
    ConnectionLost,
    InvalidAnswer,
    ModeNotAdvertised,
    NotPossible,
    RemoteError,
    UnsupportedType,
)
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty
from acp_elicitation.protocol.version import V1

PORT = FormSchema(properties={"port": IntegerProperty()}, required=("port",))


class Client:
    """Answers every request with what the test says, or never."""

    def __init__(self, result: object = None) -> None:
        self.sent: list[str] = []
        self._result = result

    async def request(self, method: str, params: JsonObject) -> object:
        self.sent.append(method)
        if isinstance(self._result, Exception):
            raise self._result
        return await self._result if isinstance(self._result, asyncio.Future) else self._result

    def notify(self, method: str, params: JsonObject) -> None:
        raise AssertionError("nothing is told")


def elicitor(client: Client, *, form: bool = True) -> Elicitor:
    return Elicitor(client, capabilities=Capabilities(form=form), version=V1)


async def guess(unanswered: Unanswered) -> dict[str, Any]:
    return {"port": 1}


async def refuse(unanswered: Unanswered) -> Answer[dict[str, Any]]:
    return Declined()


async def cannot(unanswered: Unanswered) -> Answer[dict[str, Any]]:
    raise NotPossible(way="cannot", reason="never")


@pytest.mark.requirement("CAP-5")
@pytest.mark.parametrize(
    ("fallback", "answer"),
    [
        ({"port": 8080}, Accepted({"port": 8080}, via="value")),
        (guess, Accepted({"port": 1}, via="guess")),
        (refuse, Declined(via="refuse")),
        (Ladder(cannot, guess), Accepted({"port": 1}, via="guess")),
        (Ladder(cannot, {"port": 2}, guess), Accepted({"port": 2}, via="value")),
    ],
)
async def test_a_fallback_answers_where_the_mode_is_missing(fallback: Any, answer: object) -> None:
    client = Client()
    given = await elicitor(client, form=False).form("?", PORT, session="s", fallback=fallback)
    assert given == answer
    assert client.sent == []


@pytest.mark.requirement("RES-5")
@pytest.mark.parametrize(
    "result",
    [
        RemoteError(code=-32603, message="broken"),
        ConnectionLost(),
        {"action": 5},
        {"action": "accept", "content": {"port": "x"}},
    ],
)
async def test_a_fallback_answers_where_no_usable_answer_came(result: object) -> None:
    given = await elicitor(Client(result)).form("?", PORT, session="s", fallback={"port": 1})
    assert given == Accepted({"port": 1}, via="value")


@pytest.mark.requirement("RES-5")
async def test_a_fallback_answers_after_the_time_limit() -> None:
    never: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    given = await elicitor(Client(never)).form(
        "?", PORT, session="s", timeout=0.01, fallback={"port": 1}
    )
    assert given == Accepted({"port": 1}, via="value")


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize(("action", "answer"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_the_users_no_needs_no_fallback(action: str, answer: object) -> None:
    client = Client({"action": action})
    assert await elicitor(client).form("?", PORT, session="s", fallback=guess) == answer


async def test_without_any_rung_that_answers_the_first_error_is_raised() -> None:
    with pytest.raises(ModeNotAdvertised):
        await elicitor(Client(), form=False).form("?", PORT, session="s", fallback=cannot)
    never: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    with pytest.raises(AnswerTimeout):
        await elicitor(Client(never)).form(
            "?", PORT, session="s", timeout=0.01, fallback=Ladder(cannot, cannot)
        )


@pytest.mark.requirement("FORM-1")
async def test_a_mistake_of_the_caller_is_no_reason_to_fall_back() -> None:
    with pytest.raises(UnsupportedType):
        await elicitor(Client()).form("?", object, session="s", fallback=guess)


async def test_a_rung_sees_what_was_asked_and_why_it_is_needed() -> None:
    seen: list[Unanswered] = []

    async def look(unanswered: Unanswered) -> Any:
        seen.append(unanswered)
        with pytest.raises(InvalidAnswer):
            await unanswered.receive({"port": "x"})
        return await unanswered.receive({"port": 3.0, "other": 1})

    given = await elicitor(Client(), form=False).form("?", PORT, session="s", fallback=look)
    assert given == Accepted({"port": 3}, via="look")
    assert (seen[0].message, seen[0].form) == ("?", PORT)
    assert isinstance(seen[0].error, ModeNotAdvertised)


async def test_a_short_question_falls_back_to_its_own_kind_of_value() -> None:
    asking = elicitor(Client(), form=False)
    one = await asking.choose("?", ["pg", "sqlite"], session="s", fallback="sqlite")
    many = await asking.choose_many("?", ["a", "b"], session="s", fallback=["a"])
    sure = await asking.confirm("?", session="s", fallback=False)
    assert (one.unwrap(), many.unwrap(), sure.unwrap()) == ("sqlite", ["a"], False)


@pytest.mark.requirement("RES-5")
async def test_a_rung_has_the_time_limit_of_the_question() -> None:
    async def forever(unanswered: Unanswered) -> Any:
        await asyncio.Event().wait()

    given = await elicitor(Client(), form=False).form(
        "?", PORT, session="s", timeout=0.01, fallback=Ladder(forever, {"port": 1})
    )
    assert given == Accepted({"port": 1}, via="value")


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_turn_ends_the_rung_that_asks() -> None:
    never: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    asking = elicitor(Client(never), form=False)
    form = FormSchema(properties={})
    task = asyncio.create_task(asking.form("?", form, session="s", fallback=via_permission))
    await asyncio.sleep(0)
    asking.cancel_turn("s")
    assert await task == Cancelled("withdrawn")
