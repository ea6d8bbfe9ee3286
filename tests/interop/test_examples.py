"""The examples of the README and the docs, run as their readers would run them."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
COMMAND = Path(sys.executable).with_name("acp-elicit")


async def chat(example: str, rules: list[dict[str, Any]], tmp_path: Path) -> str:
    """Return what `acp-elicit chat` prints when the example is asked by a script."""
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(rules))
    return await run(
        [
            *(str(COMMAND), "chat", "--answers", str(answers)),
            *("--prompt", "Go on.", "--", sys.executable, str(EXAMPLES / example)),
        ]
    )


async def run(command: list[str], text: bytes = b"") -> str:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(text)
    assert process.returncode == 0, err.decode()
    return out.decode()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            {"action": "accept", "content": {"strategy": "aggressive"}},
            "Strategy: aggressive, dry run: True.",
        ),
        ({"action": "decline"}, "Then I leave the code as it is."),
        ({"action": "cancel"}, "I will ask again another time."),
    ],
)
async def test_the_agent_does_as_it_is_told(
    rule: dict[str, Any], said: str, tmp_path: Path
) -> None:
    assert said in await chat("agent.py", [rule], tmp_path)


async def test_the_short_questions_come_one_after_another(tmp_path: Path) -> None:
    rules = [
        {"when": {"message": "function"}, "action": "accept", "content": {"answer": "main"}},
        {"when": {"message": "database"}, "action": "accept", "content": {"answer": "pg"}},
        {"when": {"message": "extras"}, "action": "accept", "content": {"answer": ["docs"]}},
        {"when": {"message": "Overwrite"}, "action": "accept"},
    ]
    assert "main uses pg, with ['docs']." in await chat("short.py", rules, tmp_path)


async def test_a_declined_link_is_not_connected(tmp_path: Path) -> None:
    rules = [{"when": {"mode": "url"}, "action": "decline"}]
    assert "Not connected." in await chat("link.py", rules, tmp_path)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (b"y\n", "Strategy: balanced, dry run: True."),
        (b"n\n", "Then I leave the code as it is."),
        (b"", "I will ask again another time."),
    ],
)
async def test_the_client_shows_the_question_and_sends_the_answer(typed: bytes, said: str) -> None:
    command = [sys.executable, str(EXAMPLES / "client.py"), sys.executable]
    out = await run([*command, str(EXAMPLES / "agent.py")], typed)
    assert "'refactorer 1.0' asks" in out
    assert said in out


async def test_an_agent_on_the_official_sdk_asks(tmp_path: Path) -> None:
    rules = [{"action": "accept", "content": {"answer": "Ada"}}]
    assert "Hello Ada" in await chat("sdk_agent.py", rules, tmp_path)


async def test_a_client_on_the_official_sdk_answers() -> None:
    command = [sys.executable, str(EXAMPLES / "sdk_client.py"), sys.executable]
    out = await run([*command, str(EXAMPLES / "agent.py")])
    assert "Strategy: balanced, dry run: True." in out


async def test_both_ends_on_the_official_sdk_talk_to_each_other() -> None:
    command = [sys.executable, str(EXAMPLES / "sdk_client.py"), sys.executable]
    assert "'Hello stranger'" in await run([*command, str(EXAMPLES / "sdk_agent.py")])


@pytest.mark.parametrize(
    "example",
    [
        each.name
        for each in sorted(EXAMPLES.glob("*.py"))
        if "COMMAND ARGS...   (" in each.read_text()
    ],
)
async def test_an_example_without_a_command_says_how_to_use_it(example: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / example)), stderr=asyncio.subprocess.PIPE
    )
    _, err = await process.communicate()
    assert process.returncode == 1
    assert err.decode().startswith("usage: python ")
    assert "Traceback" not in err.decode()


def test_an_agent_at_a_terminal_says_what_it_waits_for() -> None:
    ours, theirs = os.openpty()
    with (
        open(ours, "wb", buffering=0) as terminal,
        open(theirs, "rb", buffering=0) as stdin,
        subprocess.Popen(
            [sys.executable, str(EXAMPLES / "agent.py")],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as agent,
    ):
        assert agent.stderr is not None
        assert b"acp-elicit chat -- COMMAND" in agent.stderr.readline()
        terminal.write(b"\x04")
        assert agent.wait(30) == 0


def test_the_readme_shows_the_example_as_it_is() -> None:
    readme = (ROOT / "README.md").read_text()
    source = (EXAMPLES / "agent.py").read_text()
    shown = source[source.index("import asyncio") :].strip()
    assert f"```python\n{shown}\n```" in readme
