"""How a form's schema stands on the wire: one table per type, and the choice between types.

Owns: the camelCase names and the rule of every member of the restricted schema (FWD-6).
Knows nothing of: values, checks, or the request around the schema.
Above it: `requests`. Below it: `schema`, `reading`, `version`.
"""

from types import MappingProxyType
from typing import Any, assert_never

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import (
    BOOLEAN,
    COUNT,
    INTEGER,
    NUMBER,
    OBJECT,
    TEXT,
    TEXTS,
    UINT32,
    Field,
    JsonObject,
    Rule,
    Table,
    malformed_under,
    object_at,
    read_fields,
    read_texts,
    text_at,
    write_fields,
)
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
from acp_elicitation.protocol.version import V1, Version

__all__ = [
    "KNOWN_FORMATS",
    "OPTION",
    "SCHEMA",
    "TABLES",
    "read_property",
    "read_schema",
    "write_schema",
]

KNOWN_FORMATS = frozenset({"email", "uri", "date", "date-time"})
"""The formats that are checked; any other is an annotation (FWD-4)."""

_DESCRIBED = {
    "title": Field("title", TEXT, Rule.DEFAULT),
    "description": Field("description", TEXT, Rule.DEFAULT),
    "_meta": Field("meta", OBJECT, Rule.DEFAULT),
}

SCHEMA: Table = _DESCRIBED

OPTION: Table = {
    "const": Field("value", TEXT, required=True),
    "title": Field("title", TEXT, required=True),
    "description": Field("description", TEXT, Rule.DEFAULT),
    "_meta": Field("meta", OBJECT, Rule.DEFAULT),
}

TABLES: MappingProxyType[str, Table] = MappingProxyType(
    {
        "string": {
            **_DESCRIBED,
            "minLength": Field("min_length", UINT32),
            "maxLength": Field("max_length", UINT32),
            "pattern": Field("pattern", TEXT),
            "format": Field("format", TEXT),
            "default": Field("default", TEXT, Rule.DEFAULT),
        },
        "number": {
            **_DESCRIBED,
            "minimum": Field("minimum", NUMBER),
            "maximum": Field("maximum", NUMBER),
            "default": Field("default", NUMBER, Rule.DEFAULT),
        },
        "integer": {
            **_DESCRIBED,
            "minimum": Field("minimum", INTEGER),
            "maximum": Field("maximum", INTEGER),
            "default": Field("default", INTEGER, Rule.DEFAULT),
        },
        "boolean": {
            **_DESCRIBED,
            "default": Field("default", BOOLEAN, Rule.DEFAULT),
        },
        "array": {
            **_DESCRIBED,
            "minItems": Field("min_items", COUNT),
            "maxItems": Field("max_items", COUNT),
            "default": Field("default", TEXTS, Rule.SKIP),
        },
    }
)


def read_schema(value: object, version: Version) -> FormSchema:
    """Return the form that `value` describes.

    Raises:
        MalformedMessage: `value` is none, or a known property type has a malformed body (FWD-5).
    """
    if not isinstance(value, dict):
        raise MalformedMessage(path="", expected="an object")
    if version.schema_type_required and value.get("type") != "object":
        raise MalformedMessage(path="/type", expected='"object"')
    members: JsonObject = {}
    if "properties" in value or version.properties_required:
        members = object_at(value, "properties")
    properties: dict[str, Property] = {}
    for name, member in members.items():
        try:
            properties[name] = read_property(member, version)
        except MalformedMessage as error:
            raise malformed_under("properties", malformed_under(name, error)) from None
    return FormSchema(
        properties=properties,
        required=tuple(dict.fromkeys(read_texts(value, "required"))),
        raw=value,
        **read_fields(SCHEMA, value),
    )


def read_property(value: object, version: Version) -> Property:
    """Return the property that `value` describes; its `type` decides which (FWD-2).

    Raises:
        MalformedMessage: there is no type, or a known one has a malformed body (FWD-5).
    """
    if not isinstance(value, dict):
        raise MalformedMessage(path="", expected="an object")
    kind = text_at(value, "type")
    table = TABLES.get(kind)
    if table is None:
        return UnknownProperty(type=kind, raw=value, **read_fields(_DESCRIBED, value))
    fields = read_fields(table, value)
    match kind:
        case "string":
            options = _read_choices(value, version)
            if options is None:
                return StringProperty(raw=value, **fields)
            return SelectProperty(options=options, raw=value, **fields)
        case "number":
            return NumberProperty(raw=value, **fields)
        case "integer":
            return IntegerProperty(raw=value, **fields)
        case "boolean":
            return BooleanProperty(raw=value, **fields)
        case _:
            return _read_multi_select(value, fields, version)


def _read_choices(value: JsonObject, version: Version) -> tuple[Option, ...] | None:
    titled = value.get("oneOf")
    plain = value.get("enum")
    if titled is None and plain is None:
        return None
    allowed = None if plain is None else _read_plain(value, "enum", version)
    if titled is None:
        return allowed
    options = _read_titled(value, "oneOf", version)
    if allowed is None:
        return options
    # Both are there: JSON Schema demands a value that fits both.
    values = {option.value for option in allowed}
    return tuple(option for option in options if option.value in values)


