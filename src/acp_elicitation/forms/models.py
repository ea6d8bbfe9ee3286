"""pydantic models and pydantic dataclasses as sources of a form.

Owns: reading pydantic's fields with their aliases, running its validators, and their errors as
problems.
Knows nothing of: what a hint means. Imported only for a type that is one of pydantic's.
Above it: `sources`. Below it: `field`.

The values that pydantic gets were read strictly already (`kinds`), so pydantic's own mode decides
about what the author's validators and defaults give, just as it does everywhere else in their code.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices, PydanticUndefinedAnnotation, ValidationError
from pydantic.fields import FieldInfo

from acp_elicitation.forms.docstrings import own_docstring
from acp_elicitation.forms.field import ABSENT, WHOLE_FORM, Field, Source, reason_of
from acp_elicitation.forms.generics import unresolved
from acp_elicitation.forms.kinds import REJECTED
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer, UnsupportedType

__all__ = ["model_source"]


def model_source(model: Any) -> Source:
    """Return the fields of `model`, which is a pydantic model or a pydantic dataclass.

    Raises:
        UnsupportedType: it is a RootModel, or an annotation of it cannot be resolved.
    """
    name = model.__name__
    _complete(model, name)
    if getattr(model, "__pydantic_root_model__", False):
        raise UnsupportedType(
            where=name, reason="a RootModel has no fields", instead="use a model with a field"
        )
    infos: dict[str, FieldInfo] = model.__pydantic_fields__
    fields = tuple(_field(one, info) for one, info in infos.items() if _is_asked(info))
    config: Mapping[str, Any] = (
        model.model_config if hasattr(model, "model_config") else model.__pydantic_config__
    )
    return Source(
        name=name,
        fields=fields,
        make=_maker(model, fields),
        validates=True,
        title=config.get("title"),
        description=own_docstring(model),
    )


def _complete(model: Any, name: str) -> None:
    if model.__pydantic_complete__:
        return
    try:
        if hasattr(model, "model_rebuild"):
            model.model_rebuild()
        else:
            from pydantic.dataclasses import rebuild_dataclass

            rebuild_dataclass(model)
    except PydanticUndefinedAnnotation as error:
        raise unresolved(name, str(error.name)) from None


def _is_asked(info: FieldInfo) -> bool:
    """Return whether the form asks for it: not what __init__ or a JSON Schema leaves out."""
    if info.init is False:
        return False
    hidden = any(type(item).__name__ == "SkipJsonSchema" for item in info.metadata)
    return not hidden or info.is_required()


def _alias(info: FieldInfo) -> str | None:
    alias = info.validation_alias
    if isinstance(alias, AliasChoices):
        alias = next((choice for choice in alias.choices if isinstance(choice, str)), None)
    return alias if isinstance(alias, str) else None


def _field(name: str, info: FieldInfo) -> Field:
    wire = _alias(info) or name
    factory: Any = info.default_factory
    optional = False
    if info.default_factory_takes_validated_data:
        factory, optional = None, True  # it needs the answers, so the form cannot show it
    return Field(
        name=name,
        wire=wire,
        key=wire,
        hint=info.annotation,
        metadata=(info,),
        default=ABSENT if info.is_required() or info.default_factory else info.default,
        factory=factory,
        optional=optional,
    )


def _maker(model: Any, fields: tuple[Field, ...]) -> Any:
    validate = model.__pydantic_validator__.validate_python
    options: dict[str, bool] = {}
    infos = [model.__pydantic_fields__[field.name] for field in fields]
    if any(info.validation_alias is not None for info in infos):
        # A field whose alias is a path has a place in the form by its name only.
        pathed = any(info.validation_alias and _alias(info) is None for info in infos)
        options = {"by_alias": True, "by_name": pathed}
    wires: dict[str | int, str] = {field.name: field.wire for field in fields}
    wires |= {field.wire: field.wire for field in fields}

    def make(values: dict[str, Any]) -> Any:
        try:
            return validate(values, **options)
        except ValidationError as error:
            problems = _problems(error, wires)
        # Outside of `except`: pydantic's error holds what the user typed, and must not be kept.
        raise InvalidAnswer(problems)

    return make


def _problems(error: ValidationError, wires: Mapping[str | int, str]) -> list[Problem]:
    found: list[Problem] = []
    for one in error.errors(include_url=False, include_input=False):
        place = one["loc"][0] if one["loc"] else WHOLE_FORM
        cause = one.get("ctx", {}).get("error")
        # Of the author's exception without pydantic's "Value error, " before it.
        reason = reason_of(cause) if isinstance(cause, Exception) else one["msg"]
        wire = wires.get(place, WHOLE_FORM)
        found.append(Problem(wire, REJECTED, {"reason": reason}))
    return found
