"""Types that tell pydantic what they are: addresses, dates in the past, types of other packages.

Owns: asking pydantic for the JSON Schema of one such type, and whether that is a single value that
a form can ask for.
Knows nothing of: models and fields. It is entered only for a type that has pydantic's own hook, or
that stands in a pydantic model, so pydantic is imported already.
Above it: `hints`. Below it: `kinds`, `limits`, `unsayable`.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from acp_elicitation.forms import kinds
from acp_elicitation.forms.kinds import NO_DEFAULT, REJECTED, Read, Refused, Shape
from acp_elicitation.forms.limits import Limits, wire_pattern
from acp_elicitation.forms.unsayable import FORBIDDEN
from acp_elicitation.protocol.errors import UnsupportedType

__all__ = ["foreign_shape", "is_foreign"]

_HOOK = "__get_pydantic_core_schema__"

_SAID = frozenset(
    {"type", "format", "title", "description", "examples", "default"}
    | {"minLength", "maxLength", "pattern"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)


def is_foreign(hint: type, in_pydantic: bool) -> bool:
    """Return whether pydantic knows how to check a value of `hint`, and `hint` has no fields."""
    if hasattr(hint, "__pydantic_fields__") or hasattr(hint, "__dataclass_fields__"):
        return False
    return hasattr(hint, _HOOK) or (in_pydantic and hint.__module__ in ("datetime", "ipaddress"))


def foreign_shape(hint: type, limits: Limits, *, where: str, validates: bool) -> Shape:
    """Return how to ask for a value of `hint`, by the JSON Schema that pydantic gives for it.

    Raises:
        UnsupportedType: it is a secret, or more than a single value.
    """
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError
    from pydantic_core import PydanticSerializationError

    name = hint.__name__
    if name in FORBIDDEN:
        reason, instead = FORBIDDEN[name]
        raise UnsupportedType(where=where, reason=reason, instead=instead)
    adapter: Any = None
    said: dict[str, Any] = {}
    with suppress(PydanticUserError, ImportError):
        adapter = TypeAdapter(hint)
        said = adapter.json_schema()
    make = _SHAPES.get(said.get("type"))
    if make is None or not _SAID.issuperset(said):
        raise UnsupportedType(
            where=where,
            reason=f"the JSON Schema of {name} is more than the property of a form can say",
            instead="use str, and check the text in a validator",
        )

    def show(value: object) -> Any:
        try:
            return adapter.dump_python(value, mode="json", warnings=False)
        except PydanticSerializationError:
            return NO_DEFAULT

    if "pattern" in said:
        said["pattern"] = wire_pattern(said["pattern"], where)
    shape: Shape = msgspec.structs.replace(make(said, limits), show=show)
    if validates:
        return shape
    return msgspec.structs.replace(shape, read=_through(adapter, shape.read))


def _text(said: dict[str, Any], limits: Limits) -> Shape:
    joined = msgspec.structs.replace(
        limits,
        min_length=said.get("minLength", limits.min_length),
        max_length=said.get("maxLength", limits.max_length),
        pattern=said.get("pattern", limits.pattern),
    )
    return kinds.text(joined, format=said.get("format"))


def _bounds(said: dict[str, Any], limits: Limits) -> Limits:
    return msgspec.structs.replace(
        limits,
        ge=said.get("minimum", limits.ge),
        gt=said.get("exclusiveMinimum", limits.gt),
        le=said.get("maximum", limits.le),
        lt=said.get("exclusiveMaximum", limits.lt),
    )


_SHAPES: dict[object, Callable[[dict[str, Any], Limits], Shape]] = {
    "string": _text,
    "integer": lambda said, limits: kinds.integer(_bounds(said, limits)),
    "number": lambda said, limits: kinds.number(_bounds(said, limits)),
    "boolean": lambda said, limits: kinds.boolean(),
}


def _through(adapter: Any, plain: Read) -> Read:
    from pydantic import ValidationError

    def read(value: object) -> Any:
        try:
            return adapter.validate_python(plain(value))
        except ValidationError as error:
            reasons = "; ".join(one["msg"] for one in error.errors(include_input=False))
        raise Refused(REJECTED, reason=reasons)

    return read
