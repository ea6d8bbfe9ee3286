"""From a type hint with its limits to what is asked: the property, and both ways of its values.

Owns: which hints a form can say, and why each other one fails, with what to use instead (FORM-1).
Knows nothing of: where hints come from, defaults, titles of fields.
Above it: `describe`. Below it: `choices`, `kinds`, `limits`, `foreign`, `unsayable`.
"""

import collections.abc
import datetime
import enum
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from acp_elicitation.forms import choices, kinds
from acp_elicitation.forms.foreign import foreign_shape, is_foreign
from acp_elicitation.forms.kinds import REJECTED, Refused, Shape
from acp_elicitation.forms.limits import Limits, Test, flat, gather, is_from, receipt_tests
from acp_elicitation.forms.unsayable import why_not
from acp_elicitation.protocol.errors import UnsupportedType

__all__ = ["Asked", "Place", "understand"]


class Place(msgspec.Struct, frozen=True):
    """Where a hint stands, and what applies there."""

    where: str
    """`Model.field`."""
    titles: choices.Titles
    validates: bool
    """Whether the type checks its own limits when it is built, as pydantic's do."""

    def unsupported(self, reason: str, instead: str) -> UnsupportedType:
        """Return the error that names this place."""
        return UnsupportedType(where=self.where, reason=reason, instead=instead)


class Asked(msgspec.Struct, frozen=True):
    """A hint, understood: its shape, and whether None is one of its values."""

    shape: Shape
    nullable: bool
    metadata: tuple[object, ...]
    """All that stands in `Annotated` around the hint, from the outside in."""


_Bare = tuple[Any, tuple[object, ...], bool]


def understand(hint: object, metadata: tuple[object, ...], place: Place) -> Asked:
    """Return how to ask for a value of `hint`, within the limits among `metadata` as well.

    Raises:
        UnsupportedType: a form cannot ask for it; the error names the place and what to use.
    """
    bare, found, nullable = _strip(hint, metadata, place)
    limits = gather(found, where=place.where)
    shape = _shape(bare, limits, place)
    if not place.validates:
        _refuse_validators(found, place)
        shape = _checked(shape, receipt_tests(limits))
    return Asked(shape, nullable, found)


def _strip(hint: Any, metadata: tuple[object, ...], place: Place) -> _Bare:
    """Take `Annotated`, `NewType`, aliases and `| None` off; keep the metadata of all layers."""
    nullable = False
    while True:
        origin = get_origin(hint)
        if origin is Annotated:
            metadata = (*metadata, *hint.__metadata__)
            hint = hint.__origin__
        elif origin in (Union, types.UnionType):
            nullable = nullable or type(None) in get_args(hint)
            hint = _union(get_args(hint), place)
        elif origin is Literal and None in get_args(hint):
            hint = Literal[tuple(v for v in get_args(hint) if v is not None)]
            nullable = True
        elif origin is Final:
            hint = get_args(hint)[0]
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            return hint, metadata, nullable


def _union(members: tuple[Any, ...], place: Place) -> Any:
    others = [member for member in members if member is not type(None)]
    if len(others) == 1:
        return others[0]
    if all(get_origin(member) is Literal for member in others):
        return Literal[tuple(value for member in others for value in get_args(member))]
    raise place.unsupported(
        "a union of several types is more than one property can be",
        "use one type, or a Literal or an Enum of the alternatives",
    )


_Table = Mapping[Any, Callable[[Any, Limits], Shape]]

_EXACT: _Table = {
    str: lambda hint, limits: kinds.text(limits),
    int: lambda hint, limits: kinds.integer(limits),
    float: lambda hint, limits: kinds.number(limits),
    bool: lambda hint, limits: kinds.boolean(),
    datetime.date: lambda hint, limits: kinds.date(hint),
    datetime.datetime: lambda hint, limits: kinds.moment(hint),
}

