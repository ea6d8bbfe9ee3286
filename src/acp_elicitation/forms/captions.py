"""What the user reads about a field: title, description, examples, from the metadata of its hint.

Owns: which metadata are words, and the members that `json_schema_extra` may add (FORM-1).
Knows nothing of: properties, limits, values.
Above it: `describe`. Below it: `limits` (to tell the libraries' classes), the error tree.
"""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from acp_elicitation.forms.limits import is_from
from acp_elicitation.forms.unsayable import FORBIDDEN
from acp_elicitation.protocol.errors import UnsupportedType

__all__ = ["Caption", "caption", "first_paragraph"]


class Caption(msgspec.Struct, kw_only=True):
    """The words of one field."""

    title: str | None = None
    description: str | None = None
    examples: tuple[Any, ...] = ()
    format: str | None = None
    meta: dict[str, Any] | None = None


# What would change which answers are right has a place in the type, where it is checked as well.
_RULES = frozenset(
    {"type", "enum", "const", "oneOf", "anyOf", "allOf", "not", "items", "default", "pattern"}
    | {"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    | {"multipleOf", "minItems", "maxItems", "uniqueItems", "$ref"}
)


def caption(metadata: Iterable[Any], *, where: str) -> Caption:
    """Return the words among `metadata`; of several, the outermost one counts.

    Raises:
        UnsupportedType: `json_schema_extra` would change which answers are right.
    """
    found = Caption()
    for item in metadata:
        if is_from(item, "pydantic", "msgspec"):
            extra = _extra(item, where)
            _take(found, getattr(item, "title", None), "title")
            _take(found, getattr(item, "description", None), "description")
            _take(found, extra.get("title"), "title")
            _take(found, extra.get("description"), "description")
            _take(found, extra.get("format"), "format")
            _take(found, extra.get("_meta"), "meta")
            found.examples = found.examples or tuple(
                getattr(item, "examples", None) or extra.get("examples") or ()
            )
        documentation = getattr(item, "documentation", None)  # typing_extensions.Doc
        if isinstance(documentation, str):
            _take(found, documentation, "description")
    return found


def _take(found: Caption, value: object, name: str) -> None:
    if value and getattr(found, name) is None:
        setattr(found, name, value)


def _extra(item: Any, where: str) -> Mapping[str, Any]:
    given = getattr(item, "json_schema_extra", None) or getattr(item, "extra_json_schema", None)
    extra: dict[str, Any] = {}
    if callable(given):
        given(extra)
    elif given:
        extra = dict(given)
    if extra.get("format") == "password" or extra.get("writeOnly"):
        reason, instead = FORBIDDEN["SecretStr"]  # FORM-5
        raise UnsupportedType(where=where, reason=reason, instead=instead)
    for name in extra:
        if name in _RULES:
            raise UnsupportedType(
                where=where,
                reason=f"json_schema_extra sets {name!r}, which the answer is not checked against",
                instead="say it with the type, such as a Literal, or with Field(...)",
            )
    return extra


def first_paragraph(text: str | None) -> str | None:
    """Return the part of a docstring that is for everyone: what follows is for programmers."""
    return inspect.cleandoc(text or "").partition("\n\n")[0].strip() or None