def _read_plain(value: JsonObject, key: str, version: Version) -> tuple[Option, ...]:
    texts = read_texts(value, key)
    _require_choice(texts, key, version)
    return tuple(Option(value=text) for text in dict.fromkeys(texts))


def _read_titled(value: JsonObject, key: str, version: Version) -> tuple[Option, ...]:
    members = value.get(key)
    if not isinstance(members, list):
        raise MalformedMessage(path="/" + key, expected="a list of titled options")
    _require_choice(members, key, version)
    options: dict[str, Option] = {}
    for index, member in enumerate(members):
        try:
            if not isinstance(member, dict):
                raise MalformedMessage(path="", expected="an object with const and title")
            option = Option(**read_fields(OPTION, member))
        except MalformedMessage as error:
            raise malformed_under(key, malformed_under(index, error)) from None
        options.setdefault(option.value, option)
    return tuple(options.values())


def _require_choice(members: object, key: str, version: Version) -> None:
    if not members and not version.empty_choices_allowed:
        raise MalformedMessage(path="/" + key, expected="at least one choice")


def _read_multi_select(value: JsonObject, fields: dict[str, Any], version: Version) -> Property:
    items = object_at(value, "items")
    kind = items.get("type")
    if isinstance(kind, str) and kind != "string":  # FWD-3
        described = {name: fields[name] for name in fields if name in _DESCRIBED_NAMES}
        return UnknownProperty(type="array", items_type=kind, raw=value, **described)
    try:
        options = _read_items(items, kind, version)
    except MalformedMessage as error:
        raise malformed_under("items", error) from None
    return MultiSelectProperty(options=options, raw=value, **fields)


_DESCRIBED_NAMES = frozenset(field.name for field in _DESCRIBED.values())


def _read_items(items: JsonObject, kind: object, version: Version) -> tuple[Option, ...]:
    if kind == "string" and isinstance(items.get("enum"), list):
        try:
            return _read_plain(items, "enum", version)
        except MalformedMessage:
            # Items with a malformed `enum` can still be titled ones.
            if items.get("anyOf") is None:
                raise
    if kind == "string" and "anyOf" not in items:
        raise MalformedMessage(path="/enum", expected="a list of strings")
    return _read_titled(items, "anyOf", version)


def write_schema(schema: FormSchema, version: Version = V1) -> JsonObject:
    """Return `schema` as it is sent: as it was read (FWD-8), or built from its fields.

    What is built is valid in every version: `type` and `properties` are always there. Version 1
    has four string formats only; since any other is an annotation (FWD-4), it is left out there.
    """
    if schema.raw is not None:
        return schema.raw
    members: JsonObject = {
        "type": "object",
        **write_fields(SCHEMA, schema),
        "properties": {name: _write_property(p, version) for name, p in schema.properties.items()},
    }
    if schema.required:
        members["required"] = list(schema.required)
    return members


def _write_property(member: Property, version: Version) -> JsonObject:
    if member.raw is not None:
        return member.raw
    match member:
        case SelectProperty(options=options):
            return _write_string(member, version) | (
                {"oneOf": _write_titled(options)}
                if _is_titled(options)
                else {"enum": [option.value for option in options]}
            )
        case StringProperty():
            return _write_string(member, version)
        case NumberProperty():
            return {"type": "number", **write_fields(TABLES["number"], member)}
        case IntegerProperty():
            return {"type": "integer", **write_fields(TABLES["integer"], member)}
        case BooleanProperty():
            return {"type": "boolean", **write_fields(TABLES["boolean"], member)}
        case MultiSelectProperty(options=options):
            items: JsonObject = (
                {"anyOf": _write_titled(options)}
                if _is_titled(options)
                else {"type": "string", "enum": [option.value for option in options]}
            )
            return {"type": "array", "items": items, **write_fields(TABLES["array"], member)}
        case UnknownProperty(type=kind, items_type=None):
            return {"type": kind, **write_fields(_DESCRIBED, member)}
        case UnknownProperty(type=kind, items_type=items_type):
            return {"type": kind, "items": {"type": items_type}} | write_fields(_DESCRIBED, member)
        case _:  # pragma: no cover
            assert_never(member)


def _write_string(member: StringProperty, version: Version) -> JsonObject:
    written = {"type": "string", **write_fields(TABLES["string"], member)}
    if member.format not in KNOWN_FORMATS and not version.other_formats_written:
        written.pop("format", None)
    return written


def _is_titled(options: tuple[Option, ...]) -> bool:
    # A plain `enum` has room for values alone; whatever else an option says needs the other form.
    return any(option != Option(value=option.value) for option in options)


def _write_titled(options: tuple[Option, ...]) -> list[JsonObject]:
    return [
        {**write_fields(OPTION, option), "title": option.title or option.value}
        for option in options
    ]
