"""The questions of a turn, and the time that its user took."""

import asyncio

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.turn import Turn
from acp_elicitation.agent.turns import Turns, Waiting, Withdrawn
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import AnswerTimeout
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.version import V1, V2, Version
from tests.held import HeldPresenter
from tests.pair import joined

EMPTY = FormSchema(properties={})


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Told:
    """What the client was told, and a client that answers when the test says so."""

    def __init__(self) -> None:
        self.states: list[tuple[str, str]] = []
        self.sent: asyncio.Queue[asyncio.Future[object]] = asyncio.Queue()

    async def request(self, method: str, params: JsonObject) -> object:
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.sent.put_nowait(answer)
        return await answer

    def notify(self, method: str, params: JsonObject) -> None:
        assert method == "session/update"
        self.states.append((params["sessionId"], params["update"]["state"]))


ACCEPT = {"action": "accept"}


async def test_overlapping_questions_count_once() -> None:
    clock = Clock()
    waiting = Waiting(clock)
    assert (waiting.seconds, waiting.now) == (0, False)
    waiting.begin()
    clock.now += 5
    waiting.begin()
    clock.now += 5
    waiting.end()
    assert (waiting.seconds, waiting.now) == (10, True)
    clock.now += 5
    waiting.end()
    clock.now += 50
    assert (waiting.seconds, waiting.now) == (15, False)


async def test_a_time_limit_stands_still_while_the_user_is_waited_for() -> None:
    loop = asyncio.get_running_loop()
    waiting = Waiting(loop.time)
    async with waiting.timeout(60):
        waiting.begin()
        limits = waiting.paused
        assert [limit.when() for limit in limits] == [None]
        waiting.end()
        when = limits[0].when()
        assert when is not None
        assert 55 < when - loop.time() <= 60


async def test_a_time_limit_set_while_the_user_is_waited_for_begins_after() -> None:
    waiting = Waiting(asyncio.get_running_loop().time)
    waiting.begin()
    async with waiting.timeout(0):
        await asyncio.sleep(0)
    waiting.end()
    with pytest.raises(TimeoutError):
        async with waiting.timeout(0):
            await asyncio.Event().wait()


async def test_a_time_limit_that_has_passed_ends_the_block() -> None:
    waiting = Waiting(asyncio.get_running_loop().time)

    async def work() -> None:
        async with waiting.timeout(0):
            waiting.begin()
            waiting.end()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await work()


async def test_a_question_after_the_limit_changes_nothing() -> None:
    waiting = Waiting(asyncio.get_running_loop().time)

    async def work() -> None:
        async with waiting.timeout(0):
            try:
                await asyncio.Event().wait()
            finally:
                waiting.begin()
                waiting.end()

    with pytest.raises(TimeoutError):
        await work()
    assert waiting.paused == []


@pytest.mark.requirement("REQ-4")
async def test_a_turn_that_waits_for_its_user_says_so_once() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V2)
    elicitor.begin_turn("s")
    first = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    second = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    answers = [await client.sent.get(), await client.sent.get()]
    assert client.states == [("s", "requires_action")]
    answers[0].set_result(ACCEPT)
    await first
    assert client.states == [("s", "requires_action")]
    answers[1].set_result(ACCEPT)
    await second
    assert client.states == [("s", "requires_action"), ("s", "running")]


@pytest.mark.requirement("REQ-4")
async def test_a_question_that_blocks_nothing_says_nothing() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V2)
    elicitor.begin_turn("s")
    task = asyncio.create_task(elicitor.form("?", EMPTY, session="s", blocks=False))
    (await client.sent.get()).set_result(ACCEPT)
    assert await task == Accepted({})
    assert client.states == []


@pytest.mark.requirement("REQ-4")
@pytest.mark.parametrize(("version", "begins"), [(V1, True), (V2, False)])
async def test_outside_a_turn_and_in_version_1_nothing_is_said(
    version: Version, begins: bool
) -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=version)
    if begins:
        elicitor.begin_turn("s")
    task = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    (await client.sent.get()).set_result(ACCEPT)
    await task
    assert client.states == []


