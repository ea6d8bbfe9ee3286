"""The page docs/lifecycle.md, drawn from the state tables."""

import enum
from pathlib import Path

import pytest

from acp_elicitation.protocol.ledger import AGENT, CLIENT
from acp_elicitation.stores.lifecycle import STORED
from tools.lifecycle import diagram, legend, main, page


class Door(enum.Enum):
    SHUT = "nobody passes"
    GONE = "taken away"


class Act(enum.Enum):
    KNOCK = "someone knocks"
    REMOVE = "the carpenter comes"


TABLE = {Door.SHUT: {Act.KNOCK: Door.SHUT, Act.REMOVE: Door.GONE}, Door.GONE: {}}


def test_a_diagram_has_the_start_every_step_and_the_ends() -> None:
    assert diagram(TABLE).splitlines() == [
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> SHUT",
        "    SHUT --> SHUT: KNOCK",
        "    SHUT --> GONE: REMOVE",
        "    GONE --> [*]",
        "```",
    ]


def test_a_legend_says_what_each_state_and_event_means() -> None:
    assert legend(TABLE).splitlines()[2:] == [
        "| `SHUT` | nobody passes |",
        "| `GONE` | taken away |",
        "| `KNOCK` | someone knocks |",
        "| `REMOVE` | the carpenter comes |",
    ]


def test_the_page_shows_every_step_of_both_sides_and_of_a_store() -> None:
    arrows = page().count(" --> ") - page().count("[*]")
    assert arrows == sum(
        len(steps) for table in (AGENT, CLIENT, STORED) for steps in table.values()
    )


def test_check_refuses_a_missing_or_stale_page_and_accepts_a_fresh_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"], project=tmp_path) == 1
    assert "docs/lifecycle.md is not up to date: run `make docs`" in capsys.readouterr().err
    assert main([], project=tmp_path) == 0
    assert main(["--check"], project=tmp_path) == 0
    with (tmp_path / "docs/lifecycle.md").open("a") as file:
        file.write("more\n")
    assert main(["--check"], project=tmp_path) == 1
