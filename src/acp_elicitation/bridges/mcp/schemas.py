"""The form of an MCP server as a form of ACP, with a report of what is not the same.

Owns: the differences between the two restricted schemas, and what becomes of each: `enumNames`
become titles, a whole number's exclusive bounds inclusive ones; a limit that a form cannot say is
left to a check of the answer; words about a value are left out; and what would change which
answers are right refuses the form (FORM-1).
Knows nothing of: messages, sessions, and of what makes a form one to refuse besides (secrets, see
the guard of `agent`). Above it: `questions`. Below it: `losses`, `limits`, `forms`, `protocol`.

The result is built anew and has nothing of the server's object in it: what an agent sends it
answers for, so it is written strictly.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from acp_elicitation.bridges.mcp.limits import take_limits
from acp_elicitation.bridges.mcp.losses import Loss, NotForwarded, place
from acp_elicitation.forms.check import compile_check
from acp_elicitation.forms.describe import Description
from acp_elicitation.forms.kinds import Refused, Shape
from acp_elicitation.forms.limits import Test
from acp_elicitation.forms.question import Question
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import JsonObject, malformed_under
from acp_elicitation.protocol.schema import (
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    Property,
    SelectProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.schema_wire import TABLES, read_property, read_schema
from acp_elicitation.protocol.version import V1

__all__ = ["read_server_form"]

_ROOT = frozenset({"type", "properties", "required", "title", "description"})

# These say which answers are right, so a form without them would ask for something else.
_LIMITING = frozenset(
    {
        *("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
        *("const", "enum", "contains", "minContains", "maxContains", "prefixItems"),
        *("unevaluatedItems", "unevaluatedProperties", "items"),
        *("minProperties", "maxProperties", "patternProperties", "propertyNames"),
        *("dependentRequired", "dependentSchemas", "dependencies"),
        *("minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"),
    }
)
# These are so anyway: a form sends the properties that it has, and no choice twice.
_IMPLIED = frozenset({"additionalProperties", "uniqueItems"})

_NO_SUCH_TYPE = "forms have no such type (FORM-1)"
_CHOICES = {"string": ("enum", "oneOf"), "array": ("items",)}


def read_server_form(value: object) -> tuple[Description[dict[str, object]], tuple[Loss, ...]]:
    """Return the form that the `requestedSchema` of an MCP server describes, and the losses.

    With patterns it may take a moment: not on an event loop (FORM-9).

    Raises:
        NotForwarded: ACP cannot carry it, or it is none.
    """
    losses: list[Loss] = []
    try:
        schema = _read_root(value, losses)
        members: dict[str, Property] = {}
        tests: dict[str, list[Test]] = {}
        for name, member in schema["properties"].items():
            path = place("requestedSchema", "properties", name)
            try:
                members[name], tests[name] = _read_member(member, path, losses)
            except MalformedMessage as error:
                raise malformed_under("properties", malformed_under(name, error)) from None
        # V1 asks for least at the root; the properties are known to be in order by now.
        form = read_schema({**schema, "properties": {}}, V1)
    except MalformedMessage as error:
        reason = f"{error.expected} belongs there"
        raise NotForwarded(
            "malformed", *losses, Loss(f"/requestedSchema{error.path}", "refused", reason)
        ) from None
    form = msgspec.structs.replace(form, properties=members, meta=None, raw=None)
    form = _without_wrong_defaults(form, losses)
    if any(loss.effect == "refused" for loss in losses):
        raise NotForwarded("not-carried", *losses)
    return _described(form, tests), tuple(losses)


def _read_root(value: object, losses: list[Loss]) -> JsonObject:
    if not isinstance(value, dict):
        raise MalformedMessage(path="", expected="an object")
    if value.get("type") != "object":
        raise MalformedMessage(path="/type", expected='"object"')
    if not isinstance(value.get("properties"), dict):
        raise MalformedMessage(path="/properties", expected="an object")
    losses += _unsaid(value, _ROOT, "/requestedSchema")
    return {name: value[name] for name in value if name in _ROOT}


def _read_member(value: object, path: str, losses: list[Loss]) -> tuple[Property, list[Test]]:
    if not isinstance(value, dict):
        raise MalformedMessage(path="", expected="an object")
    kind = value.get("type")
    known = TABLES.get(kind) if isinstance(kind, str) else None
    if known is None:
        return _refuse(path + "/type", _NO_SUCH_TYPE, losses)
    said, tests = take_limits(_named_choices(value, path, losses), path, losses)
    member = read_property(said, V1)
    if isinstance(member, UnknownProperty):
        return _refuse(path + "/items/type", _NO_SUCH_TYPE, losses)
    if isinstance(member, SelectProperty | MultiSelectProperty) and not member.options:
        return _refuse(path, "a choice without options has no answer", losses)
    losses += _unsaid(said, {"type", *known, *_CHOICES.get(str(kind), ())} - {"_meta"}, path)
    if isinstance(value.get("items"), dict):
        losses += _unsaid(value["items"], {"type", "enum", "anyOf"}, path + "/items")
    if value.get("default") is not None and getattr(member, "default", None) is None:
        losses.append(Loss(path + "/default", "dropped", "it is not of the property's type"))
    return _own(member), tests


def _refuse(where: str, why: str, losses: list[Loss]) -> tuple[UnknownProperty, list[Test]]:
    losses.append(Loss(where, "refused", why))
    return UnknownProperty(type="unknown"), []


def _own(member: Property) -> Property:
    """Return `member` as if it was written here; `_meta` of MCP has no meaning in ACP."""
    changes: dict[str, Any] = {"raw": None, "meta": None}
    if isinstance(member, SelectProperty | MultiSelectProperty):
        options = (msgspec.structs.replace(option, meta=None) for option in member.options)
        changes["options"] = tuple(options)
    return msgspec.structs.replace(member, **changes)


def _named_choices(value: JsonObject, path: str, losses: list[Loss]) -> JsonObject:
    """Return `value` with the `enumNames` of its values as their titles."""
    if "enumNames" not in value:
        return value
    said = {name: member for name, member in value.items() if name != "enumNames"}
    values, names = value.get("enum"), value["enumNames"]
    if not (
        value.get("oneOf") is None
        and isinstance(values, list)
        and isinstance(names, list)
        and len(values) == len(names)
        and all(isinstance(name, str) for name in names)
    ):
        reason = "there is not one name for each value, so the values stand for themselves"
        losses.append(Loss(path + "/enumNames", "dropped", reason))
        return said
    losses.append(Loss(path + "/enumNames", "converted", "the names are titles of the values"))
    titled = [
        {"const": one, "title": name} if name else {"const": one, "title": one}
        for one, name in zip(values, names, strict=True)
    ]
    # Where `enum` stood, so that nothing else moves.
    return {
        ("oneOf" if name == "enum" else name): (titled if name == "enum" else member)
        for name, member in said.items()
    }


def _unsaid(value: JsonObject, known: frozenset[str] | set[str], path: str) -> Iterator[Loss]:
    for name in value:
        if name in known or value[name] is None:
            continue
        where = path + place(name)
        if name in _LIMITING:
            yield Loss(where, "refused", "forms cannot say this limit of the answer (FORM-1)")
        elif name in _IMPLIED:
            yield Loss(where, "dropped", "it is so in every form")
        else:
            yield Loss(where, "dropped", "forms have no such member")


def _without_wrong_defaults(form: FormSchema, losses: list[Loss]) -> FormSchema:
    """Return `form` without the defaults that would not be taken as answers."""
    check, members = compile_check(form), dict(form.properties)
    for name, member in members.items():
        default = getattr(member, "default", None)
        if default is not None and check.of(name, default):
            path = place("requestedSchema", "properties", name, "default")
            losses.append(Loss(path, "dropped", "it breaks the property's own limits"))
            members[name] = msgspec.structs.replace(member, default=None)
    return msgspec.structs.replace(form, properties=members)


def _described(form: FormSchema, tests: dict[str, list[Test]]) -> Description[dict[str, object]]:
    questions = (
        Question(
            wire=name,
            key=name,
            shape=Shape(property=one, read=_reader(one, tests[name]), show=_same),
        )
        for name, one in form.properties.items()
    )
    return Description(form, questions, dict)


def _reader(member: Property, tests: list[Test]) -> Any:
    def read(value: Any) -> Any:
        for passes, reason in tests:
            if not passes(value):
                raise Refused("rejected", reason=reason)
        # 3.0 is an integer in JSON, and 3 in Python.
        return int(value) if isinstance(member, IntegerProperty) else value

    return read


def _same(value: Any) -> Any:
    return value
