import asyncio
import threading

import pytest

from acp_elicitation.presenters.web import questions
from acp_elicitation.presenters.web.questions import Question, Questions
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import BooleanProperty, Option, SelectProperty, StringProperty
from tests.unit.presenters.web.asked import ask, link_to, permit

TYPED = {"question-form": ["1"], "question-f0": ["Ada"]}


def name(**more: object) -> Question:
    return Question(ask(name=StringProperty(**more), required=("name",)))  # type: ignore[arg-type]


async def test_a_form_that_is_submitted_is_accepted_with_what_was_typed() -> None:
    question = name()
    assert await question.take(TYPED | {"do": ["submit"]})
    assert question.replied.result() == Accepted({"name": "Ada"})
    assert not question.is_open
    assert question.is_accepted


@pytest.mark.requirement("FORM-2")
async def test_a_form_with_problems_is_no_answer_and_keeps_what_was_typed() -> None:
    question = name(min_length=9)
    assert not await question.take(TYPED | {"do": ["submit"]})
    assert question.is_open
    assert isinstance(question.prompt.draft.text("name"), str)  # type: ignore[union-attr]
    assert question.prompt.draft.text("name") == "Ada"  # type: ignore[union-attr]


@pytest.mark.requirement("UI-2", "RES-1")
@pytest.mark.parametrize(("do", "reply"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_a_no_looks_at_nothing_that_was_typed(do: str, reply: object) -> None:
    question = name()
    assert await question.take(TYPED | {"do": [do]})
    assert question.replied.result() == reply
    assert not question.is_accepted
    assert question.prompt.draft.text("name") == ""  # type: ignore[union-attr]


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("do", [[], [""], ["open"], ["yes"], ["option-0"], ["decline-all"]])
async def test_what_is_no_button_of_a_form_is_no_answer(do: list[str]) -> None:
    question = name()
    assert not await question.take(TYPED | {"do": do})
    assert question.is_open


async def test_a_link_and_a_permission_take_their_own_buttons_alone() -> None:
    link, permission = Question(link_to("https://example.com/")), Question(permit("Yes", "No"))
    for do in ("submit", "option-0", "done", ""):
        assert not await link.take({"do": [do]})
    for do in ("submit", "open", "option-2", "option--1", "o0"):
        assert not await permission.take({"do": [do]})
    assert await link.take({"do": ["open"]})
    assert await permission.take({"do": ["option-1"]})
    assert link.replied.result() == Accepted(None)
    assert permission.replied.result() == Accepted("o1")


async def test_only_the_first_answer_counts() -> None:
    question = name()
    assert await question.take({"do": ["decline"]})
    assert await question.take(TYPED | {"do": ["submit"]})
    question.reply(Cancelled())
    assert question.replied.result() == Declined()


async def test_both_halves_of_a_double_click_are_one_answer() -> None:
    question = name(pattern="^A")  # judged in a thread, so that both run at once
    data = TYPED | {"do": ["submit"]}
    assert all(await asyncio.gather(question.take(data), question.take(data)))
    assert question.replied.result() == Accepted({"name": "Ada"})
    question, wrong = name(pattern="^A"), TYPED | {"question-f0": [""], "do": ["submit"]}
    assert all(await asyncio.gather(question.take(data), question.take(wrong)))
    assert question.prompt.draft.text("name") == "Ada"  # type: ignore[union-attr]


async def test_declining_all_tells_the_prompt_once() -> None:
    prompt = ask()
    told: list[str] = []
    prompt.decline_all = lambda: told.append("all")
    question = Question(prompt)
    assert await question.take({"do": ["decline-all"]})
    assert await question.take({"do": ["decline-all"]})
    assert told == ["all"]
    assert question.replied.result() == Declined()


async def test_what_is_being_typed_is_kept_and_judged() -> None:
    question = name(min_length=9)
    assert await question.save(TYPED) == {"question-f0": ["Enter at least 9 characters."]}
    assert question.is_open
    assert question.prompt.draft.text("name") == "Ada"  # type: ignore[union-attr]
    assert await Question(permit("Yes")).save(TYPED) == {}


async def test_nothing_is_typed_into_a_question_that_has_ended() -> None:
    question = name()
    question.reply(Cancelled())
    assert await question.save(TYPED) == {}
    assert question.prompt.draft.text("name") == ""  # type: ignore[union-attr]


@pytest.mark.requirement("FORM-9")
@pytest.mark.parametrize(("pattern", "in_thread"), [("^A", True), (None, False)])
async def test_a_form_with_patterns_is_drawn_and_judged_off_the_event_loop(
    pattern: str | None, in_thread: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = name(pattern=pattern)
    assert (await question.draw(threading.current_thread) is threading.main_thread()) != in_thread
    drawn = asyncio.Event()

    async def judged(draft: object) -> list[object]:
        await drawn.wait()
        return []

    monkeypatch.setattr(questions, "judge", judged)
    saving = asyncio.create_task(question.save(TYPED))
    await asyncio.sleep(0)
    drawing = asyncio.create_task(question.draw(lambda: "drawn"))
    await asyncio.sleep(0)
    assert not drawing.done()  # the draft is being judged
    drawn.set()
    assert await drawing == "drawn"
    await saving


@pytest.mark.requirement("FORM-9")
async def test_a_form_of_many_options_is_drawn_while_others_go_on() -> None:
    options = tuple(Option(value=str(number)) for number in range(2_000))
    question = Question(ask(a=SelectProperty(options=options), b=SelectProperty(options=options)))
    gone_on = threading.Event()

    def draw() -> bool:
        return gone_on.wait(20)

    drawing = asyncio.create_task(question.draw(draw))
    asyncio.get_running_loop().call_soon(gone_on.set)
    assert await drawing, "the event loop waits for the drawing"


async def test_an_ended_question_leaves_nothing_but_its_ending() -> None:
    asked = Questions()
    question = asked.open(ask(yes=BooleanProperty()))
    assert asked.find(question.id) is asked.current is question
    asked.end(question, "declined")
    ended: list[object] = [asked.current]
    assert ended == [None]
    assert asked.find(question.id) == "declined"
    asked.end(question, "expired")
    assert asked.find(question.id) == "expired"
    assert asked.find("another") is None


async def test_endings_are_not_remembered_for_ever() -> None:
    asked = Questions()
    first = asked.open(ask())
    asked.end(first, "accepted")
    for _ in range(1_000):
        asked.end(asked.open(ask()), "cancelled")
    assert asked.find(first.id) is None


async def test_the_end_of_an_older_question_leaves_the_one_before_the_user() -> None:
    asked = Questions()
    old = asked.open(ask())
    new = asked.open(ask())
    asked.end(old, "withdrawn")
    assert asked.current is new
    assert old.id != new.id
