"""Companions: the free text that stands directly after a choice and belongs to it.

Owns: which two properties of a form are one question. The restricted schema has no property that
is both a choice and a text, so agents send two: `db` and `db_other`.
Knows nothing of: how the pair is drawn, and what is in it (see `draft`). Nothing is merged: both
are properties of the content, each with its own value.
Above it: `draft`. Below it: `protocol.schema`.

A text is taken for a companion when it stands directly after a choice, need not be answered, and
says so: by its name, which is the choice's with `_other`, `_custom` or `_note` at its end, or by
its `_meta`, which has `isOther: true` or `role: user_note`, with the choice's name as `questionId`
where it has any. A required text is a question of its own.
"""

from collections.abc import Collection, Mapping
from itertools import pairwise

import msgspec

from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = ["Companion", "companions_of"]

_INSTEAD = ("_other", "_custom")
_BESIDE = "_note"


class Companion(msgspec.Struct, frozen=True, kw_only=True):
    """The text that belongs to a choice."""

    name: str
    is_note: bool
    """Whether it says more about the choice, rather than something in place of it."""


def companions_of(schema: FormSchema) -> Mapping[str, Companion]:
    """Return the companion of each choice that has one, by the choice's name."""
    members = list(schema.properties.items())
    found: dict[str, Companion] = {}
    for (choice, member), (name, after) in pairwise(members):
        if isinstance(member, SelectProperty | MultiSelectProperty):
            companion = _companion(choice, name, after, schema.required)
            if companion is not None:
                found[choice] = companion
    return found


def _companion(
    choice: str, name: str, member: Property, required: Collection[str]
) -> Companion | None:
    if type(member) is not StringProperty or name in required:  # a select is a StringProperty too
        return None
    meta = member.meta or {}
    if meta.get("questionId", choice) != choice:
        return None
    if meta.get("role") == "user_note" or name == choice + _BESIDE:
        return Companion(name=name, is_note=True)
    if meta.get("isOther") is True or name in [choice + end for end in _INSTEAD]:
        return Companion(name=name, is_note=False)
    return None
