"""How a form stands on the wire, property by property."""

from functools import partial
from typing import Any

import pytest

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import Rule
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.schema_wire import TABLES, read_property, read_schema, write_schema
from acp_elicitation.protocol.version import V1, V2, Version

both_versions = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])

JsonObject = dict[str, Any]

DESCRIBED = {"title": "T", "description": "D", "_meta": {"m": 1}}
ITEMS = {"items": {"type": "string", "enum": ["a"]}}
A, B = Option(value="a"), Option(value="b")


def _refusal(value: object, version: Version) -> tuple[str, str]:
    """Where `value` is refused as a property, and what was expected there."""
    with pytest.raises(MalformedMessage) as caught:
        read_property(value, version)
    return caught.value.path, caught.value.expected


def _options(value: JsonObject, version: Version) -> tuple[Option, ...]:
    member = read_property(value, version)
    assert isinstance(member, SelectProperty | MultiSelectProperty)
    return member.options


# --- the form -------------------------------------------------------------------------------------


@pytest.mark.requirement("FORM-1", "FWD-7", "FWD-8", "FWD-9")
@both_versions
def test_a_form_is_read_with_its_properties_in_the_order_of_the_agent(version: Version) -> None:
    value = {
        "type": "object",
        **DESCRIBED,
        "properties": {"z": {"type": "boolean"}, "a": {"type": "string"}},
        "required": ["a", "zz"],
        "x": 1,
    }
    schema = read_schema(value, version)
    assert list(schema.properties.items()) == [
        ("z", BooleanProperty(raw={"type": "boolean"})),
        ("a", StringProperty(raw={"type": "string"})),
    ]
    assert schema.required == ("a", "zz")
    assert (schema.title, schema.description, schema.meta) == ("T", "D", {"m": 1})
    assert schema.raw is value


@both_versions
def test_a_name_that_is_required_twice_is_required_once(version: Version) -> None:
    value = {"type": "object", "properties": {}, "required": ["b", "a", "b"]}
    assert read_schema(value, version).required == ("b", "a")


@both_versions
def test_required_may_be_null_but_nothing_else_than_a_list_of_names(version: Version) -> None:
    value: JsonObject = {"type": "object", "properties": {}, "required": None}
    assert read_schema(value, version).required == ()
    malformed: list[object] = ["a", [1], {}]
    for required in malformed:
        value = {"type": "object", "properties": {}, "required": required}
        with pytest.raises(MalformedMessage) as caught:
            read_schema(value, version)
        assert caught.value.path == "/required"


@both_versions
@pytest.mark.parametrize("value", [None, [], "object", 5])
def test_a_form_that_is_no_object_is_refused(version: Version, value: object) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_schema(value, version)
    assert (caught.value.path, caught.value.expected) == ("", "an object")


@pytest.mark.requirement("FWD-6")
@pytest.mark.parametrize("members", [{}, {"type": None}, {"type": "array"}, {"type": 5}])
def test_a_missing_or_malformed_type_of_a_form_is_object_in_v1_and_an_error_in_v2(
    members: JsonObject,
) -> None:
    value = {**members, "properties": {}}
    assert read_schema(value, V1).properties == {}
    with pytest.raises(MalformedMessage) as caught:
        read_schema(value, V2)
    assert (caught.value.path, caught.value.expected) == ("/type", '"object"')


def test_missing_properties_are_none_in_v1_and_an_error_in_v2() -> None:
    assert read_schema({"type": "object"}, V1).properties == {}
    with pytest.raises(MalformedMessage) as caught:
        read_schema({"type": "object"}, V2)
    assert (caught.value.path, caught.value.expected) == ("/properties", "an object")


@both_versions
@pytest.mark.parametrize("malformed", [None, [], "a", 5])
def test_malformed_properties_are_refused(version: Version, malformed: object) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_schema({"type": "object", "properties": malformed}, version)
    assert caught.value.path == "/properties"


