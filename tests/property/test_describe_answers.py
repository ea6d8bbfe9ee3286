"""Any answer at all becomes an instance of the type that was asked for, or an `InvalidAnswer`.

What fits the form can fail in two ways only: the type itself rejects it, or Python has no such
moment (a leap second, the year 0).
"""

import datetime
import enum
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from annotated_types import Gt, MultipleOf
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel, Field

from acp_elicitation.forms.check import check
from acp_elicitation.forms.describe import describe
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


@dataclass
class Data:
    text: Annotated[str, Field(max_length=5)]
    whole: Annotated[int, MultipleOf(2)]
    number: Annotated[float, Gt(0)]
    yes: bool
    letter: Literal["a", "b"]
    digit: Literal[1, 2]
    color: Color | None
    colors: frozenset[Color]
    day: datetime.date
    moment: datetime.datetime
    id: UUID
    amount: Annotated[Decimal, Field(max_digits=3)]
    exact: Annotated[Decimal, Field(max_digits=20)]
    path: Path


class Model(BaseModel):
    text: str = Field(default="", max_length=5)
    whole: int = Field(default=0, multiple_of=2)
    number: float = Field(default=1, gt=0)
    colors: set[Color] = set()
    day: datetime.date | None = None
    moment: datetime.datetime | None = None
    id: UUID | None = None
    amount: Decimal = Field(default=Decimal(0), max_digits=3)
    url: AnyUrl | None = None
    path: Path | None = None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
_TELLING = st.sampled_from(
    [
        *("a", "1", "red", "RED", "BLUE", "0.10", "\0", chr(0xD800), 10**5000),
        *("0000-01-01", "2026-12-31", "2026-12-31T23:59:60Z", "2026-12-31T18:00:00+01:00"),
        *("12345678-1234-5678-1234-567812345678", "https://example.org"),
    ]
)
_VALUE = _JSON | _TELLING | st.lists(st.sampled_from(["RED", "BLUE"])) | st.integers(-5, 5)


def _answers(source: Any) -> st.SearchStrategy[dict[str, Any]]:
    names = list(describe(source).schema.properties)
    return st.dictionaries(st.sampled_from([*names, "other"]), _VALUE, max_size=len(names))


def _outcome(source: Any, content: dict[str, Any]) -> object:
    try:
        return describe(source).build(content)
    except InvalidAnswer as error:
        found = error
    assert found.problems
    assert found.__context__ is None
    return found


@given(_answers(Data))
def test_any_content_becomes_a_dataclass_or_an_invalid_answer(content: dict[str, Any]) -> None:
    assert isinstance(_outcome(Data, content), Data | InvalidAnswer)


@given(_answers(Model))
def test_any_content_becomes_a_model_or_an_invalid_answer(content: dict[str, Any]) -> None:
    outcome = _outcome(Model, content)
    if check(describe(Model).schema, content):
        return
    if isinstance(outcome, InvalidAnswer):
        found = {(one.code) for one in outcome.problems if isinstance(one, Problem)}
        assert found <= {"rejected", "format"}
    else:
        assert isinstance(outcome, Model)


@given(_answers(Data))
def test_what_the_form_refuses_in_kind_the_type_refuses_too(content: dict[str, Any]) -> None:
    kinds = {"type", "not-a-choice", "required", "undeclared"}
    found = {one.property for one in check(describe(Data).schema, content) if one.code in kinds}
    outcome = _outcome(Data, content)
    refused = (
        {one.property for one in outcome.problems} if isinstance(outcome, InvalidAnswer) else set()
    )
    assert found <= refused
