"""From a Python type to the form that asks for it, and from accepted content to an instance of it.

Owns: `describe`, its cache, and the steps from content to value.
Knows nothing of: which types there are (see `sources`, `hints`), whether content fits the schema
(see `check`), and who asks.
Above it: the agent side. Below it: `check`, `sources`, `question`, `field`, `protocol.schema`.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast, overload

import msgspec

from acp_elicitation.forms.captions import first_paragraph
from acp_elicitation.forms.check import Check, compile_check
from acp_elicitation.forms.field import without_answers
from acp_elicitation.forms.kinds import Refused, Shape, integer
from acp_elicitation.forms.limits import Limits
from acp_elicitation.forms.problem import Problem
from acp_elicitation.forms.question import Question, question_of
from acp_elicitation.forms.sources import source_of
from acp_elicitation.forms.unsayable import SECRET
from acp_elicitation.protocol.errors import InvalidAnswer, SecretInForm, UnsupportedType
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty, Property, StringProperty
from acp_elicitation.protocol.schema_wire import write_schema
from acp_elicitation.protocol.version import V1, Version

__all__ = ["Description", "describe"]

T = TypeVar("T")


class Description(Generic[T]):
    """A type, described: the form that asks for it, and the way from an answer to an instance."""

    __slots__ = (
        "_check",
        "_defaults",
        "_factories",
        "_make",
        "_nones",
        "_questions",
        "_reads",
        "_required",
        "_schema",
        "_written",
    )

    def __init__(
        self, schema: FormSchema, questions: Iterable[Question], make: Callable[[Any], Any]
    ) -> None:
        self._schema = schema
        self._make = make
        self._questions = tuple(questions)
        self._reads = {one.wire: (one.key, one.shape.read) for one in self._questions}
        self._required = schema.required
        self._nones = tuple(one.key for one in self._questions if one.none_if_absent)
        self._factories = tuple(one for one in self._questions if one.factory is not None)
        self._defaults: tuple[object, ...] = ()
        self._written: dict[int, JsonObject] = {}
        self._check = compile_check(schema)

    @property
    def schema(self) -> FormSchema:
        """The form. A `default_factory` is called for each access, so that its value is fresh."""
        if self._factories:
            defaults = tuple([one.fresh_default() for one in self._factories])
            if defaults != self._defaults:
                fresh = zip(self._factories, defaults, strict=True)
                properties = self._schema.properties | {
                    one.wire: one.with_default(shown) for one, shown in fresh
                }
                self._schema = msgspec.structs.replace(self._schema, properties=properties)
                self._defaults, self._written = defaults, {}
                self._check = compile_check(self._schema)
        return self._schema

    @property
    def check(self) -> Check:
        """The check of the form as `schema` gave it last: `check.schema` is that form."""
        return self._check

    def written(self, schema: FormSchema, version: Version = V1) -> JsonObject:
        """Return `schema`, which came from here, as it is sent; made once for as long as it holds.

        The object is shared: it must not be changed.
        """
        if schema is not self._schema:
            return write_schema(schema, version)
        known = self._written.get(version.number)
        if known is None:
            known = self._written[version.number] = write_schema(schema, version)
        return known

    def build(self, content: Mapping[str, Any] | None) -> T:
        """Return the instance that `content` stands for; None counts as the empty object (RES-2).

        Content has passed `forms.check` for `schema` already; this adds what a schema cannot say.
        A field of `X | None` that is absent is None. Any other absent field has its default.

        Raises:
            InvalidAnswer: the type does not take it (FORM-3). Each problem names a property, or
                `WHOLE_FORM` for several together; one with code `rejected` has the type's own
                `reason`, without what the user typed.
        """
        content = content or {}
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        for wire, value in content.items():
            known = self._reads.get(wire)
            if known is None:
                problems.append(Problem(str(wire), "undeclared"))
                continue
            key, read = known
            try:
                values[key] = read(value)
            except Refused as refusal:
                problems.append(Problem(wire, refusal.code, refusal.params))
        for wire in self._required:
            if wire not in content:
                problems.append(Problem(wire, "required"))
        if not problems:
            for key in self._nones:
                values.setdefault(key, None)
            try:
                return cast("T", self._make(values))
            except InvalidAnswer as error:
                problems.extend(cast("tuple[Problem, ...]", error.problems))
        # Outside of `except`: no exception with the user's values hangs on to this one.
        raise InvalidAnswer([without_answers(one, self._typed(content)) for one in problems])

    def _typed(self, content: Mapping[str, Any]) -> list[str]:
        """Return what the user wrote freely, the longest first."""
        texts = [
            content[one.wire]
            for one in self._questions
            if type(one.shape.property) is StringProperty and one.wire in content
        ]
        return sorted({text for text in texts if isinstance(text, str)}, key=len, reverse=True)


_NO_TITLES: Mapping[Any, str] = MappingProxyType({})

_CACHE_SIZE = 1024
# By identity, since a type need not be hashable. The type is kept beside its description, so that
# an id that stands here is not given to another one.
_cache: dict[int, tuple[object, Description[Any]]] = {}


@overload
def describe(source: Description[T]) -> Description[T]: ...
@overload
def describe(source: FormSchema) -> Description[dict[str, object]]: ...
@overload
def describe(  # type: ignore[overload-overlap] # a class is callable too, and stands for itself
    source: type[T], *, titles: Mapping[Any, str] = ...
) -> Description[T]: ...
@overload
def describe(
    source: Callable[..., object], *, titles: Mapping[Any, str] = ...
) -> Description[dict[str, Any]]: ...
def describe(source: Any, *, titles: Mapping[Any, str] = _NO_TITLES) -> Description[Any]:
    """Return the form that asks for an instance of `source`, and how to build one (FORM-1).

    `source` is a pydantic model (2.11 or newer), a dataclass, a TypedDict, a NamedTuple or a
    msgspec Struct; or a function, for its keyword arguments; or a form, for its content as a dict.
    What is described already is returned as it is.

    `titles` says what the user reads for a choice: `{Color.RED: "Red", "pg": "PostgreSQL"}`.
    Descriptions without `titles` are kept per type.

    Raises:
        UnsupportedType: a field of it is more than a form can say; the error names the field and
            what to use instead.
        SecretInForm: a field of it is a type of secrets, such as `SecretStr` (FORM-5).
    """
    if isinstance(source, Description):
        return source
    if isinstance(source, FormSchema):
        return _of_schema(source)
    if titles:
        return _of_type(source, titles)
    known = _cache.get(id(source))
    if known is not None:
        return known[1]
    made = _of_type(source, titles)
    if len(_cache) >= _CACHE_SIZE:
        del _cache[next(iter(_cache))]
    _cache[id(source)] = (source, made)
    return made


def _of_type(kind: Any, titles: Mapping[Any, str]) -> Description[Any]:
    source = source_of(kind)
    questions: dict[str, Question] = {}
    for field in source.fields:
        try:
            question = question_of(field, source, titles)
        except UnsupportedType as error:
            if error.reason != SECRET:
                raise
            raise SecretInForm(property=field.name, rule="secret-type", where="type") from None
        if questions.setdefault(question.wire, question) is not question:
            raise UnsupportedType(
                where=f"{source.name}.{field.name}",
                reason=f"another field is called {field.wire!r} in the form",
                instead="give it another alias",
            )
    form = FormSchema(
        properties={wire: one.shape.property for wire, one in questions.items()},
        required=tuple(wire for wire, one in questions.items() if one.required),
        title=source.title,
        description=first_paragraph(source.description),
    )
    return Description(form, questions.values(), source.make)


def _of_schema(schema: FormSchema) -> Description[Any]:
    """Return the description of a form that is there already: content comes back as a dict."""
    questions = (
        Question(
            wire=name, key=name, shape=Shape(property=member, read=_as_it_is(member), show=_same)
        )
        for name, member in schema.properties.items()
    )
    return Description(schema, questions, dict)


def _same(value: Any) -> Any:
    return value


def _as_it_is(member: Property) -> Callable[[Any], Any]:
    # 3.0 is an integer on the wire, and 3 in Python.
    return integer(Limits()).read if isinstance(member, IntegerProperty) else _same
