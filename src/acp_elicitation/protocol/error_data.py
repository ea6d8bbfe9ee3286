"""What an exception may say of data: of the `data` of a JSON-RPC error, and of bad answers.

Owns: the shapes in which the peers in the field name a place and a reason, and what of it may stand
in an exception; and the part of a problem that may.
Knows nothing of: codes, and of exceptions. Above it: `errors`. Below it: nothing.

A value that the reason quotes may be one that the user typed, so what stands in double quotes is
left out.
"""

import re
from typing import Protocol

__all__ = ["NamedProblem", "printable", "reason_in"]

_LONGEST = 300
_DEEPEST = 20
_QUOTED = re.compile(r'"[^"]*"')


class NamedProblem(Protocol):
    """The part of `forms.problem.Problem` that an error message needs."""

    @property
    def code(self) -> str: ...
    @property
    def property(self) -> str: ...


def reason_in(data: object) -> str | None:
    """Return the place and the reason that `data` names, in printable text; None for neither.

    Known are the shapes of this package (`{"path", "reason"}`), of pydantic (the Python SDK), of
    zod (the TypeScript SDK) and plain text (the Rust SDK).
    """
    match data:
        case str():
            said = data
        case {"path": str(path), "reason": str(reason)}:
            said = f"{path or '/'}: {reason}"
        case {"reason": str(said)}:
            pass
        case {"errors": [{"loc": [*place], "msg": str(reason)}, *_]}:
            said = f"/{'/'.join(map(str, place))}: {reason}"
        case {"_errors": [*_]}:
            said = _of_zod(data, "", _DEEPEST) or ""
        case _:
            said = ""
    return printable(said) or None


def _of_zod(node: object, path: str, depth: int) -> str | None:
    """Return the first reason in a tree that has its reasons under `_errors`."""
    match node:
        case {"_errors": [str(reason), *_]}:
            return f"{path or '/'}: {reason}"
        case dict() if depth:
            below = (_of_zod(child, f"{path}/{key}", depth - 1) for key, child in node.items())
            return next((found for found in below if found is not None), None)
        case _:
            return None


def printable(text: str) -> str:
    """Return `text` without what it quotes, on one line, and cut when it is very long."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in _QUOTED.sub('"…"', text))
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