@pytest.mark.requirement("REQ-4")
async def test_the_updates_of_a_whole_turn_stand_in_order() -> None:
    user = HeldPresenter()

    async def on_prompt(turn: Turn) -> None:
        await turn.elicitor.form("?", EMPTY, session=turn.session_id)

    async with joined(on_prompt, user, version=V2) as pair:
        turn = asyncio.create_task((await pair.session()).prompt("go"))
        user.reply(await user.next_form(), Declined())
        await turn
        states = [update.get("state") for update in pair.updates]
    assert states == [None, "running", "requires_action", "running", "idle"]


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_turn_withdraws_exactly_its_own_questions() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V2)
    elicitor.begin_turn("mine")
    elicitor.begin_turn("other")
    mine = asyncio.create_task(elicitor.form("?", EMPTY, session="mine"))
    await client.sent.get()
    other = asyncio.create_task(elicitor.form("?", EMPTY, session="other"))
    answer = await client.sent.get()
    elicitor.cancel_turn("mine")
    assert await mine == Cancelled("withdrawn")
    assert not mine.cancelling()
    answer.set_result(ACCEPT)
    assert await other == Accepted({})
    assert client.states == [
        ("mine", "requires_action"),
        ("other", "requires_action"),
        ("other", "running"),
    ]


@pytest.mark.requirement("REQ-5")
async def test_no_question_is_sent_after_its_turn_was_cancelled() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True, url=True), version=V2)
    elicitor.begin_turn("s")
    elicitor.cancel_turn("s")
    assert await elicitor.form("?", EMPTY, session="s") == Cancelled("withdrawn")
    link = await elicitor.link("m", "https://a.example", session="s")
    assert link.answer == Cancelled("withdrawn")
    elicitor.end_turn("s")
    assert client.sent.empty()
    elicitor.begin_turn("s")
    task = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    (await client.sent.get()).set_result(ACCEPT)
    assert await task == Accepted({})


@pytest.mark.requirement("REQ-5")
async def test_a_closed_session_withdraws_its_questions() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V1)
    task = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    await client.sent.get()
    elicitor.close_session("s")
    elicitor.close_session("never opened")
    assert await task == Cancelled("withdrawn")


async def test_a_question_of_a_request_belongs_to_no_turn() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V2)
    task = asyncio.create_task(elicitor.form("?", EMPTY, request=7))
    answer = await client.sent.get()
    waited = [elicitor.waiting.now]
    answer.set_result(ACCEPT)
    assert await task == Accepted({})
    assert [*waited, elicitor.waiting.now] == [True, False]
    assert client.states == []


async def test_who_cancels_the_asking_task_is_not_told_of_the_withdrawal() -> None:
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V1)
    task = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    await client.sent.get()
    elicitor.cancel_turn("s")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_sessions_that_are_over_are_forgotten() -> None:
    turns = Turns(clock=Clock(), tell=lambda _session, _state: None)
    for number in range(3):
        turns.begin(f"s{number}")
        with turns.question(f"s{number}", blocks=True):
            pass
        turns.end(f"s{number}")
    with turns.question("unbegun", blocks=True):
        pass
    assert len(turns) == 0
    turns.cancel("s")
    with pytest.raises(Withdrawn):
        turns.question("s", blocks=True).__enter__()
    assert len(turns) == 1


@pytest.mark.requirement("RES-5")
async def test_the_questions_of_a_turn_share_its_deadline() -> None:
    clock = Clock()
    client = Told()
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V1, clock=clock)
    elicitor.begin_turn("s")
    elicitor.limit_turn("s", 60)
    clock.now += 61
    with pytest.raises(AnswerTimeout):
        await elicitor.form("?", EMPTY, session="s")
    await client.sent.get()
    elicitor.begin_turn("s")
    task = asyncio.create_task(elicitor.form("?", EMPTY, session="s"))
    (await client.sent.get()).set_result(ACCEPT)
    assert await task == Accepted({})


def test_the_shorter_of_two_limits_holds() -> None:
    clock = Clock()
    turns = Turns(clock=clock, tell=lambda _session, _state: None)
    assert turns.seconds_left(None, None) is None
    assert turns.seconds_left("s", 5) == 5
    turns.begin("s")
    turns.limit("s", 10)
    assert turns.seconds_left("s", None) == 10
    assert turns.seconds_left("s", 3) == 3
    clock.now += 8
    assert turns.seconds_left("s", 3) == 2
    assert turns.seconds_left("other", 3) == 3


@pytest.mark.requirement("REQ-5")
async def test_cancelled_turns_that_are_long_over_are_forgotten() -> None:
    turns = Turns(clock=Clock(), tell=lambda session, state: None)
    turns.begin("running")
    turns.cancel("running")
    for number in range(3_000):
        turns.begin(str(number))
        turns.cancel(str(number))
        turns.end(str(number))
        turns.cancel(f"unknown {number}")
    assert len(turns) == 1_001
    with pytest.raises(Withdrawn), turns.question("running", blocks=True):
        pass
    with pytest.raises(Withdrawn), turns.question("2999", blocks=True):
        pass
    turns.end("running")
    assert len(turns) == 1_000
    turns.begin("2999")
    turns.end("2999")
    assert len(turns) == 999
