"""Writes docs/types.md: what each Python type asks for in a form, and what a form cannot ask for.

Owns: the page, and the fields that it shows; what stands beside each is what `describe` gives.
Knows nothing of: how a type is described.
Above it: `make docs` (writes the page) and `make check` (fails where it is stale). Below it:
`acp_elicitation.forms.describe`.
"""

import argparse
import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import sys
import typing
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NewType

import annotated_types
import pydantic

from acp_elicitation.forms.describe import describe
from acp_elicitation.forms.unsayable import SECRET
from acp_elicitation.protocol.errors import SecretInForm, UnsupportedType
from acp_elicitation.protocol.schema_wire import write_schema
from acp_elicitation.protocol.version import V2
from tools.pages import PROJECT, is_current, write

__all__ = ["Access", "Color", "Level", "UserId", "main", "page", "refusals", "rows"]

_PAGE = "docs/types.md"


class Color(enum.Enum):
    """Of strings, with a title for one of them."""

    RED = "red"
    """Bright red"""
    BLUE = "blue"


class Level(enum.IntEnum):
    """Of integers."""

    LOW = 1
    HIGH = 2


class Access(enum.Flag):
    """Of flags, which no form can ask for."""

    READ = 1
    WRITE = 2


UserId = NewType("UserId", int)

_NAMES: dict[str, Any] = {
    **{name: getattr(typing, name) for name in ("Annotated", "Any", "Literal")},
    **{name: getattr(annotated_types, name) for name in ("Ge", "Gt", "Len", "MultipleOf")},
    **{name: getattr(pydantic, name) for name in ("AnyUrl", "BaseModel", "EmailStr", "Field")},
    **{name: getattr(pydantic, name) for name in ("PastDate", "PositiveInt", "SecretStr")},
    **{kind.__name__: kind for kind in (Access, Color, Level, UserId, decimal.Decimal)},
    **{kind.__name__: kind for kind in (datetime.date, datetime.datetime, datetime.timedelta)},
    **{kind.__name__: kind for kind in (pathlib.Path, uuid.UUID)},
}

# Each field, and an answer to it as the client sends it.
_TYPES: tuple[tuple[str, object], ...] = (
    ("x: str", "text"),
    ("x: int", 3),
    ("x: float", 1.5),
    ("x: bool", True),
    ('x: Literal["pg", "lite"]', "pg"),
    ("x: Literal[80, 443]", "443"),
    ("x: Color", "red"),
    ("x: Level", "HIGH"),
    ('x: list[Literal["a", "b"]]', ["b"]),
    ("x: set[Color]", ["red"]),
    ("x: frozenset[Color]", ["red"]),
    ("x: tuple[Color, ...]", ["red"]),
    ("x: int | None", None),
    ("x: date", "2026-12-31"),
    ("x: datetime", "2026-12-31T18:00:00Z"),
    ("x: EmailStr", "ada@example.org"),
    ("x: AnyUrl", "https://example.org/"),
    ("x: UUID", "12345678-1234-5678-1234-567812345678"),
    ("x: Decimal", 0.1),
    ("x: Annotated[Decimal, Field(max_digits=30)]", "0.12345678901234567890"),
    ("x: Path", "src/main.py"),
    ("x: UserId", 7),
    ("x: PastDate", "2026-01-31"),
)

_FIELDS: tuple[tuple[str, object], ...] = (
    ("x: int = 3", None),
    ("x: int | None = 3", None),
    ("x: list[Color] = Field(default_factory=lambda: [Color.RED])", None),
    ('x: str = Field(title="Name", description="Of the branch", examples=["main"])', "main"),
    ('x: int = Field(alias="maxDepth")', 3),
    ("x: PositiveInt", 3),
    ("x: Annotated[int, Gt(0.5), MultipleOf(2)]", 4),
    ("x: float = Field(gt=0, lt=1)", 0.5),
    ("x: str = Field(min_length=1, max_length=8)", "main"),
    (r'x: str = Field(pattern=r"\A[a-z]+\z")', "main"),
    ("x: Annotated[set[Color], Len(1, 2)]", ["red"]),
    ('x: str = Field(json_schema_extra={"format": "hostname", "_meta": {"a": 1}})', "localhost"),
)

_REFUSED: tuple[str, ...] = (
    "x: SecretStr",
    'x: str = Field(json_schema_extra={"format": "password"})',
    "x: Branch",
    "x: dict[str, int]",
    "x: int | str",
    "x: list[str]",
    "x: tuple[Color, Color]",
    'x: Literal["a", 1]',
    "x: Access",
    "x: bytes",
    "x: Any",
    'x: str = Field(json_schema_extra={"enum": ["a"]})',
    'x: str = Field(pattern="(?i)yes")',
)

_OPENING = """\
# The types of a form

<!-- Written by `make docs` from tools/types_table.py; do not edit. -->

`describe(source)` turns a Python type into the form that asks for it, and accepted content into an
instance of it. `source` is a pydantic model (2.11 or newer) or pydantic dataclass, a dataclass, a
TypedDict, a NamedTuple or a msgspec Struct; or a function, and then its keyword arguments come back
as a dict. Generic types (`Box[int]`), inherited fields and string annotations are fine as long as
every annotation can be resolved where it was written.

Reading is strict: `true` is no integer, `"yes"` is no boolean, `"3"` is no number. An integer may
be written 3.0. What the schema cannot say (exclusive bounds of a float, steps, bounds of dates,
`max_digits`, validators, `__post_init__`) is checked when the answer arrives: then
`InvalidAnswer.problems` has an entry with code `rejected`, the name of the property (or `*` where
the type refuses several together) and the reason. What the user typed is taken out of that reason.

## What each type asks for

| field | property | answer | value |
|---|---|---|---|
"""