@pytest.mark.requirement("FWD-5")
@both_versions
def test_a_malformed_property_is_refused_by_its_place_in_the_form(version: Version) -> None:
    value = {"type": "object", "properties": {"a/b": {"type": "string", "pattern": 5}}}
    with pytest.raises(MalformedMessage) as caught:
        read_schema(value, version)
    assert (caught.value.path, caught.value.expected) == ("/properties/a~1b/pattern", "a string")


# --- each property --------------------------------------------------------------------------------


FULL: list[tuple[JsonObject, Property]] = [
    (
        {
            "type": "string",
            "default": "x",
            "minLength": 1,
            "maxLength": 9,
            "pattern": "^x$",
            "format": "email",
        },
        StringProperty(default="x", min_length=1, max_length=9, pattern="^x$", format="email"),
    ),
    (
        {"type": "number", "default": 1.5, "minimum": 0, "maximum": 2.5},
        NumberProperty(default=1.5, minimum=0, maximum=2.5),
    ),
    (
        {"type": "integer", "default": 1, "minimum": 0, "maximum": 2},
        IntegerProperty(default=1, minimum=0, maximum=2),
    ),
    ({"type": "boolean", "default": False}, BooleanProperty(default=False)),
    (
        {"type": "string", "enum": ["a", "b"], "default": "b", "maxLength": 1},
        SelectProperty(options=(A, B), default="b", max_length=1),
    ),
    (
        {"type": "array", **ITEMS, "default": ["a"], "minItems": 0, "maxItems": 1},
        MultiSelectProperty(options=(A,), default=("a",), min_items=0, max_items=1),
    ),
    ({"type": "_location"}, UnknownProperty(type="_location")),
    (
        {"type": "array", "items": {"type": "_token"}},
        UnknownProperty(type="array", items_type="_token"),
    ),
]


def _full(value: JsonObject, member: Property) -> tuple[JsonObject, Property]:
    """The same with everything that describes it."""
    fields = {name: getattr(member, name) for name in member.__struct_fields__}
    fields |= {"title": "T", "description": "D", "meta": {"m": 1}}
    return value | DESCRIBED, type(member)(**fields)


def _with_raw(member: Property, raw: JsonObject) -> Property:
    fields = {name: getattr(member, name) for name in member.__struct_fields__}
    return type(member)(**(fields | {"raw": raw}))


@pytest.mark.requirement("FORM-1", "FWD-7")
@both_versions
@pytest.mark.parametrize(("value", "member"), [*FULL, *(_full(*pair) for pair in FULL)])
def test_every_kind_of_property_is_read_and_written_with_all_its_members(
    version: Version, value: JsonObject, member: Property
) -> None:
    read = read_property(value, version)
    assert read == _with_raw(member, value)
    assert read.raw is value
    written = write_schema(FormSchema(properties={"p": member}))
    assert written == {"type": "object", "properties": {"p": value}}


@pytest.mark.requirement("FWD-7")
@both_versions
@pytest.mark.parametrize(("value", "member"), FULL)
def test_a_null_member_of_a_property_reads_as_omitted(
    version: Version, value: JsonObject, member: Property
) -> None:
    names = {"title", "description", "_meta", "default", *TABLES.get(value["type"], {})}
    names |= {"enum", "oneOf"} if value["type"] == "string" else set()
    # What the property says stays; every other member that it could have is null.
    nulls = dict.fromkeys(names - value.keys())
    assert read_property(value | nulls, version) == _with_raw(member, value | nulls)


STRICT, SOFT = (
    [
        pytest.param(kind, key, id=f"{kind}-{key}")
        for kind, table in TABLES.items()
        for key, field in table.items()
        if (field.rule is Rule.STRICT) is strict
    ]
    for strict in (True, False)
)


@pytest.mark.requirement("FWD-6")
@both_versions
@pytest.mark.parametrize(("kind", "key"), SOFT)
def test_a_malformed_soft_member_of_a_property_reads_as_absent(
    version: Version, kind: str, key: str
) -> None:
    extra = ITEMS if kind == "array" else {}
    malformed = read_property({"type": kind, key: 5j, **extra}, version)
    assert getattr(malformed, TABLES[kind][key].name) is None


