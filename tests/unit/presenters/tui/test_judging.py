"""Edits and judgements of a draft, one at a time."""

import asyncio
import threading

import pytest

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.tui.judging import Judge
from acp_elicitation.protocol.schema import FormSchema, StringProperty


def judge_of(pattern: str | None = None) -> Judge:
    member = StringProperty(min_length=2, pattern=pattern)
    schema = FormSchema(properties={"a": member, "b": StringProperty()}, required=("a",))
    return Judge(FormDraft(schema))


@pytest.mark.parametrize("pattern", [None, "^x+$"])
@pytest.mark.requirement("FORM-2", "FORM-9")
async def test_edits_are_made_in_their_order_before_anything_is_judged(pattern: str | None) -> None:
    judge = judge_of(pattern)
    assert [problem.code for problem in await judge.problems()] == ["required"]
    for text in ("x", "xx", "xxx"):
        judge.edit(lambda text=text: judge.draft.enter("a", text))  # type: ignore[misc]
    was_behind = judge.is_behind
    assert judge.draft.text("a") == ""
    assert await judge.problems(["a"]) == []
    assert (was_behind, judge.is_behind) == (True, False)
    assert await judge.content() == {"a": "xxx"}


async def test_content_is_the_problems_where_there_are_any() -> None:
    judge = judge_of("^x+$")
    judge.edit(lambda: judge.draft.enter("a", "yy"))
    found = await judge.content()
    assert isinstance(found, list)
    assert [problem.code for problem in found] == ["pattern"]


@pytest.mark.requirement("FORM-9")
async def test_an_edit_waits_for_a_judgement_that_runs_even_where_nobody_waits_for_that() -> None:
    judge = judge_of("^x+$")
    begun, go_on = threading.Event(), threading.Event()
    texts = []
    problems_of = judge.draft.problems

    def slowly(name: str | None = None) -> list[Problem]:
        texts.append(judge.draft.text("a"))
        begun.set()
        assert go_on.wait(10)
        texts.append(judge.draft.text("a"))
        return problems_of(name)

    judge.draft.problems = slowly  # type: ignore[method-assign]
    waiting = asyncio.create_task(judge.problems(["a"]))
    await asyncio.to_thread(begun.wait, 10)
    waiting.cancel()
    await asyncio.wait([waiting])
    judge.edit(lambda: judge.draft.enter("a", "xx"))
    second = asyncio.create_task(judge.problems(["a"]))
    await asyncio.to_thread(lambda: None)  # the second one comes as far as it gets
    go_on.set()
    assert await second == []
    assert texts == ["", "", "xx", "xx"]
