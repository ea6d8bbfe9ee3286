"""Edits and judgements of a draft, one at a time."""

import asyncio

import pytest

from acp_elicitation.forms.draft import FormDraft
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
    assert judge.draft.text("a") == ""
    assert await judge.problems(["a"]) == []
    assert await judge.content() == {"a": "xxx"}


async def test_content_is_the_problems_where_there_are_any() -> None:
    judge = judge_of("^x+$")
    judge.edit(lambda: judge.draft.enter("a", "yy"))
    found = await judge.content()
    assert isinstance(found, list)
    assert [problem.code for problem in found] == ["pattern"]


@pytest.mark.requirement("FORM-9")
async def test_an_edit_waits_for_a_judgement_that_runs_even_where_nobody_waits_for_that() -> None:
    judge = judge_of("^(x+x+)+$")
    judge.edit(lambda: judge.draft.enter("a", "x" * 40 + "y"))  # takes its time
    waiting = asyncio.create_task(judge.problems(["a"]))
    await asyncio.sleep(0)
    waiting.cancel()
    judge.edit(lambda: judge.draft.enter("a", "xx"))
    assert await judge.problems(["a"]) == []
    assert waiting.cancelled()
    assert judge.draft.problems("a") == []  # and nothing of the first is remembered
