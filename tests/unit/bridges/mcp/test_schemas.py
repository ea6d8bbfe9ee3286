"""The form of an MCP server as a form of ACP: carried, converted, checked, dropped or refused."""

from typing import Any

import pytest

from acp_elicitation.bridges.mcp.losses import NotForwarded
from acp_elicitation.bridges.mcp.schemas import read_server_form
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.schema_wire import write_schema
from acp_elicitation.protocol.version import V1, V2, Version
from tests.official_schemas import strict_validator


def asked(properties: dict[str, Any], **root: Any) -> tuple[dict[str, Any], list[str]]:
    """What goes to the ACP client, and the losses as `PATH EFFECT` below the properties."""
    value = {"type": "object", "properties": properties, **root}
    description, losses = read_server_form(value)
    prefix = "/requestedSchema"
    assert all(loss.path.startswith(prefix) for loss in losses)
    return (
        write_schema(description.schema),
        [f"{loss.path.removeprefix(prefix)} {loss.effect}" for loss in losses],
    )


def refusal(properties: Any, **root: Any) -> NotForwarded:
    with pytest.raises(NotForwarded) as caught:
        read_server_form({"type": "object", "properties": properties, **root})
    return caught.value


EVERY_KIND = {
    "name": {"type": "string", "title": "Name", "description": "Who", "minLength": 1},
    "mail": {"type": "string", "format": "email", "default": "a@example.com"},
    "code": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9},
    "age": {"type": "integer", "minimum": 0, "maximum": 150, "default": 7},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "sure": {"type": "boolean", "default": True},
    "plain": {"type": "string", "enum": ["a", "b"], "default": "b"},
    "titled": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
    "many": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"]},
    "titles": {
        "type": "array",
        "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]},
        "minItems": 1,
        "maxItems": 2,
    },
}


@pytest.mark.requirement("FORM-1", "FWD-9")
@pytest.mark.parametrize("version", [V1, V2])
def test_all_that_both_protocols_have_is_carried_in_its_order(version: Version) -> None:
    value = {"type": "object", "properties": EVERY_KIND, "required": ["name", "sure"]}
    description, losses = read_server_form(value)
    sent = write_schema(description.schema, version)
    assert losses == ()
    assert sent == value
    assert list(sent["properties"]) == list(EVERY_KIND)
    strict_validator(version.number, "ElicitationSchema").validate(sent)


def test_the_words_of_the_form_itself_are_carried() -> None:
    sent, losses = asked({}, title="Travel", description="Where to")
    assert sent == {
        "type": "object",
        "properties": {},
        "title": "Travel",
        "description": "Where to",
    }
    assert losses == []


def test_enum_names_become_titles_where_the_values_stood() -> None:
    member = {"type": "string", "enum": ["pg", "my"], "enumNames": ["PostgreSQL", ""], "title": "D"}
    sent, losses = asked({"db": member})
    assert sent["properties"]["db"] == {
        "type": "string",
        "title": "D",
        "oneOf": [{"const": "pg", "title": "PostgreSQL"}, {"const": "my", "title": "my"}],
    }
    assert losses == ["/properties/db/enumNames converted"]


@pytest.mark.parametrize("names", [["PostgreSQL"], [1, 2], "ab", None])
def test_enum_names_that_do_not_fit_the_values_are_left_out(names: Any) -> None:
    sent, losses = asked({"db": {"type": "string", "enum": ["pg", "my"], "enumNames": names}})
    assert sent["properties"]["db"] == {"type": "string", "enum": ["pg", "my"]}
    assert losses == ["/properties/db/enumNames dropped"]


