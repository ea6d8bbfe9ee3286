"""Reading forms, and remembering those that were found fit to show."""

from typing import Any

import pytest

from acp_elicitation.client.form_reader import FormReader
from acp_elicitation.client.limits import Limits
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.schema import IntegerProperty
from acp_elicitation.protocol.version import V1, V2


def form(*names: str, **members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "integer", **members} for name in names},
    }


def test_a_form_that_was_read_before_is_the_same_one() -> None:
    reader = FormReader(Limits())
    assert reader.read(form("a"), V1) is reader.read(form("a"), V1)
    assert reader.read(form("a"), V1) is not reader.read(form("a"), V2)


@pytest.mark.requirement("FWD-9")
def test_another_order_is_another_form() -> None:
    reader = FormReader(Limits())
    assert list(reader.read(form("a", "b"), V1).properties) == ["a", "b"]
    assert list(reader.read(form("b", "a"), V1).properties) == ["b", "a"]


@pytest.mark.requirement("FWD-5")
def test_what_python_takes_for_equal_is_not_the_same_form() -> None:
    reader = FormReader(Limits())
    assert reader.read(form("a", minimum=1), V1).properties["a"] == IntegerProperty(
        minimum=1, raw={"type": "integer", "minimum": 1}
    )
    with pytest.raises(MalformedMessage):
        reader.read(form("a", minimum=True), V1)


def test_a_form_that_is_not_fit_to_show_is_never_remembered() -> None:
    reader = FormReader(Limits(properties=1))
    for _ in range(2):
        with pytest.raises(MalformedMessage):
            reader.read(form("a", "b"), V1)


@pytest.mark.parametrize("title", ["x" * 20_000, "\ud800"])
def test_a_large_or_strange_form_is_read_anew(title: str) -> None:
    reader = FormReader(Limits())
    one, other = (reader.read(form("a", title=title), V1) for _ in range(2))
    assert one == other
    assert one is not other


def test_the_oldest_of_many_forms_is_forgotten() -> None:
    reader = FormReader(Limits())
    first = reader.read(form("first"), V1)
    for number in range(63):
        reader.read(form(f"p{number}"), V1)
    assert reader.read(form("first"), V1) is first
    reader.read(form("one more"), V1)
    assert reader.read(form("first"), V1) is not first


def test_a_known_form_is_checked_by_what_was_found_out_about_it_before() -> None:
    reader = FormReader(Limits())
    known, large = reader.read(form("a"), V1), reader.read(form("a", title="x" * 20_000), V1)
    assert reader.check_of(known) is reader.check_of(known)
    assert reader.check_of(large) is not reader.check_of(large)
    for number in range(64):
        reader.read(form(f"p{number}"), V1)
    assert reader.check_of(known) is not reader.check_of(known)
    for one in (known, large):
        assert reader.check_of(one).schema is one
