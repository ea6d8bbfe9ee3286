"""The check agrees with the `jsonschema` package, and judges anything without an exception.

The two differ on purpose in what that package does not know: patterns in ECMA-262, the formats, and
keys that a form does not declare (asked of it as `additionalProperties: false`); and in the size of
integers, which is asked of it as limits.
"""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from acp_elicitation.forms.check import check, clean, compile_check, find_bad_pattern, unanswerable
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty, StringProperty
from acp_elicitation.protocol.schema_wire import read_schema, write_schema
from acp_elicitation.protocol.version import V1
from tests import small_forms
from tests import strategies as ours


def _invalid_by_jsonschema(schema: dict[str, Any], content: dict[str, Any]) -> set[str]:
    """The names whose value, or absence, the package rejects: each asked for alone."""
    declared = Draft202012Validator(
        {"properties": schema["properties"], "additionalProperties": False}
    )
    wrong = {name for name, value in content.items() if not declared.is_valid({name: value})}
    for name in schema.get("required", ()):
        if not Draft202012Validator({"required": [name]}).is_valid(content):
            wrong.add(name)
    return wrong


@pytest.mark.requirement("FORM-2", "FORM-3", "RES-3")
@given(st.data())
def test_each_property_is_valid_where_jsonschema_finds_it_valid(data: st.DataObject) -> None:
    schema = data.draw(small_forms.forms(checkable_elsewhere=True))
    content = data.draw(small_forms.contents(schema))
    written = write_schema(schema)
    Draft202012Validator.check_schema(written)
    for member in written["properties"].values():
        if member["type"] == "integer":
            member["allOf"] = [{"minimum": -(2**63), "maximum": 2**63 - 1}]
    expected = _invalid_by_jsonschema(written, content)
    assert {problem.property for problem in check(schema, content)} == expected
    whole = Draft202012Validator(written | {"additionalProperties": False})
    assert (check(schema, content) == []) is whole.is_valid(content)


@given(st.data())
def test_a_form_that_was_sent_and_read_judges_the_same(data: st.DataObject) -> None:
    schema = data.draw(small_forms.forms())
    content = data.draw(small_forms.contents(schema))
    assert check(read_schema(write_schema(schema), V1), content) == check(schema, content)


_ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary(max_size=3)
    | st.text(st.characters(categories=["Cs"]), min_size=1, max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.mark.requirement("FORM-9")
@example(FormSchema(properties={"x": IntegerProperty(maximum=1)}), {"x": float("nan")}, [])
@example(
    FormSchema(properties={"x": StringProperty(pattern="(a*)*b")}), {"x": "a" * 99}, ["\ud800"]
)
@given(
    ours.form_schemas() | small_forms.forms(),
    st.dictionaries(st.text(max_size=2), _ANYTHING, max_size=3),
    st.lists(_ANYTHING, max_size=4),
)
def test_any_content_gives_a_list_of_problems(
    schema: FormSchema, content: dict[str, Any], values: list[Any]
) -> None:
    content = dict(zip(schema.properties, values, strict=False)) | content
    problems = check(schema, content)
    assert compile_check(schema)(content) == problems
    of_declared = [problem for problem in problems if problem.property in schema.properties]
    cleaned = check(schema, clean(schema, content))
    assert [problem for problem in cleaned if problem.property in schema.properties] == of_declared
    assert all(problem.code != "undeclared" for problem in cleaned)
    assert {problem.property for problem in problems} <= {
        *schema.properties,
        *schema.required,
        *content,
    }


@given(ours.form_schemas() | small_forms.forms())
def test_any_form_is_looked_through_before_it_is_shown(schema: FormSchema) -> None:
    bad = find_bad_pattern(schema)
    assert bad is None or bad[0] in schema.properties
    assert {problem.property for problem in unanswerable(schema)} <= set(schema.required)


@given(st.data())
def test_a_question_that_cannot_be_answered_has_no_valid_value(data: st.DataObject) -> None:
    schema = data.draw(small_forms.forms(checkable_elsewhere=True))
    content = data.draw(small_forms.contents(schema))
    if unanswerable(schema):
        # Repeating a choice reaches a number that the options do not: no person can do that.
        repeated = any(isinstance(value, list) for value in content.values())
        assert repeated or check(schema, content)
