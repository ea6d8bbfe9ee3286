"""Prompts and forms for the tests of presenters; the contract itself ships with the package."""

from typing import Any

from acp_elicitation.client.contract import check_presenter
from acp_elicitation.client.trial import (
    ASKER,
    Decision,
    Driven,
    form_prompt,
    link_prompt,
    permission_prompt,
)
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = [
    "ASKER",
    "Decision",
    "Driven",
    "check_presenter",
    "form_full_of",
    "form_prompt",
    "link_prompt",
    "permission_prompt",
]


def form_full_of(text: str, *, pattern: str | None = None) -> FormSchema:
    """Return a form that has `text` in every place where an agent can put one."""
    options = (
        Option(value=text, title=text, description=text),
        Option(value=f"{text}2", title=f"2{text}", description=text),
    )
    words: dict[str, Any] = {"title": text, "description": text}
    return FormSchema(
        title=text,
        description=text,
        properties={
            f"{text}a": StringProperty(default=text, **words),
            f"{text}b": SelectProperty(options=options, default=text, **words),
            f"{text}c": MultiSelectProperty(options=options, default=(text,), **words),
            f"{text}d": StringProperty(pattern=pattern, format=text, **words),
            f"{text}e": UnknownProperty(type=text, items_type=text, **words),
            f"{text}f": BooleanProperty(default=True, **words),
            f"{text}g": StringProperty(),
        },
        required=(f"{text}d",),
    )
