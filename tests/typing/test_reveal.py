"""What a strict type checker says on the user's side of the public face."""

import re
from pathlib import Path

import pytest
from mypy import api

PROGRAM = """
import dataclasses
import datetime
import enum
from typing import NamedTuple, TypedDict

import msgspec
from pydantic import BaseModel

from acp_elicitation import Accepted, Cancelled, Declined, Elicitor, FormSchema, Ladder
from acp_elicitation import via_permission, via_text


class Model(BaseModel):
    name: str


@dataclasses.dataclass
class Data:
    name: str


class Dict(TypedDict):
    name: str


class Named(NamedTuple):
    name: str


class Struct(msgspec.Struct):
    name: str


class Color(enum.Enum):
    RED = "red"


async def ask(e: Elicitor, schema: FormSchema) -> None:
    reveal_type(await e.form("?", Model, session="s"))
    reveal_type(await e.form("?", Data, session="s"))
    reveal_type(await e.form("?", Dict, session="s"))
    reveal_type(await e.form("?", Named, session="s"))
    reveal_type(await e.form("?", Struct, session="s"))
    reveal_type(await e.form("?", schema, session="s"))
    reveal_type(await e.confirm("?", session="s"))
    reveal_type(await e.text("?", session="s"))
    reveal_type(await e.number("?", session="s"))
    reveal_type(await e.integer("?", session="s"))
    reveal_type(await e.date("?", session="s"))
    reveal_type(await e.choose("?", ["a"], session="s"))
    reveal_type(await e.choose("?", {"a": "A"}, session="s"))
    reveal_type(await e.choose("?", Color, session="s"))
    reveal_type(await e.choose_many("?", Color, session="s"))
    reveal_type(await e.choose_many("?", ["a"], session="s"))
    reveal_type((await e.text("?", session="s")).unwrap())
    reveal_type((await e.integer("?", session="s")).value_or(None))
    reveal_type(await e.link("?", "https://a.example", session="s"))
    await e.form("?", Model, session="s", fallback=Model(name="x"))
    await e.form("?", Model, session="s", fallback=via_permission)
    ladder = Ladder(via_permission, via_text, Model(name="x"))
    await e.form("?", Model, session="s", fallback=ladder)
    match await e.form("?", Model, session="s"):
        case Accepted(value=model):
            reveal_type(model)
        case Declined():
            pass
        case Cancelled(reason=reason):
            reveal_type(reason)
"""

A = " | ".join(
    f"acp_elicitation.protocol.answers.{name}" for name in ("Accepted[{}]", "Declined", "Cancelled")
)

REVEALED = [
    A.format("program.Model"),
    A.format("program.Data"),
    A.format("program.Dict"),
    A.format("tuple[str, fallback=program.Named]"),
    A.format("program.Struct"),
    A.format("dict[str, Any]"),
    A.format("bool"),
    A.format("str"),
    A.format("float"),
    A.format("int"),
    A.format("datetime.date"),
    A.format("str"),
    A.format("str"),
    A.format("program.Color"),
    A.format("list[program.Color]"),
    A.format("list[str]"),
    "str",
    "int | None",
    "acp_elicitation.agent.link.Link",
    "program.Model",
    'Literal["withdrawn"] | Literal["expired"] | Literal["policy"] | Literal["not-shown"] | None',
]

WRONG = """
from acp_elicitation import Elicitor


async def ask(e: Elicitor) -> None:
    await e.form("?", int, session=3)
    await e.text("?", session="s", default=3)
    await e.text("?", session="s", fallback=3)
    (await e.text("?", session="s")).value
"""


def check(program: str, folder: Path) -> str:
    path = folder / "program.py"
    path.write_text(program)
    out, err, _ = api.run(["--strict", "--cache-dir", str(folder / "cache"), str(path)])
    assert err == ""
    return out


@pytest.mark.timeout(180)
def test_an_answer_has_the_type_that_was_asked_for(tmp_path: Path) -> None:
    out = check(PROGRAM, tmp_path)
    assert re.findall(r"error: .*", out) == []
    revealed = re.findall(r'Revealed type is "(.*)"$', out, re.MULTILINE)
    plain = [
        re.sub(r"builtins\.|typing\.|TypedDict\(\'?|\'?, \{.*?\}\)", "", one) for one in revealed
    ]
    assert [one.replace("'", '"') for one in plain] == REVEALED


@pytest.mark.timeout(180)
def test_misuse_is_an_error_of_the_type_checker(tmp_path: Path) -> None:
    out = check(WRONG, tmp_path)
    lines = {int(line) for line in re.findall(r"program\.py:(\d+): error", out)}
    assert lines >= {6, 7, 9}
