"""Why a form cannot ask for a type, and what to use instead, in words for the author of the type.

Owns: the reasons (FORM-1), that a form never asks for a secret among them (FORM-5).
Knows nothing of: what a form can ask for, and where the type stands.
Above it: `hints`, `foreign`. Below it: nothing of this package.
"""

import collections.abc
import typing
from typing import Any, get_origin

__all__ = ["FORBIDDEN", "SECRET", "why_not"]

SECRET = "a form must not ask for a secret"
"""The reason of the types of secrets, for which `describe` raises an error of its own (FORM-5)."""

_SECRET = (SECRET, "ask for it with a link (url mode)")

FORBIDDEN = {
    "SecretStr": _SECRET,
    "SecretBytes": _SECRET,
    "Secret": _SECRET,
    "ImportString": ("it would import what the user names", "use a Literal of the alternatives"),
    "NaiveDatetime": ("a moment on the wire has its offset", "use datetime or AwareDatetime"),
}
"""Types of pydantic that look like text in a JSON Schema, each with the reason and the advice."""

_WITH_FIELDS = (
    "__dataclass_fields__",
    "__pydantic_fields__",
    "__struct_fields__",
    "__total__",
    "_fields",
)


def why_not(hint: Any) -> tuple[str, str]:
    """Return why no form can ask for `hint`, and what to use instead."""
    if isinstance(hint, typing.TypeVar):
        return f"{hint} stands for no type yet", "describe the generic type with it, as in Box[int]"
    if hint is Any or hint is object:
        return "any type at all is no property", "name the type"
    kind = get_origin(hint) or hint
    if isinstance(kind, type):
        if kind.__module__.startswith("pydantic") and kind.__name__ in FORBIDDEN:
            return FORBIDDEN[kind.__name__]
        if any(hasattr(kind, mark) for mark in _WITH_FIELDS):
            return (
                f"{kind.__name__} has fields of its own, and a form is flat",
                "put its fields into this type, or ask for it in a form of its own",
            )
        if issubclass(kind, collections.abc.Mapping):
            return "a form has no dictionaries", "use one field for each key"
        if issubclass(kind, bytes | bytearray):
            return "a form has no bytes", "use str"
    return (
        f"{getattr(hint, '__name__', hint)} is none of the types that a form can ask for",
        "use str, int, float, bool, date, a Literal, an Enum, or a list of the last two",
    )
