"""From a Python type to the form that asks for it, and from accepted content to an instance of it.

Owns: `describe`, its cache, the assembly of a form, and the steps from content to value.
Knows nothing of: which types there are (see `sources`, `hints`), whether content fits the schema
(see `check`), and who asks.
Above it: the agent side. Below it: `sources`, `hints`, `captions`, `check`, `protocol.schema`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast, overload

import msgspec

from acp_elicitation.forms.captions import Caption, caption, paragraphs
from acp_elicitation.forms.check import compile_check
from acp_elicitation.forms.field import ABSENT, Field, Source
from acp_elicitation.forms.hints import Place, understand
from acp_elicitation.forms.kinds import NO_DEFAULT, Refused, Shape, integer
from acp_elicitation.forms.limits import Limits
from acp_elicitation.forms.problem import Problem
from acp_elicitation.forms.sources import source_of
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.schema import (
    FormSchema,
    IntegerProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = ["Description", "describe"]

T = TypeVar("T")


class _Question(msgspec.Struct, frozen=True, kw_only=True):
    """One property of a form, and the field that its answer goes to."""

    wire: str
    key: str
    property: Property
    shape: Shape
    required: bool
    none_if_absent: bool
    factory: Callable[[], Any] | None


class Description(Generic[T]):
    """A type, described: the form that asks for it, and the way from an answer to an instance."""

    def __init__(self, source: Source, questions: list[_Question]) -> None:
        self._source = source
        self._make = source.make
        self._questions = {one.wire: one for one in questions}
        self._reads = {one.wire: (one.key, one.shape.read) for one in questions}
        self._required = tuple(one.wire for one in questions if one.required)
        self._nones = tuple(one.key for one in questions if one.none_if_absent)
        self._dated = any(one.factory for one in questions)
        self._schema = FormSchema(
            properties={one.wire: one.property for one in questions},
            required=self._required,
            title=source.title,
            description=paragraphs(source.description),
        )

    @property
    def schema(self) -> FormSchema:
        """The form. A `default_factory` is called for each access, so that its value is fresh."""
        if not self._dated:
            return self._schema
        return msgspec.structs.replace(
            self._schema,
            properties={
                one.wire: _with_default(one.wire, one.property, one.shape, one.factory())
                if one.factory
                else one.property
                for one in self._questions.values()
            },
        )

    def build(self, content: Mapping[str, Any] | None) -> T:
        """Return the instance that `content` stands for; None counts as the empty object (RES-2).

        Content has passed `forms.check` for `schema` already; this adds what a schema cannot say.
        An optional field that is absent is None, any other absent field has its default.

        Raises:
            InvalidAnswer: the type does not take it (FORM-3). Each problem names a property, or
                `"*"` for several together; code `rejected` has the type's own `reason`.
        """
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        reads = self._reads
        for wire, value in (content or {}).items():
            known = reads.get(wire)
            if known is None:
                problems.append(Problem(str(wire), "undeclared"))
                continue
            key, read = known
            try:
                values[key] = read(value)
            except Refused as refusal:
                problems.append(Problem(wire, refusal.code, refusal.params))
        for wire in self._required:
            if content is None or wire not in content:
                problems.append(Problem(wire, "required"))
        if problems:
            raise InvalidAnswer(problems)
        for key in self._nones:
            values.setdefault(key, None)
        return cast("T", self._make(values))


_NO_TITLES: Mapping[Any, str] = MappingProxyType({})

_CACHE_SIZE = 1024
# By identity, since a type need not be hashable. A description holds its type, so an id that stands
# here is not given to another one.
_cache: dict[int, tuple[object, Description[Any]]] = {}


@overload
def describe(source: FormSchema) -> Description[dict[str, Any]]: ...
@overload
def describe(source: type[T], *, titles: Mapping[Any, str] = ...) -> Description[T]: ...
def describe(source: Any, *, titles: Mapping[Any, str] = _NO_TITLES) -> Description[Any]:
    """Return the form that asks for an instance of `source`, and how to build one (FORM-1).

    `titles` says what the user reads instead of a choice: `{Color.RED: "Red", "pg": "PostgreSQL"}`.
    Descriptions without `titles` are kept per type.

    Raises:
        UnsupportedType: a field of it is more than a form can say; the error names the field and
            what to use instead.
    """
    if isinstance(source, FormSchema) or titles:
        return _describe(source, titles)
    known = _cache.get(id(source))
    if known is not None:
        return known[1]
    made = _describe(source, titles)
    if len(_cache) >= _CACHE_SIZE:
        del _cache[next(iter(_cache))]
    _cache[id(source)] = (source, made)
    return made


def _describe(kind: Any, titles: Mapping[Any, str]) -> Description[Any]:
    if isinstance(kind, FormSchema):
        return _of_schema(kind)
    source = source_of(kind)
    return Description(source, [_question(one, source, titles) for one in source.fields])


def _of_schema(schema: FormSchema) -> Description[Any]:
    """Return the description of a form that is there already: content comes back as a dict."""
    description: Description[Any] = Description(
        Source(name="form", fields=(), make=dict),
        [
            _Question(
                wire=name,
                key=name,
                property=member,
                shape=Shape(property=member, read=_as_is(member), show=_same),
                required=name in schema.required,
                none_if_absent=False,
                factory=None,
            )
            for name, member in schema.properties.items()
        ],
    )
    description._schema = schema
    return description


def _same(value: Any) -> Any:
    return value


def _as_is(member: Property) -> Callable[[Any], Any]:
    # 3.0 is an integer on the wire, and 3 in Python.
    return integer(Limits()).read if isinstance(member, IntegerProperty) else _same


def _question(field: Field, source: Source, titles: Mapping[Any, str]) -> _Question:
    where = f"{source.name}.{field.name}"
    asked = understand(field.hint, field.metadata, Place(where, titles, source.validates))
    words = caption(asked.metadata, where=where)
    member = _worded(asked.shape, words, field)
    has_default = field.default is not ABSENT or field.factory is not None
    if field.default is not ABSENT and field.default is not None:
        member = _with_default(field.wire, member, asked.shape, field.default)
    return _Question(
        wire=field.wire,
        key=field.key,
        property=member,
        shape=asked.shape,
        required=not (asked.nullable or has_default or field.optional),
        none_if_absent=asked.nullable and not field.optional and field.default is not None,
        factory=field.factory,
    )


def _worded(shape: Shape, words: Caption, field: Field) -> Property:
    """Return the property with its title, description and format."""
    description = words.description or field.description
    examples = [str(one) for one in map(shape.show, words.examples) if one is not NO_DEFAULT]
    if examples and not isinstance(shape.property, SelectProperty):
        # The schema has no keyword for examples, so they stand where every client shows them.
        description = f"{description or ''} (e.g. {', '.join(examples)})".strip()
    changes: dict[str, Any] = {}
    if words.format and type(shape.property) is StringProperty and shape.property.format is None:
        changes["format"] = words.format
    return msgspec.structs.replace(
        shape.property,
        title=words.title or field.title,
        description=paragraphs(description),
        meta=words.meta,
        **changes,
    )


def _with_default(wire: str, member: Any, shape: Shape, default: object) -> Property:
    """Return `member` with its default, or as it is when the default is no answer to it (FORM-4).

    Such a default (-1 for "none" with a minimum of 0) still holds for a field that is left out.
    """
    shown = shape.show(default)
    if shown is NO_DEFAULT:
        return cast("Property", member)
    if compile_check(FormSchema(properties={wire: member}))({wire: shown}):
        return cast("Property", member)
    return cast("Property", msgspec.structs.replace(member, default=shown))