@pytest.mark.requirement("FWD-5")
@both_versions
@pytest.mark.parametrize(("kind", "key"), STRICT)
def test_a_malformed_strict_member_of_a_property_is_refused(
    version: Version, kind: str, key: str
) -> None:
    value = {"type": kind, key: [True], **(ITEMS if kind == "array" else {})}
    assert _refusal(value, version) == (f"/{key}", TABLES[kind][key].kind.expected)


@pytest.mark.requirement("FWD-6")
@both_versions
def test_malformed_items_of_a_default_are_dropped(version: Version) -> None:
    member = read_property({"type": "array", **ITEMS, "default": ["a", 5, "zz"]}, version)
    assert member == MultiSelectProperty(options=(A,), default=("a", "zz"), raw=member.raw)


@pytest.mark.requirement("FWD-4")
@both_versions
def test_an_unknown_format_is_kept_as_an_annotation(version: Version) -> None:
    value = {"type": "string", "format": "hostname"}
    assert read_property(value, version) == StringProperty(format="hostname", raw=value)


@both_versions
@pytest.mark.parametrize("value", [None, [], "string", 5])
def test_a_property_that_is_no_object_is_refused(version: Version, value: object) -> None:
    assert _refusal(value, version) == ("", "an object")


@pytest.mark.requirement("FWD-5")
@both_versions
@pytest.mark.parametrize("members", [{}, {"type": None}, {"type": ["string", "null"]}, {"type": 5}])
def test_a_property_without_a_type_is_refused(version: Version, members: JsonObject) -> None:
    assert _refusal({**members, "enum": ["a"]}, version) == ("/type", "a string")


@pytest.mark.requirement("FWD-2", "FWD-6", "FWD-8")
@both_versions
@pytest.mark.parametrize("kind", ["_location", "object", "String", ""])
def test_a_property_of_an_unknown_type_is_kept_as_it_is(version: Version, kind: str) -> None:
    value = {"type": kind, "title": 5, "minLength": "x", "enum": 7, "precision": "city"}
    assert read_property(value, version) == UnknownProperty(type=kind, raw=value)


# --- choices --------------------------------------------------------------------------------------


@both_versions
def test_titled_options_are_read_with_all_that_they_say(version: Version) -> None:
    titled = [
        {"const": "a", "title": "A", "description": "first", "_meta": {"m": 1}},
        {"const": "b", "title": "", "description": 5, "_meta": [], "x": 1},
    ]
    options = (
        Option(value="a", title="A", description="first", meta={"m": 1}),
        Option(value="b", title=""),
    )
    assert _options({"type": "string", "oneOf": titled}, version) == options
    assert _options({"type": "array", "items": {"anyOf": titled}}, version) == options


@pytest.mark.requirement("FWD-5")
@both_versions
@pytest.mark.parametrize(
    ("option", "path", "expected"),
    [
        ("a", "", "an object with const and title"),
        ({"title": "A"}, "/const", "a string"),
        ({"const": "a"}, "/title", "a string"),
        ({"const": 1, "title": "A"}, "/const", "a string"),
        ({"const": "a", "title": None}, "/title", "a string"),
    ],
)
def test_a_malformed_option_is_refused_by_its_place(
    version: Version, option: object, path: str, expected: str
) -> None:
    good = {"const": "z", "title": "Z"}
    value: JsonObject = {"type": "string", "oneOf": [good, option]}
    assert _refusal(value, version) == (f"/oneOf/1{path}", expected)
    value = {"type": "array", "items": {"anyOf": [good, option]}}
    assert _refusal(value, version) == (f"/items/anyOf/1{path}", expected)


@both_versions
def test_a_choice_that_stands_twice_is_one_choice(version: Version) -> None:
    assert _options({"type": "string", "enum": ["b", "a", "b"]}, version) == (B, A)
    titled = [{"const": "a", "title": title} for title in ("first", "second")]
    [option] = _options({"type": "string", "oneOf": titled}, version)
    assert option == Option(value="a", title="first")


