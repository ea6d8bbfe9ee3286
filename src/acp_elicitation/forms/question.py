"""One field of a type as one property of a form: its words, its default, whether it is required.

Owns: `Question`, and how a field, the meaning of its hint and its caption become one.
Knows nothing of: whole forms, content.
Above it: `describe`. Below it: `hints`, `captions`, `check` (for defaults), `field`.
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec

from acp_elicitation.forms.captions import caption
from acp_elicitation.forms.check import compile_check
from acp_elicitation.forms.choices import Titles
from acp_elicitation.forms.field import ABSENT, Field, Source
from acp_elicitation.forms.hints import Place, understand
from acp_elicitation.forms.kinds import NO_DEFAULT, Shape
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = ["Question", "question_of"]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One property of a form, and the field that its answer goes to."""

    wire: str
    """The name of the property."""
    key: str
    """What `Source.make` knows the value by."""
    shape: Shape
    required: bool = False
    none_if_absent: bool = False
    factory: Callable[[], Any] | None = None

    def fresh_default(self) -> object:
        """Return what the factory of the default gives now, as it is shown in a form."""
        assert self.factory is not None, "only asked of a question with a factory"
        return self.shape.show(self.factory())

    def with_default(self, shown: object) -> Property:
        """Return the property with this default."""
        return _with_shown(self.wire, self.shape.property, shown)


def question_of(field: Field, source: Source, titles: Titles) -> Question:
    """Return the question for `field` of `source`.

    Raises:
        UnsupportedType: a form cannot ask for it (FORM-1).
    """
    where = f"{source.name}.{field.name}"
    asked = understand(field.hint, field.metadata, Place(where, titles, source.validates))
    shape = _worded(asked.shape, field, asked.metadata, where)
    if field.default is not ABSENT and field.default is not None:
        shape = msgspec.structs.replace(
            shape, property=_with_default(field.wire, shape, field.default)
        )
    has_default = field.default is not ABSENT or field.factory is not None
    return Question(
        wire=field.wire,
        key=field.key,
        shape=shape,
        required=not (asked.nullable or has_default or field.optional),
        none_if_absent=asked.nullable and not field.optional and field.default is not None,
        factory=field.factory,
    )


def _worded(shape: Shape, field: Field, metadata: Iterable[object], where: str) -> Shape:
    """Return `shape` with the words of the field, and the format that they name."""
    words = caption(metadata, where=where)
    member = shape.property
    description = words.description or field.description
    examples = [str(one) for one in map(shape.show, words.examples) if one is not NO_DEFAULT]
    if examples and not isinstance(member, SelectProperty | MultiSelectProperty):
        # The schema has no keyword for examples, so they stand where every client shows them.
        description = f"{description or ''} (e.g. {', '.join(examples)})".strip()
    changes: dict[str, Any] = {
        "title": words.title or field.title,
        "description": inspect.cleandoc(description) if description else None,
        "meta": words.meta,
    }
    if words.format and type(member) is StringProperty and member.format is None:
        changes["format"] = words.format
    return msgspec.structs.replace(shape, property=msgspec.structs.replace(member, **changes))


def _with_default(wire: str, shape: Shape, default: object) -> Property:
    return _with_shown(wire, shape.property, shape.show(default))


def _with_shown(wire: str, member: Property, shown: object) -> Property:
    """Return the property with its default, or without it when the default is no answer to it.

    Such a default (-1 for "none" with a minimum of 0) still holds for a field that is left out.
    """
    form = FormSchema(properties={wire: member})
    if shown is NO_DEFAULT or compile_check(form)({wire: shown}):
        return member
    return cast("Property", msgspec.structs.replace(cast("Any", member), default=shown))
