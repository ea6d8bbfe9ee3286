"""Messages drawn from the official JSON Schemas, and spoilt ones.

Owns: a small interpreter that turns a definition into a hypothesis strategy, and the mutations.
It follows the installed schema, so that a newer one is covered by itself.
Knows nothing of: this package's types. Above it: the property tests.
Below it: `official_schemas`, `strategies`.
"""

import copy
from collections.abc import Callable
from functools import cache, reduce
from typing import Any, Literal

from hypothesis import strategies as st

from tests.official_schemas import Json, definition
from tests.strategies import json_values, texts

__all__ = ["instances", "mutated"]

Strictness = Literal["strict", "lenient"]

_URLS = (
    "https://example.com/connect?state=1",
    "http://127.0.0.1:8000/",
    "HTTPS://EXAMPLE.com",
    "https://b\u00fccher.example/x",
    "mailto:a@example.com",
)
_EXTRA = st.sampled_from(("x", "_custom", "enumNames", "exclusiveMinimum", "target", "", "a/b~c"))
_INTEGERS = st.integers(0, 5) | st.integers(-(2**63), 2**63) | st.sampled_from((3.0, -1.0, 2**32))
_NUMBERS = st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False)


@cache
def instances(
    version: int, name: str, strictness: Strictness = "strict"
) -> st.SearchStrategy[Json]:
    """Values that fit the definition `name`, but for the rare one of which a `not` says otherwise.

    `lenient`: any value at all stands where the definition says `x-deserialize-default-on-error`,
    and any item in a list that it marks `x-deserialize-skip-invalid-items`.
    """
    return _from_schema(version, {"$ref": f"#/$defs/{name}"}, strictness)


def _from_schema(version: int, schema: Json, strictness: Strictness) -> st.SearchStrategy[Json]:
    def of(part: Json) -> st.SearchStrategy[Json]:
        return _from_schema(version, part, strictness)

    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return st.deferred(lambda: of(definition(version, name)))
    parts = [of(part) for part in schema.get("allOf", ())]
    parts += [st.one_of(*map(of, schema[key])) for key in ("anyOf", "oneOf") if key in schema]
    if "const" in schema:
        parts.append(st.just(schema["const"]))
    elif "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        parts.append(st.one_of(*(_TYPES[name](schema, of, strictness) for name in types)))
    return st.tuples(*parts).map(_merged) if parts else json_values()


def _merged(parts: tuple[Json, ...]) -> Json:
    """Objects become one, in which the later part wins; anything else comes alone."""
    return reduce(lambda left, right: {**left, **right}, parts) if len(parts) > 1 else parts[0]


_Of = Callable[[Json], st.SearchStrategy[Json]]


def _object(schema: Json, of: _Of, strictness: Strictness) -> st.SearchStrategy[Json]:
    if isinstance(schema.get("additionalProperties"), dict):
        return st.dictionaries(texts(), of(schema["additionalProperties"]), max_size=4)
    members = {
        key: _member(part, of, strictness) for key, part in schema.get("properties", {}).items()
    }
    required = schema.get("required", ())
    known = st.fixed_dictionaries(
        {key: members[key] for key in required},
        optional={key: members[key] for key in members if key not in required},
    )
    extra = st.dictionaries(_EXTRA, json_values(), max_size=2)
    return st.tuples(extra, known).map(_merged)


def _member(schema: Json, of: _Of, strictness: Strictness) -> st.SearchStrategy[Json]:
    if strictness == "lenient" and "x-deserialize-default-on-error" in schema:
        return of(schema) | json_values()
    return of(schema)


def _array(schema: Json, of: _Of, strictness: Strictness) -> st.SearchStrategy[Json]:
    items = of(schema["items"])
    if strictness == "lenient" and "x-deserialize-skip-invalid-items" in schema:
        items |= json_values()
    return st.lists(items, min_size=schema.get("minItems", 0), max_size=4)


def _text(schema: Json, _of: _Of, _strictness: Strictness) -> st.SearchStrategy[Json]:
    return st.sampled_from(_URLS) if schema.get("format") == "uri" else texts()


def _integer(schema: Json, _of: _Of, _strictness: Strictness) -> st.SearchStrategy[Json]:
    bounds = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    return _INTEGERS.filter(lambda value: bounds[0] <= value <= bounds[1])


_TYPES: dict[str, Callable[[Json, _Of, Strictness], st.SearchStrategy[Json]]] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _integer,
    "number": lambda _schema, _of, _strictness: _NUMBERS,
    "boolean": lambda _schema, _of, _strictness: st.booleans(),
    "null": lambda _schema, _of, _strictness: st.none(),
}


_TELLING = st.sampled_from(
    (None, True, 5, 1.5, -1, 2**32, 10**400, "", "string", "form", [], ["a"], [1], {}, {"a": None})
).map(copy.deepcopy)  # the next mutation may change it in place
_KEYS = st.sampled_from(
    (
        *("sessionId", "requestId", "toolCallId", "mode", "message", "url", "elicitationId"),
        *("requestedSchema", "type", "properties", "required", "items", "enum", "oneOf", "anyOf"),
        *("title", "const", "default", "format", "minLength", "minimum", "minItems", "_meta"),
        *("action", "content", "form"),
    )
)


@st.composite
def mutated(draw: st.DrawFn, messages: st.SearchStrategy[Json]) -> Json:
    """A message with one to three of its members dropped, replaced, added, wrapped or reordered."""
    message = copy.deepcopy(draw(messages))
    for _ in range(draw(st.integers(1, 3))):
        message = _mutate(draw, message)
    return message


def _mutate(draw: st.DrawFn, message: Json) -> Json:
    places = [{"root": message}]
    places += _containers(message)
    place: Any = draw(st.sampled_from(places))
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    if not keys or (isinstance(place, dict) and place is not places[0] and draw(st.booleans())):
        if isinstance(place, dict):
            place[draw(_KEYS)] = draw(_TELLING)
        else:
            place.append(draw(_TELLING))
        return places[0]["root"]
    key = draw(st.sampled_from(keys))
    match draw(st.sampled_from(("drop", "null", "replace", "any", "wrap", "last"))):
        case "drop" if place is not places[0]:
            del place[key]
        case "null":
            place[key] = None
        case "replace":
            place[key] = draw(_TELLING)
        case "any":
            place[key] = draw(json_values())
        case "wrap":
            place[key] = [place[key]]
        case _ if isinstance(place, dict):
            place[key] = place.pop(key)
        case _:
            place.reverse()
    return places[0]["root"]


def _containers(value: Json) -> list[Any]:
    """Every object and list in `value` and below."""
    if not isinstance(value, dict | list):
        return []
    members = value.values() if isinstance(value, dict) else value
    return [value, *(found for member in members for found in _containers(member))]