@both_versions
def test_with_both_lists_of_choices_only_what_stands_in_both_is_left(version: Version) -> None:
    titled = [{"const": value, "title": value.upper()} for value in ("b", "x", "a")]
    options = _options({"type": "string", "oneOf": titled, "enum": ["a", "b", "y"]}, version)
    assert options == (Option(value="b", title="B"), Option(value="a", title="A"))


@both_versions
@pytest.mark.parametrize(
    ("members", "path", "expected"),
    [
        ({"enum": "a"}, "/enum", "a list of strings"),
        ({"enum": [1]}, "/enum", "a list of strings"),
        ({"oneOf": {"const": "a"}}, "/oneOf", "a list of titled options"),
        ({"oneOf": None, "enum": [None]}, "/enum", "a list of strings"),
        ({"oneOf": [{"const": "a", "title": "A"}], "enum": 5}, "/enum", "a list of strings"),
        ({"oneOf": 5, "enum": ["a"]}, "/oneOf", "a list of titled options"),
    ],
)
def test_malformed_choices_are_refused(
    version: Version, members: JsonObject, path: str, expected: str
) -> None:
    assert _refusal({"type": "string", **members}, version) == (path, expected)


EMPTY_CHOICES = [
    pytest.param({"type": "string", "enum": []}, "/enum", id="enum"),
    pytest.param({"type": "string", "oneOf": []}, "/oneOf", id="oneOf"),
    pytest.param(
        {"type": "array", "items": {"type": "string", "enum": []}}, "/items/enum", id="items-enum"
    ),
    pytest.param({"type": "array", "items": {"anyOf": []}}, "/items/anyOf", id="items-anyOf"),
]


@pytest.mark.parametrize(("value", "path"), EMPTY_CHOICES)
def test_no_choice_at_all_can_be_read_in_v1_and_is_an_error_in_v2(
    value: JsonObject, path: str
) -> None:
    assert _options(value, V1) == ()
    assert _refusal(value, V2) == (path, "at least one choice")


# --- items ----------------------------------------------------------------------------------------


TITLED = [{"const": "b", "title": "B"}]


@both_versions
@pytest.mark.parametrize(
    ("items", "values"),
    [
        ({"type": "string", "enum": ["a"]}, ["a"]),
        ({"type": "string", "enum": ["a"], "anyOf": TITLED}, ["a"]),
        ({"type": "string", "enum": ["a"], "anyOf": 5}, ["a"]),
        ({"type": "string", "enum": [5], "anyOf": TITLED}, ["b"]),
        ({"type": "string", "enum": "a", "anyOf": TITLED}, ["b"]),
        ({"type": "string", "anyOf": TITLED}, ["b"]),
        ({"type": 5, "anyOf": TITLED}, ["b"]),
        ({"type": None, "anyOf": TITLED}, ["b"]),
        ({"anyOf": TITLED, "enum": ["a"]}, ["b"]),
    ],
)
def test_items_are_plain_where_they_fit_that_and_titled_otherwise(
    version: Version, items: JsonObject, values: list[str]
) -> None:
    options = _options({"type": "array", "items": items}, version)
    assert [option.value for option in options] == values


@pytest.mark.requirement("FWD-5")
@both_versions
@pytest.mark.parametrize(
    ("items", "path", "expected"),
    [
        ({}, "/items/anyOf", "a list of titled options"),
        ({"enum": ["a"]}, "/items/anyOf", "a list of titled options"),
        ({"type": "string"}, "/items/enum", "a list of strings"),
        ({"type": "string", "enum": [5]}, "/items/enum", "a list of strings"),
        ({"type": "string", "enum": [5], "anyOf": None}, "/items/enum", "a list of strings"),
        ({"type": "string", "enum": 5}, "/items/enum", "a list of strings"),
        ({"type": "string", "anyOf": 5}, "/items/anyOf", "a list of titled options"),
        ({"type": 5, "enum": ["a"]}, "/items/anyOf", "a list of titled options"),
    ],
)
def test_malformed_items_are_refused(
    version: Version, items: JsonObject, path: str, expected: str
) -> None:
    assert _refusal({"type": "array", "items": items}, version) == (path, expected)


