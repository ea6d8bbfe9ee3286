"""When the turns of an SDK's sessions begin and end."""

import pytest

from acp_elicitation.bridges.prompts import OpenPrompts
from acp_elicitation.protocol.version import V1, V2


def test_in_version_1_the_answer_ends_the_turn() -> None:
    prompts = OpenPrompts(V1)
    assert prompts.begin(1, "s")
    assert prompts.answered(1, failed=False) == "s"
    assert prompts.begin(2, "s")


def test_in_version_2_an_update_ends_the_turn() -> None:
    prompts = OpenPrompts(V2)
    assert prompts.begin(1, "s")
    assert prompts.answered(1, failed=False) is None
    assert not prompts.begin(2, "s")
    prompts.idle("s")
    assert prompts.begin(3, "s")


def test_an_update_ends_the_turn_of_its_session_only() -> None:
    prompts = OpenPrompts(V2)
    prompts.begin(1, "s")
    prompts.begin(2, "t")
    prompts.idle("s")
    assert (prompts.session_of(1), prompts.session_of(2)) == (None, "t")


@pytest.mark.parametrize("version", [V1, V2])
def test_a_prompt_that_is_refused_while_the_turn_runs_does_not_end_it(version: object) -> None:
    prompts = OpenPrompts(version)  # type: ignore[arg-type]
    assert prompts.begin(1, "s")
    assert not prompts.begin("2", "s")
    assert prompts.answered("2", failed=True) is None
    assert prompts.answered(1, failed=True) == "s"


@pytest.mark.parametrize("id", [None, True, [1], {}, 1.5])
def test_what_is_no_id_is_no_prompt(id: object) -> None:
    prompts = OpenPrompts(V1)
    prompts.begin(1, "s")
    assert not prompts.begin(id, "t")
    assert prompts.session_of(id) is None
    assert prompts.answered(id, failed=False) is None


def test_ids_are_told_apart_by_their_type() -> None:
    prompts = OpenPrompts(V1)
    prompts.begin(1, "s")
    prompts.begin("1", "t")
    assert (prompts.session_of(1), prompts.session_of("1")) == ("s", "t")