def test_words_about_the_form_that_acp_does_not_have_are_left_out_and_reported() -> None:
    member = {"type": "string", "examples": ["x"], "_meta": {"isOther": True}, "uniqueItems": True}
    option = {"const": "a", "title": "A", "_meta": {"x": 1}}
    choice = {"type": "string", "oneOf": [option]}
    root = {"$schema": "https://json-schema.org/draft/2020-12/schema", "_meta": {"a": 1}}
    sent, losses = asked({"x": member, "y": choice}, additionalProperties=False, **root)
    assert sent["properties"] == {
        "x": {"type": "string"},
        "y": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
    }
    assert set(sent) == {"type", "properties"}
    assert losses == [
        "/additionalProperties dropped",
        "/$schema dropped",
        "/_meta dropped",
        "/properties/x/examples dropped",
        "/properties/x/_meta dropped",
        "/properties/x/uniqueItems dropped",
    ]


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("member", "path"),
    [
        ({"type": "string", "oneOf": []}, ""),
        ({"type": "array", "items": {"type": "string", "enum": []}}, ""),
        ({"type": "object", "properties": {}}, "/type"),
        ({"type": "null"}, "/type"),
        ({"type": ["string", "null"]}, "/type"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "/type"),
        ({"type": "array", "items": {"type": "integer"}}, "/items/type"),
        ({"type": "string", "const": "x"}, "/const"),
        ({"type": "string", "not": {"const": "x"}}, "/not"),
        ({"type": "string", "anyOf": [{"minLength": 2}]}, "/anyOf"),
        ({"type": "string", "$ref": "#/$defs/X"}, "/$ref"),
        ({"type": "integer", "enum": [1, 2]}, "/enum"),
        (
            {"type": "array", "items": {"type": "string", "enum": ["a"], "minLength": 2}},
            "/items/minLength",
        ),
    ],
)
def test_what_a_form_cannot_ask_refuses_the_whole_form(member: Any, path: str) -> None:
    error = refusal({"fine": {"type": "string"}, "a/b": member})
    assert error.why == "not-carried"
    assert [(one.path, one.effect) for one in error.losses] == [
        (f"/requestedSchema/properties/a~1b{path}", "refused")
    ]


@pytest.mark.parametrize("name", ["allOf", "if", "minProperties", "dependentRequired"])
def test_a_rule_about_several_properties_refuses_the_form(name: str) -> None:
    error = refusal({"x": {"type": "string"}}, **{name: {}})
    assert [one.path for one in error.losses] == [f"/requestedSchema/{name}"]
    assert error.why == "not-carried"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, ""),
        ([], ""),
        ({"properties": {}}, "/type"),
        ({"type": "object"}, "/properties"),
        ({"type": "object", "properties": {"x": 1}}, "/properties/x"),
        ({"type": "object", "properties": {"x": {"type": "string", "minLength": -1}}}, None),
        ({"type": "object", "properties": {"x": {"type": "array"}}}, "/properties/x/items"),
        ({"type": "object", "properties": {}, "required": "x"}, "/required"),
        (
            {"type": "object", "properties": {"x": {"type": "number", "multipleOf": "2"}}},
            "/properties/x/multipleOf",
        ),
    ],
)
def test_a_malformed_form_is_not_forwarded(value: Any, path: str | None) -> None:
    with pytest.raises(NotForwarded) as caught:
        read_server_form(value)
    assert caught.value.why == "malformed"
    if path is not None:
        assert caught.value.losses[-1].path == f"/requestedSchema{path}"


@pytest.mark.parametrize("default", [3, "much too long", ["x"]])
def test_a_default_that_would_be_no_answer_is_left_out(default: Any) -> None:
    sent, losses = asked({"x": {"type": "string", "maxLength": 4, "default": default}})
    assert sent["properties"]["x"] == {"type": "string", "maxLength": 4}
    assert losses == ["/properties/x/default dropped"]


def test_an_answer_is_built_as_it_came_but_for_whole_numbers() -> None:
    properties = {"n": {"type": "integer"}, "f": {"type": "number"}, "t": {"type": "string"}}
    description, _ = read_server_form({"type": "object", "properties": properties})
    built = description.build({"n": 3.0, "f": 2.5})
    assert built == {"n": 3, "f": 2.5}
    assert isinstance(built["n"], int)


@pytest.mark.requirement("FORM-3")
def test_a_limit_that_the_form_could_not_say_is_checked_on_receipt() -> None:
    properties = {"price": {"type": "number", "exclusiveMinimum": 0}}
    description, _ = read_server_form({"type": "object", "properties": properties})
    with pytest.raises(InvalidAnswer) as caught:
        description.build({"price": 0})
    assert caught.value.problems == (
        Problem("price", "rejected", {"reason": "must be greater than 0"}),
    )
    assert description.build({"price": 0.5}) == {"price": 0.5}
