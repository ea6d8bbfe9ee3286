"""Which lines act, and which are text."""

import pytest

from acp_elicitation.presenters.commands import (
    Command,
    is_near_command,
    read_entry,
    why_unusable,
)


@pytest.mark.requirement("UI-3")
@pytest.mark.parametrize("command", Command)
def test_a_command_is_exactly_its_word_with_spaces_around_it_or_not(command: Command) -> None:
    assert read_entry(command.value) is command
    assert read_entry(f"  {command.value}\t") is command


@pytest.mark.parametrize("command", Command)
def test_a_doubled_slash_enters_the_word_itself(command: Command) -> None:
    assert read_entry("/" + command.value) == command.value
    assert read_entry("//" + command.value) == "/" + command.value


@pytest.mark.parametrize(
    "text",
    [
        "decline",
        "cancel",
        "/usr/bin",
        "//server/share",
        "/declined",
        "/Decline",
        "/",
        "//",
        "",
        " x",
    ],
)
def test_every_other_line_is_text_as_it_stands(text: str) -> None:
    assert read_entry(text) == text


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("/declin", True),
        (" /quit", True),
        ("/usr/bin", False),
        ("/Users", False),
        ("decline", False),
    ],
)
def test_a_misspelt_command_can_be_told_from_a_path(text: str, near: bool) -> None:
    assert is_near_command(text) is near


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("abc\x1b[D", "control characters"),
        ("a\x00", "control characters"),
        ("\x9b31m", "control characters"),
        ("a\ufffdb", "parts of it are lost"),
    ],
)
def test_a_line_with_traces_of_keys_is_unusable(line: str, part: str) -> None:
    assert part in (why_unusable(line) or "")


@pytest.mark.parametrize("line", ["", "plain", "tab\tinside", "中文 👩‍🔬 עברית"])
def test_ordinary_text_in_any_script_is_usable(line: str) -> None:
    assert why_unusable(line) is None
