"""The official JSON Schemas of ACP, as the npm package that `make test` installs ships them.

Owns: loading them, one validator per definition, and the documented points in which the official
SDK of the same package reads otherwise than its own JSON Schema says.
Knows nothing of: this package's types. Above it: every test that compares with the official side.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ada_url import check_url
from jsonschema import Draft202012Validator, FormatChecker

__all__ = [
    "Json",
    "definition",
    "definitions",
    "property_schemas",
    "reachable",
    "reading_validator",
    "strict_validator",
    "validator",
]

Json = Any
"""A decoded JSON value."""

_SCHEMAS = Path(__file__).parent / "node_modules" / "@agentclientprotocol" / "sdk" / "schema"


@cache
def definitions(version: int) -> dict[str, Json]:
    """Every definition of this protocol version by its name. Not to be changed in place."""
    path = _SCHEMAS / f"v{version}" / "schema.json"
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: run `make test` once, which installs it")
    loaded: dict[str, Json] = json.loads(path.read_text(encoding="utf-8"))["$defs"]
    return loaded


def definition(version: int, name: str) -> dict[str, Json]:
    """The definition `name` of this protocol version."""
    found: dict[str, Json] = definitions(version)[name]
    return found


def property_schemas(version: int, name: str) -> dict[str, Json]:
    """The members that the definition `name` lists by itself; empty where it lists none."""
    found: dict[str, Json] = definition(version, name).get("properties", {})
    return found


def reachable(version: int, *names: str) -> set[str]:
    """The definitions `names`, and all that they refer to."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(definition(version, name))
    return found


def _references(schema: Json) -> Iterator[str]:
    match schema:
        case {"$ref": str(reference)}:
            yield reference.removeprefix("#/$defs/")
        case dict():
            for member in schema.values():
                yield from _references(member)
        case list():
            for member in schema:
                yield from _references(member)
        case _:
            pass


@cache
def validator(version: int, name: str) -> Draft202012Validator:
    """What a plain JSON Schema validator makes of the definition `name`: formats annotate."""
    return Draft202012Validator(_document(version, name, definition))


@cache
def strict_validator(version: int, name: str) -> Draft202012Validator:
    """The definition `name`, and the documented points in which the SDK is stricter than it.

    These are the bounds of uint32 and of double, `url` as an absolute URL, and the scope of v2
    judged by which keys are there.
    """
    return Draft202012Validator(_document(version, name, _stricter), format_checker=_formats)


@cache
def reading_validator(version: int, name: str) -> Draft202012Validator:
    """What a reader of this version has to accept, neither more nor less.

    That is `strict_validator` with the `x-deserialize-...` marks taken at their word, and with a
    string `format` that v1 does not list as the annotation that FWD-4 makes it.
    """
    return Draft202012Validator(_document(version, name, _as_read), format_checker=_formats)


def _document(version: int, name: str, of: Callable[[int, str], Json]) -> dict[str, Json]:
    defs = {key: of(version, key) for key in reachable(version, name)}
    return {"$ref": f"#/$defs/{name}", "$defs": defs}


def _stricter(version: int, name: str) -> Json:
    schema = definition(version, name)
    if version == 2 and name == "CreateElicitationRequest":
        # A key counts as there when its value is null or malformed.
        keys = [{"required": ["sessionId"]}, {"required": ["requestId"]}]
        return {**schema, "allOf": [{"oneOf": keys}]}
    return schema


def _as_read(version: int, name: str) -> Json:
    if version == 1 and name == "StringFormat":
        return {"type": "string"}
    return _lenient(_stricter(version, name))


def _lenient(schema: Json) -> Json:
    match schema:
        case {"x-deserialize-default-on-error": True} | {"x-deserialize-skip-invalid-items": True}:
            return {}
        case dict():
            return {key: _lenient(member) for key, member in schema.items()}
        case list():
            return [_lenient(member) for member in schema]
        case _:
            return schema


_formats = FormatChecker(formats=())


@_formats.checks("uint32")
def _is_uint32(value: object) -> bool:
    """The JSON Schema names the format and leaves the upper bound to it."""
    return not isinstance(value, int | float) or value < 2**32


@_formats.checks("double")
def _is_double(value: object) -> bool:
    """A number that is too large for the format reads as infinite, which is no JSON number."""
    return not isinstance(value, int | float) or abs(value) < 2**1024


@_formats.checks("uri")
def _is_absolute_url(value: object) -> bool:
    """A `url` has to be an absolute URL as browsers parse it, not any URI."""
    return not isinstance(value, str) or check_url(value)
