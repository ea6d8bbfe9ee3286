"""The string below an attribute, which says what the attribute is for.

Owns: finding those strings in the source of a class. Knows nothing of: what is done with them.
Above it: `choices`, `sources`. Below it: nothing of this package.

Python keeps no docstring of an attribute, so the source is read, once per class, when it is there.
"""

import ast
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

__all__ = ["attribute_docstrings", "own_docstring"]


def own_docstring(kind: type) -> str | None:
    """Return the docstring in the body of `kind`: neither an inherited nor a generated one."""
    text = kind.__dict__.get("__doc__")
    if not isinstance(text, str) or text.startswith(f"{kind.__name__}("):
        return None
    return text


def attribute_docstrings(kind: type) -> Mapping[str, str]:
    """Return the docstrings of the attributes in the class body; none where it has no source."""
    try:
        return _cached(kind)
    except TypeError:  # its metaclass makes it unhashable
        return _found(kind)


def _found(kind: type) -> Mapping[str, str]:
    import inspect

    try:
        body = _class_body(inspect.getsource(kind))
    except (OSError, TypeError, SyntaxError):
        return {}
    found: dict[str, str] = {}
    for statement, below in pairwise(body):
        name = _assigned(statement)
        if (
            name
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[name] = inspect.cleandoc(below.value.value)
    return found


_cached = lru_cache(maxsize=256)(_found)


def _class_body(source: str) -> list[ast.stmt]:
    # A class inside a function is indented; `if True:` makes any indentation right.
    text = "if True:\n" + source if source[:1].isspace() else source
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    return next(classes).body


def _assigned(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.AnnAssign):
        target: ast.expr = statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    else:
        return None
    return target.id if isinstance(target, ast.Name) else None