_BETWEEN = """
An Enum is asked for by value if all its values are strings, else by name. The title of a choice is
the docstring under the member (what stands below its first line is the description), or comes from
`describe(source, titles={Color.RED: "Red", "pg": "PostgreSQL"})`. A format beyond `email`, `uri`,
`date` and `date-time` is left out for a client of protocol version 1.

A type of pydantic or of another package that tells pydantic how it looks in a JSON Schema can be
asked for if that is a single string, number or boolean, as `PastDate` above. In a pydantic model
`timedelta`, `time` and the types of `ipaddress` can be asked for as well.

## What a field adds

| field | property | required |
|---|---|---|
"""

_AFTER = """
- A field is required if it has no default, is not `X | None`, and is no `NotRequired` key.
- A field of `X | None` that comes without a value is None, whatever its default is: the user has
  taken the default out. Any other field that comes without a value has its default. A `NotRequired`
  key stays out of the dict.
- A `default_factory` is called each time that a form is made. One that needs the other answers
  shows no default.
- A default that the form itself would not accept (-1 for "none" with a minimum of 0) is not shown,
  and holds all the same.
- `alias` (or the first plain alias of `validation_alias`, or `rename` of a Struct) is the name of
  the property; the instance is built by it.
- Descriptions come from `Field`, `msgspec.Meta`, `Doc`, `field(metadata={"description": ...})` or
  the docstring under the field (in a pydantic model with `use_attribute_docstrings` only). The
  first paragraph of the type's own docstring describes the form.
- Examples stand in the description, since the schema has no keyword for them.
- Limits may come from annotated-types, pydantic or msgspec in any of the sources. What pydantic
  alone can run (`AfterValidator`, `strip_whitespace`) is refused outside of its models.
- Of `json_schema_extra` the title, the description, the examples, the format and `_meta` are sent.
  What would change which answers are right is refused; anything else stays here.
- A pydantic field of `SkipJsonSchema[...]` with a default is not asked for.
- A pattern is sent as ECMA-262 spells it, and refused where that cannot be.

## What a form cannot ask for

`describe` raises `UnsupportedType` with the name of the field, the reason and what to use instead,
or `SecretInForm` for a type of secrets:

| field | reason | instead |
|---|---|---|
"""


def page() -> str:
    """The whole text of the page."""
    fields = (f"| {field} | {asked} | {needed} |\n" for field, asked, _, _, needed in rows(_FIELDS))
    types = (
        f"| {field} | {asked} | {answer} | {value} |\n"
        for field, asked, answer, value, _ in rows(_TYPES)
    )
    refused = ("| " + " | ".join(row) + " |\n" for row in refusals())
    return "".join([_OPENING, *types, _BETWEEN, *fields, _AFTER, *refused])


def rows(fields: tuple[tuple[str, object], ...]) -> Iterator[tuple[str, str, str, str, str]]:
    """For each field: the field, its property, an answer, what becomes of it, "yes" if required."""
    for line, answer in fields:
        description = describe(_type_with(line))
        ((name, asked),) = write_schema(description.schema, V2)["properties"].items()
        content = {} if answer is None else {name: answer}
        required = "yes" if description.schema.required else "no"
        made = f"`{description.build(content).x!r}`" if required == "no" or content else ""
        made = made.replace("PosixPath", "Path").replace("WindowsPath", "Path")
        shown = _code(json.dumps(answer)) if content else "none"
        property_ = asked if name == "x" else {name: asked}
        yield _code(line[3:]), _code(json.dumps(property_)), shown, _cell(made), required


def refusals() -> Iterator[tuple[str, str, str]]:
    """For each field that no form can ask for: the field, the reason, what to use instead."""
    for line in _REFUSED:
        try:
            describe(_type_with(line))
        except UnsupportedType as error:
            yield _code(line[3:]), _cell(error.reason), _cell(error.instead)
        except SecretInForm:
            yield _code(line[3:]), SECRET, "ask for it with a link (url mode)"
        else:
            raise AssertionError(f"a form can ask for {line}")


def _type_with(line: str) -> Any:
    """A type with this one field: a pydantic model, or a dataclass where that can say it all."""
    names = {**_NAMES, "Branch": dataclasses.make_dataclass("Branch", [("name", str)])}
    needs_pydantic = "= Field" in line
    head = "class Form(BaseModel):" if needs_pydantic else "class Form:"
    exec(f"{head}\n    {line}", names)  # the lines above, and nothing else
    form: Any = names["Form"]
    return form if needs_pydantic else dataclasses.dataclass(form)


def _code(text: str) -> str:
    return _cell(f"`{text}`")


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def main(arguments: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the page, or with `--check` say whether it is current; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where stale")
    target = project / _PAGE
    if not parser.parse_args(arguments).check:
        write(target, page())
    elif not is_current(target, page()):
        print(f"{_PAGE} is not up to date: run `make docs` and commit it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
