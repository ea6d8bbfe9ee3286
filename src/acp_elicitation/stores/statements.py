"""Statements of a database, read from a file of SQL beside the code.

Owns: the layout of such a file: `-- name: NAME` begins a statement, which goes up to the next.
Knows nothing of: SQL. Above it: `sqlite`, `postgres`. Below it: nothing.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

__all__ = ["migrations", "read_statements"]

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


def read_statements(file: str) -> Mapping[str, str]:
    """Return the statements of a file in this package, by name, in their order."""
    text = files("acp_elicitation.stores").joinpath(file).read_text(encoding="utf-8")
    _, *parts = _NAME.split(text)
    return MappingProxyType(dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True)))


def migrations(statements: Mapping[str, str], *, version: int) -> list[str]:
    """Return the statements that lead from a version of the tables to the one that we know.

    They are named `to_1_...`, `to_2_...` after the version that they belong to.
    """
    found = [(_version(name), text) for name, text in statements.items()]
    return [text for number, text in found if number > version]


def _version(name: str) -> int:
    match = re.match(r"to_(\d+)_", name)
    return int(match[1]) if match else 0