@both_versions
@pytest.mark.parametrize("members", [{}, {"items": None}, {"items": ["a"]}])
def test_a_list_without_items_is_refused(version: Version, members: JsonObject) -> None:
    assert _refusal({"type": "array", **members}, version) == ("/items", "an object")


@pytest.mark.requirement("FWD-3", "FWD-8")
@both_versions
@pytest.mark.parametrize("kind", ["_token", "integer", ""])
def test_a_list_of_unknown_items_is_an_unknown_property(version: Version, kind: str) -> None:
    items = {"type": kind, "format": "ws", "anyOf": TITLED, "enum": ["a"]}
    value = {"type": "array", "title": "T", "items": items, "minItems": 1, "default": ["a"]}
    assert read_property(value, version) == UnknownProperty(
        type="array", items_type=kind, title="T", raw=value
    )


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.requirement("FWD-2", "FWD-3", "FWD-8", "FWD-9")
@both_versions
def test_a_form_that_was_read_is_written_as_it_came(version: Version) -> None:
    value = {
        "x": 1,
        "properties": {"p": {"precision": "city", "type": "_location"}},
        "type": "object",
    }
    assert write_schema(read_schema(value, version)) is value


@pytest.mark.requirement("FWD-8")
def test_a_property_that_was_read_is_written_as_it_came_in_a_form_of_our_own() -> None:
    value = {"type": "string", "title": 5, "x": 1}
    ours = FormSchema(properties={"p": read_property(value, V2)})
    assert write_schema(ours)["properties"]["p"] is value


def test_a_form_of_our_own_always_has_type_and_properties() -> None:
    assert write_schema(FormSchema(properties={})) == {"type": "object", "properties": {}}


@pytest.mark.requirement("FWD-9")
def test_a_form_of_our_own_is_written_with_everything_around_its_properties() -> None:
    schema = FormSchema(
        properties={"z": BooleanProperty(), "a": StringProperty()},
        required=("z",),
        title="T",
        description="D",
        meta={"m": 1},
    )
    written = write_schema(schema)
    assert written == {
        "type": "object",
        **DESCRIBED,
        "properties": {"z": {"type": "boolean"}, "a": {"type": "string"}},
        "required": ["z"],
    }
    assert list(written["properties"]) == ["z", "a"]


MORE = [
    pytest.param(Option(value="a", title="A"), {"const": "a", "title": "A"}, id="title"),
    pytest.param(
        Option(value="a", description="D"),
        {"const": "a", "title": "a", "description": "D"},
        id="description",
    ),
    pytest.param(
        Option(value="a", meta={"m": 1}), {"const": "a", "title": "a", "_meta": {"m": 1}}, id="meta"
    ),
]


@pytest.mark.requirement("FWD-7")
@pytest.mark.parametrize(("option", "written"), MORE)
def test_an_option_that_says_more_than_its_value_is_written_with_a_title(
    option: Option, written: JsonObject
) -> None:
    plain = {"const": "b", "title": "b"}
    schema = FormSchema(
        properties={
            "one": SelectProperty(options=(B, option)),
            "many": MultiSelectProperty(options=(B, option)),
        }
    )
    assert write_schema(schema)["properties"] == {
        "one": {"type": "string", "oneOf": [plain, written]},
        "many": {"type": "array", "items": {"anyOf": [plain, written]}},
    }


@pytest.mark.requirement("FWD-4")
@pytest.mark.parametrize("kind", [StringProperty, partial(SelectProperty, options=(B,))])
def test_a_format_that_version_1_does_not_know_is_written_in_version_2_only(kind: Any) -> None:
    schema = FormSchema(properties={"p": kind(format="hostname"), "q": kind(format="email")})
    assert "format" not in write_schema(schema)["properties"]["p"]
    assert "format" not in write_schema(schema, V1)["properties"]["p"]
    assert write_schema(schema, V2)["properties"]["p"]["format"] == "hostname"
    for version in (V1, V2):
        assert write_schema(schema, version)["properties"]["q"]["format"] == "email"
