"""The hints of a class, with its type variables replaced: `Box[int]`, and `class Ints(Box[int])`.

Owns: evaluating annotations, string ones and inherited ones too, and substituting type variables.
Knows nothing of: what a hint means.
Above it: `sources`. Below it: the error tree.
"""

import inspect
import typing
from typing import Any, TypeVar, get_args, get_origin

from acp_elicitation.protocol.errors import UnsupportedType

__all__ = ["hints_of", "unresolved"]


def unresolved(where: str, annotation: str) -> UnsupportedType:
    """Return the error for an annotation whose name means nothing where it was written."""
    return UnsupportedType(
        where=where,
        reason=f"the annotation {annotation!r} cannot be resolved",
        instead="define or import that type at the top of the module",
    )


# By the identity of the class, which need not be hashable; with the class.
_Bindings = dict[int, tuple[Any, dict[Any, Any]]]


def hints_of(source: Any, name: str) -> dict[str, Any]:
    """Return the evaluated hints of a class, of `Generic[...]` with arguments, or of a function.

    Raises:
        UnsupportedType: an annotation names what cannot be found where it was written.
    """
    kind = get_origin(source) or source
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except (NameError, AttributeError) as error:
        raise unresolved(name, str(error.name)) from None
    if not isinstance(kind, type):
        return hints
    bound: _Bindings = {}
    _bind(kind, get_args(source), bound)
    return {
        key: _replaced(hint, bound[id(_owner(key, kind, bound))][1]) for key, hint in hints.items()
    }


def _bind(kind: Any, arguments: tuple[Any, ...], bound: _Bindings) -> None:
    values = dict(zip(getattr(kind, "__parameters__", ()), arguments, strict=False))
    bound[id(kind)] = kind, values
    for base in kind.__dict__.get("__orig_bases__", kind.__bases__):
        origin = get_origin(base) or base
        if isinstance(origin, type) and id(origin) not in bound:
            _bind(origin, tuple(_replaced(one, values) for one in get_args(base)), bound)


def _owner(name: str, kind: Any, bound: _Bindings) -> Any:
    """Return the class whose annotation of `name` counts."""
    if hasattr(kind, "__total__"):
        # A TypedDict repeats what it inherits: the one farthest away wrote it.
        return [one for one, _ in bound.values() if name in getattr(one, "__annotations__", {})][-1]
    return next(one for one in kind.__mro__ if name in inspect.get_annotations(one))


def _replaced(hint: Any, values: dict[Any, Any]) -> Any:
    if isinstance(hint, TypeVar):
        return values.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    if not parameters or isinstance(hint, type):
        return hint
    return hint[tuple(values.get(one, one) for one in parameters)]
