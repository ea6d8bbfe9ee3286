"""Limits of a number that JSON Schema has and a form has not: exclusive bounds, and steps.

Owns: which of them become inclusive bounds, and which a check of the answer.
Knows nothing of: other members of a schema. Above it: `schemas`. Below it: `losses`,
`forms.limits`.
"""

from typing import Any

from acp_elicitation.bridges.mcp.losses import Effect, Loss
from acp_elicitation.forms.limits import Limits, Test, receipt_tests
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import INTEGER, MALFORMED, NUMBER, JsonObject

__all__ = ["take_limits"]

_INCLUSIVE = {"minimum": "ge", "maximum": "le"}
_EXCLUSIVE = {"exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
_STEP = "multipleOf"

_WHOLE = "the next whole number is the bound"
_WIDER = "forms have inclusive bounds only"


def take_limits(value: JsonObject, path: str, losses: list[Loss]) -> tuple[JsonObject, list[Test]]:
    """Return the property `value` without such limits, and the tests that its answer has to pass.

    Raises:
        MalformedMessage: a limit is no number, or a step of nothing.
    """
    kind = value.get("type")
    if kind not in ("integer", "number"):
        return value, []
    names = (*_INCLUSIVE, *_EXCLUSIVE, _STEP)
    found = {name: _number_at(value, name) for name in names if value.get(name) is not None}
    odd = {name for name in found if not _is_said(name, found[name], str(kind))}
    if not odd:
        return value, []
    said = {name: member for name, member in value.items() if name not in names}
    bounds: dict[str, Any] = {
        short: found[name] for name, short in (_INCLUSIVE | _EXCLUSIVE).items() if name in found
    }
    limits = Limits(**bounds)
    low, high = limits.integer_bounds() if kind == "integer" else limits.number_bounds()
    said |= {
        name: bound for name, bound in (("minimum", low), ("maximum", high)) if bound is not None
    }
    return said, [*_tests(found, odd, str(kind), path, losses)]


def _is_said(name: str, limit: int | float, kind: str) -> bool:
    """Whether a form says this limit as it is."""
    return name in _INCLUSIVE and (kind == "number" or INTEGER.convert(limit) is not MALFORMED)


def _tests(
    found: dict[str, int | float], odd: set[str], kind: str, path: str, losses: list[Loss]
) -> list[Test]:
    checked: dict[str, Any] = {}
    loss: tuple[Effect, str]
    for name in sorted(odd):
        if name == _STEP:
            checked["multiple_of"] = (found[name],)
            losses.append(Loss(f"{path}/{name}", "checked", "forms have no steps"))
            continue
        checked[(_INCLUSIVE | _EXCLUSIVE)[name]] = found[name]
        loss = ("converted", _WHOLE) if kind == "integer" else ("checked", _WIDER)
        losses.append(Loss(f"{path}/{name}", *loss))
    return receipt_tests(Limits(**checked))


def _number_at(value: JsonObject, name: str) -> int | float:
    number = NUMBER.convert(value[name])
    if not isinstance(number, int | float):
        raise MalformedMessage(path="/" + name, expected=NUMBER.expected)
    if name == _STEP and number <= 0:
        raise MalformedMessage(path="/" + name, expected="a number above 0")
    return number
