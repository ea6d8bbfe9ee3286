"""The types a form can be made from, as one neutral list of fields and a way to make an instance.

Owns: dataclasses, TypedDicts, NamedTuples, msgspec Structs and the parameters of functions; which
kind of source a type is.
Knows nothing of: what a hint means, the wire, and the checks of values.
Above it: `describe`. Below it: `models` (pydantic), `generics`, `docstrings`, `field`.
"""

from collections.abc import Callable, Mapping, Set
from typing import Any, get_args, get_origin

from acp_elicitation.forms.docstrings import attribute_docstrings, own_docstring
from acp_elicitation.forms.field import ABSENT, Field, Source, plain_make
from acp_elicitation.forms.generics import hints_of, unresolved
from acp_elicitation.protocol.errors import UnsupportedType

__all__ = ["source_of"]


def source_of(source: Any) -> Source:
    """Return the fields of `source`, in their order.

    Raises:
        UnsupportedType: `source` is no type with fields and no function, or an annotation of it
            cannot be read.
    """
    kind = get_origin(source) or source
    if isinstance(kind, type):
        if hasattr(kind, "__pydantic_fields__"):
            from acp_elicitation.forms.models import model_source

            return model_source(kind)
        for mark, read in _READERS:
            if hasattr(kind, mark):
                return read(source, kind)
    elif callable(kind) and hasattr(kind, "__code__"):
        return _function(kind)
    raise UnsupportedType(
        where=getattr(kind, "__qualname__", repr(kind)),
        reason="a form is made from a type with fields",
        instead="give a pydantic 2.11 model, dataclass, TypedDict, NamedTuple, Struct or function",
    )


def _dataclass(source: Any, kind: type) -> Source:
    import dataclasses

    name = kind.__name__
    hints = hints_of(source, name)
    for key, hint in hints.items():
        if isinstance(hint, dataclasses.InitVar):
            raise UnsupportedType(
                where=f"{name}.{key}", reason="an InitVar is no field", instead="make it a field"
            )
    texts = _texts(kind)
    return Source(
        name=name,
        fields=tuple(
            Field(
                name=one.name,
                wire=one.name,
                key=one.name,
                hint=hints[one.name],
                default=ABSENT if one.default is dataclasses.MISSING else one.default,
                factory=None if one.default_factory is dataclasses.MISSING else one.default_factory,
                title=one.metadata.get("title"),
                description=one.metadata.get("description") or texts.get(one.name),
            )
            for one in dataclasses.fields(kind)
            if one.init
        ),
        make=plain_make(kind),
        description=own_docstring(kind),
    )


def _struct(source: Any, kind: type) -> Source:
    from msgspec import NODEFAULT
    from msgspec.structs import fields

    texts = _texts(kind)
    try:
        found = fields(source)
    except (NameError, AttributeError) as error:
        raise unresolved(kind.__name__, str(error.name)) from None
    return Source(
        name=kind.__name__,
        fields=tuple(
            Field(
                name=one.name,
                wire=one.encode_name,
                key=one.name,
                hint=one.type,
                default=ABSENT if one.default is NODEFAULT else one.default,
                factory=None if one.default_factory is NODEFAULT else one.default_factory,
                description=texts.get(one.name),
            )
            for one in found
        ),
        make=plain_make(kind),
        description=own_docstring(kind),
    )


def _named_tuple(source: Any, kind: Any) -> Source:
    hints = hints_of(source, kind.__name__)
    return _listed(kind, {one: hints[one] for one in kind._fields}, kind._field_defaults, set())


def _typed_dict(source: Any, kind: Any) -> Source:
    hints = hints_of(source, kind.__name__)
    return _listed(kind, hints, {}, kind.__optional_keys__)


def _listed(
    kind: Any, hints: Mapping[str, Any], defaults: Mapping[str, Any], optional_keys: Set[str]
) -> Source:
    texts = _texts(kind)
    fields: list[Field] = []
    for name, written in hints.items():
        hint, optional = _unwrapped(written, name in optional_keys)
        fields.append(
            Field(
                name=name,
                wire=name,
                key=name,
                hint=hint,
                default=defaults.get(name, ABSENT),
                optional=optional,
                description=texts.get(name),
            )
        )
    return Source(
        name=kind.__name__,
        fields=tuple(fields),
        make=plain_make(kind),
        description=own_docstring(kind),
    )


def _unwrapped(hint: Any, optional: bool) -> tuple[Any, bool]:
    """Take `Required`, `NotRequired` and `ReadOnly` off a key of a TypedDict."""
    # A string annotation hides them when the class is made, so they count more than its list.
    while (name := getattr(get_origin(hint), "_name", None)) in _QUALIFIERS:
        if name != "ReadOnly":
            optional = name == "NotRequired"
        hint = get_args(hint)[0]
    return hint, optional


_QUALIFIERS = ("Required", "NotRequired", "ReadOnly")


def _function(function: Any) -> Source:
    import inspect

    name = function.__qualname__
    hints = hints_of(function, name)
    fields: list[Field] = []
    for one in inspect.signature(function).parameters.values():
        where = f"{name}.{one.name}"
        if one.kind not in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            raise UnsupportedType(
                where=where,
                reason="it has no name that an answer could be passed by",
                instead="make it a parameter that can be passed by keyword",
            )
        if one.name not in hints:
            raise UnsupportedType(
                where=where, reason="it has no annotation", instead="annotate it with its type"
            )
        default = ABSENT if one.default is one.empty else one.default
        fields.append(
            Field(name=one.name, wire=one.name, key=one.name, hint=hints[one.name], default=default)
        )
    return Source(
        name=name,
        fields=tuple(fields),
        make=lambda values: {f.key: values.get(f.key, f.default) for f in fields},
        description=inspect.getdoc(function),
    )


def _texts(kind: type) -> dict[str, str]:
    """Return the docstrings of the fields of `kind`, inherited ones too."""
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        if one.__module__ not in ("builtins", "typing", "msgspec"):
            found.update(attribute_docstrings(one))
    return found


_READERS: tuple[tuple[str, Callable[[Any, Any], Source]], ...] = (
    ("__dataclass_fields__", _dataclass),
    ("__struct_fields__", _struct),
    ("__total__", _typed_dict),
    ("_field_defaults", _named_tuple),
)
