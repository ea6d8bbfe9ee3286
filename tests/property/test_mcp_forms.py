"""Forms of MCP servers: whatever comes, an agent sends a valid form of ACP or none.

Invariants: any JSON is forwarded as a form that the official schemas of both versions take, or is
`NotForwarded`, and nothing else is raised; the server's own words change only where a loss says so;
a form of ACP that goes to MCP and back is the same.
"""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.bridges.mcp.losses import NotForwarded
from acp_elicitation.bridges.mcp.questions import ServerForm, read_question
from acp_elicitation.bridges.mcp.schemas import read_server_form
from acp_elicitation.bridges.mcp.writing import write_mcp_form
from acp_elicitation.forms.check import compile_check
from acp_elicitation.forms.own import check_own_form
from acp_elicitation.protocol.errors import InvalidQuestion, ModeNotAdvertised
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Option,
    SelectProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.schema_wire import write_schema
from acp_elicitation.protocol.version import V1, V2
from tests.official_schemas import strict_validator
from tests.strategies import form_schemas, json_values, without_raw

NAMES = st.text("abc/~$", max_size=3)
TEXTS = st.sampled_from(["", "a", "b", "x\ny", "é"])
NUMBERS = st.one_of(st.integers(-3, 9), st.floats(-9, 9), st.just(2**70))
CHOICES = st.lists(TEXTS, max_size=3)
TITLED = st.lists(st.fixed_dictionaries({"const": TEXTS, "title": TEXTS}), max_size=3)

MEMBERS: dict[str, st.SearchStrategy[Any]] = {
    "title": TEXTS,
    "description": TEXTS,
    "default": st.one_of(TEXTS, NUMBERS, st.booleans(), CHOICES),
    "enum": st.one_of(CHOICES, st.lists(NUMBERS, max_size=2)),
    "enumNames": CHOICES,
    "oneOf": TITLED,
    "items": st.fixed_dictionaries(
        {}, optional={"type": st.just("string"), "enum": CHOICES, "anyOf": TITLED}
    ),
    "minimum": NUMBERS,
    "maximum": NUMBERS,
    "exclusiveMinimum": NUMBERS,
    "exclusiveMaximum": st.one_of(NUMBERS, st.booleans()),
    "multipleOf": NUMBERS,
    "minLength": st.integers(-1, 4),
    "maxLength": st.integers(0, 4),
    "minItems": st.integers(0, 3),
    "maxItems": st.integers(0, 3),
    "format": st.sampled_from(["email", "date", "password", "x"]),
    "const": TEXTS,
    "examples": CHOICES,
    "_meta": st.just({"a": 1}),
}
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
PROPERTY = st.one_of(
    st.fixed_dictionaries({"type": TYPES}, optional={}).flatmap(
        lambda head: st.dictionaries(
            st.sampled_from(sorted(MEMBERS)), st.none(), max_size=5
        ).flatmap(
            lambda chosen: st.fixed_dictionaries(
                {"type": st.just(head["type"]), **{name: MEMBERS[name] for name in chosen}}
            )
        )
    ),
    json_values(),
)
FORM = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(NAMES, PROPERTY, max_size=4),
    },
    optional={
        "required": st.lists(NAMES, max_size=2),
        "title": TEXTS,
        "$schema": TEXTS,
        "additionalProperties": st.booleans(),
    },
)


def read(value: Any) -> FormSchema | None:
    try:
        description, _ = read_server_form(value)
    except NotForwarded:
        return None
    return description.schema


@given(value=st.one_of(FORM, json_values()))
def test_any_form_becomes_one_that_acp_allows_or_none(value: Any) -> None:
    form = read(value)
    if form is None:
        return
    for version in (V1, V2):
        sent = write_schema(form, version)
        strict_validator(version.number, "ElicitationSchema").validate(sent)
        assert list(sent["properties"]) == list(value["properties"])
        msgspec.json.encode(sent)


@given(value=FORM)
def test_what_is_forwarded_passes_the_checks_of_an_agents_own_form_or_is_refused_by_them(
    value: Any,
) -> None:
    form = read(value)
    if form is None:
        return
    assert form.raw is None
    assert not any(isinstance(one, UnknownProperty) for one in form.properties.values())
    try:
        check_own_form(compile_check(form))
        where = ""
    except InvalidQuestion as error:
        where = error.where
    assert "default" not in where


@given(params=st.one_of(json_values(), st.fixed_dictionaries({"requestedSchema": FORM})))
def test_any_params_are_a_question_or_not_forwarded(params: Any) -> None:
    if isinstance(params, dict):
        params = {"message": "x", **params}
    try:
        question = read_question(params)
    except (NotForwarded, ModeNotAdvertised):
        return
    assert question.message == params["message"]
    assert isinstance(question, ServerForm) or params["mode"] == "url"


def _sayable(form: FormSchema) -> FormSchema | None:
    """The form as MCP can say it: without `_meta`, and with options of a title at most."""
    properties: dict[str, Any] = {}
    for name, member in form.properties.items():
        if isinstance(member, UnknownProperty):
            return None
        changes: dict[str, Any] = {"meta": None}
        if isinstance(member, SelectProperty | MultiSelectProperty):
            options = [Option(value=one.value, title=one.title) for one in member.options]
            changes["options"] = tuple(options)
        properties[name] = msgspec.structs.replace(member, **changes)
    return msgspec.structs.replace(form, properties=properties, meta=None)


@given(schema=form_schemas())
def test_a_form_that_goes_to_mcp_and_back_is_the_same_on_the_wire(schema: FormSchema) -> None:
    form = _sayable(without_raw(schema))
    if form is None:
        return
    written = write_mcp_form(write_schema(form))
    try:
        description, losses = read_server_form(written)
    except NotForwarded as error:
        pytest.fail(str(error))
    if not losses:
        assert write_schema(description.schema) == write_schema(form)
    assert all(loss.path.endswith("/default") for loss in losses)
