"""A form asked again because its answer did not fit: with the reasons, and with what did fit.

Owns: the message and the defaults of the second question.
Knows nothing of: how often (see `Asking`), and whether the first answer was checked rightly.
Above it: `elicitor`. Below it: `forms.check`, `text.wording`, `protocol`.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from acp_elicitation.forms.check import Check, compile_check
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.requests import FormRequest
from acp_elicitation.protocol.schema import Property, UnknownProperty
from acp_elicitation.text.wording import word_problem

__all__ = ["asked_again"]


async def asked_again(
    first: FormRequest, asked: FormRequest, content: Mapping[str, Any], problems: Sequence[Problem]
) -> FormRequest:
    """Return the question to ask after `asked` was answered with `content` that has `problems`.

    It is `first` with the reasons under its message. The values without problems are its defaults,
    so that the user does not enter them a second time.
    """
    check, wrong = compile_check(asked.schema), {problem.property for problem in problems}
    right = {name: value for name, value in content.items() if name not in wrong}
    if check.has_patterns:
        # A pattern may take its whole time limit: not on the event loop (FORM-9).
        properties = await asyncio.to_thread(_filled, check, right)
    else:
        properties = _filled(check, right)
    reasons = [f"- {_label(first, problem)}{word_problem(problem)}" for problem in problems]
    return msgspec.structs.replace(
        first,
        message="\n".join([first.message, "", "Please correct:", *reasons]),
        schema=msgspec.structs.replace(asked.schema, properties=properties, raw=None),
    )


def _filled(check: Check, content: Mapping[str, Any]) -> dict[str, Property]:
    """Return the properties of the form, with each value of `content` that fits as its default."""
    properties = dict(check.schema.properties)
    for name, value in content.items():
        if name in properties and not check.of(name, value):
            properties[name] = _with_default(properties[name], value)
    return properties


def _with_default(member: Property, value: Any) -> Property:
    # A property that was read from the wire is sent as it was read: it cannot be changed.
    if isinstance(member, UnknownProperty) or member.raw is not None:
        return member
    default = tuple(value) if isinstance(value, list) else value
    return cast("Property", msgspec.structs.replace(member, default=default))


def _label(first: FormRequest, problem: Problem) -> str:
    """Return what the user calls the property, or nothing for a problem of the whole form."""
    member = first.schema.properties.get(problem.property)
    return "" if member is None else f"{member.title or problem.property}: "
