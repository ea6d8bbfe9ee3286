"""What `docs/proxy.md` has people put into the files of their editors."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.cli.proxy import _parse

PAGE = Path(__file__).resolve().parents[2] / "docs" / "proxy.md"
EDITORS = {"Zed", "JetBrains", "Neovim", "Emacs", "Toad", "VS Code"}
SETTINGS = {"agent_servers", "acp.agents"}


def section() -> str:
    return PAGE.read_text().partition("## In your editor\n")[2].partition("\n## ")[0]


def snippets() -> list[tuple[str, str, str]]:
    """Return each snippet with its editor and its language."""
    found = re.findall(
        r"^\*\*([^*]+)\*\*.*?^```(\w+)\n(.*?)^```$", section(), re.MULTILINE | re.DOTALL
    )
    return [(editor, language, text) for editor, language, text in found]


def commands(language: str, text: str) -> Iterator[list[str]]:
    """Yield the agents' commands in a snippet, as the editor starts them."""
    match language:
        case "json":
            for agents in json.loads(text).values():
                yield from ([agent["command"], *agent["args"]] for agent in agents.values())
        case "lua":
            for words in re.findall(r"default = \{(.*)\}", text):
                yield [word.strip().strip('"') for word in words.split(",")]
        case "elisp":
            for words in re.findall(r"'\((.*?)\)", text):
                yield shlex.split(words)
        case _:
            for line in text.splitlines():
                yield shlex.split(shlex.split(line)[3])  # $ toad acp COMMAND PATH


def test_every_editor_has_its_snippet() -> None:
    assert {editor for editor, *_ in snippets()} == EDITORS
    assert len(snippets()) == section().count("```") / 2


@pytest.mark.parametrize(("editor", "language", "text"), snippets(), ids=lambda part: part[:9])
def test_the_command_in_a_snippet_is_one_that_the_proxy_takes(
    editor: str, language: str, text: str
) -> None:
    found = list(commands(language, text))
    assert found, editor
    for program, proxy, *arguments in found:
        assert Path(program).name == "acp-elicit"
        assert proxy == "proxy"
        agent = _parse(arguments)[1]
        assert [Path(agent[0]).name, *agent[1:]] == ["opencode", "acp"]


def test_a_file_of_settings_is_json_with_one_agent_of_known_members() -> None:
    files: list[dict[str, Any]] = [
        json.loads(text) for _, kind, text in snippets() if kind == "json"
    ]
    assert {name for file in files for name in file} == SETTINGS
    for file in files:
        (agents,) = file.values()
        (agent,) = agents.values()
        assert set(agent) - {"type"} == {"command", "args", "env"}


def test_the_brackets_of_a_program_are_closed() -> None:
    for _, language, text in snippets():
        if language in ("lua", "elisp"):
            bare = re.sub(r'"[^"]*"', "", text)
            assert all(bare.count(a) == bare.count(b) for a, b in ("()", "{}", "[]"))