_BY_NAME: Mapping[tuple[str, str], Callable[[Any, Limits], Shape]] = {
    ("uuid", "UUID"): lambda hint, limits: kinds.unique_id(hint),
    ("decimal", "Decimal"): lambda hint, limits: kinds.decimal(limits, hint),
    ("pathlib", "Path"): lambda hint, limits: kinds.path(limits, hint),
    ("pathlib", "PurePath"): lambda hint, limits: kinds.path(limits, hint),
    ("pathlib", "PurePosixPath"): lambda hint, limits: kinds.path(limits, hint),
    ("pathlib", "PureWindowsPath"): lambda hint, limits: kinds.path(limits, hint),
    ("pydantic", "EmailStr"): lambda hint, limits: kinds.text(limits, format="email"),
}

_CONTAINERS: Mapping[Any, Callable[[list[Any]], Any]] = {
    list: list,
    set: set,
    frozenset: frozenset,
    tuple: tuple,
    collections.abc.Sequence: list,
    collections.abc.Collection: list,
    collections.abc.Set: frozenset,
    collections.abc.MutableSet: set,
}


def _shape(hint: Any, limits: Limits, place: Place) -> Shape:
    origin = get_origin(hint)
    if origin is Literal:
        return choices.select(
            choices.literal_choices(get_args(hint), place.titles, where=place.where)
        )
    if (origin or hint) in _CONTAINERS:
        return _many(hint, origin, limits, place)
    if isinstance(hint, type):
        return _of_class(hint, limits, place)
    raise place.unsupported(*why_not(hint))


def _of_class(hint: type, limits: Limits, place: Place) -> Shape:
    make = _EXACT.get(hint) or _BY_NAME.get((hint.__module__.partition(".")[0], hint.__name__))
    if make is not None:
        return make(hint, limits)
    if issubclass(hint, enum.Enum):
        return choices.select(choices.enum_choices(hint, hint, place.titles, where=place.where))
    if is_foreign(hint, place.validates):
        return foreign_shape(hint, limits, where=place.where, validates=place.validates)
    raise place.unsupported(*why_not(hint))


def _many(hint: Any, origin: Any, limits: Limits, place: Place) -> Shape:
    arguments = get_args(hint)
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        raise place.unsupported(
            "a tuple of a fixed length is no list of choices",
            "use one field for each item, or tuple[X, ...]",
        )
    item, _, nullable = _strip(arguments[0], (), place) if arguments else (Any, (), False)
    if get_origin(item) is Literal and not nullable:
        found = choices.literal_choices(get_args(item), place.titles, where=place.where)
    elif isinstance(item, type) and issubclass(item, enum.Enum) and not nullable:
        found = choices.enum_choices(item, item, place.titles, where=place.where)
    else:
        raise place.unsupported(
            "a form has no list of free values",
            "use a list of a Literal or an Enum to choose from, or one str for the user to fill in",
        )
    return choices.select_many(found, limits, _CONTAINERS[origin])


# What pydantic's metadata may be outside of pydantic: words, limits, and what makes no difference.
_HARMLESS = frozenset(
    {"FieldInfo", "_PydanticGeneralMetadata", "Strict", "AllowInfNan", "FailFast"}
    | {"SkipJsonSchema", "WithJsonSchema", "Examples", "PlainSerializer", "WrapSerializer"}
)
_TRANSFORMATIONS = ("strip_whitespace", "to_upper", "to_lower", "ascii_only")


def _refuse_validators(metadata: tuple[object, ...], place: Place) -> None:
    for item in flat(metadata):
        name = type(item).__name__
        if not is_from(item, "pydantic") or name in _HARMLESS:
            continue
        if name != "StringConstraints" or any(getattr(item, one, None) for one in _TRANSFORMATIONS):
            raise place.unsupported(
                f"{name} works in a pydantic model only",
                "make the type a pydantic model, or check the value in __post_init__",
            )


def _checked(shape: Shape, tests: list[Test]) -> Shape:
    if not tests:
        return shape
    plain = shape.read

    def read(value: object) -> Any:
        found = plain(value)
        for test, reason in tests:
            if not test(found):
                raise Refused(REJECTED, reason=reason)
        return found

    return msgspec.structs.replace(shape, read=read)
