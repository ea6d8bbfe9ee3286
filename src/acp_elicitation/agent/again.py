"""A form asked again because its answer did not fit: with the reasons, and with what did fit.

Owns: the message and the defaults of the second question.
Knows nothing of: how often (see `Asking`), and whether the first answer was checked rightly.
Above it: `elicitor`. Below it: `forms.check`, `text.wording`, `protocol`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from acp_elicitation.forms.check import compile_check
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.requests import FormRequest
from acp_elicitation.protocol.schema import Property, UnknownProperty
from acp_elicitation.text.wording import word_problem

__all__ = ["asked_again"]


def asked_again(
    first: FormRequest, asked: FormRequest, content: Mapping[str, Any], problems: Sequence[Problem]
) -> FormRequest:
    """Return the question to ask after `asked` was answered with `content` that has `problems`.

    It is `first` with the reasons under its message. The values without problems are its defaults,
    so that the user does not enter them a second time.
    """
    wrong = {problem.property for problem in problems}
    check = compile_check(asked.schema)
    properties = dict(asked.schema.properties)
    for name, value in content.items():
        member = properties.get(name)
        if member is not None and name not in wrong and not check.of(name, value):
            properties[name] = _with_default(member, value)
    reasons = [f"- {_label(first, problem)}{word_problem(problem)}" for problem in problems]
    return msgspec.structs.replace(
        first,
        message="\n".join([first.message, "", "Please correct:", *reasons]),
        schema=msgspec.structs.replace(asked.schema, properties=properties, raw=None),
    )


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
