"""`acp-elicit demo` without a terminal; with one, see `tests/terminal`."""

import pytest

from acp_elicitation.cli.demo import press_the_button
from tests.unit.cli.test_chat import run


@pytest.mark.parametrize("options", [(), ("--protocol", "1"), ("--protocol", "2")])
async def test_without_a_terminal_the_demo_answers_itself_and_ends_well(
    options: tuple[str, ...],
) -> None:
    ran = await run("demo", *options)
    assert (ran.code, ran.err) == (0, "")
    version = options[1] if options else "2"
    assert f"Connected, protocol version {version}: Project setup (demo) 1.0\n" in ran.out
    assert ran.out.count("Question from Project setup (demo) 1.0\n") == 3
    assert "  Project name: sunflower\n" in ran.out
    assert "  Host: db.example.org\n" in ran.out
    assert "  address: http://127.0.0.1:" in ran.out
    assert "| The repository is connected.\n" in ran.out
    assert ran.out.count("Answered by the script: accept\n") == 3
    assert ran.out.count("Answered by the script: decline\n") == 1
    assert ran.out.endswith("| No announcement, then. All done.\n")


async def test_wrong_usage_is_exit_code_2() -> None:
    ran = await run("demo", "--nonsense")
    assert (ran.code, ran.out) == (2, "")
    assert "unrecognized arguments: --nonsense" in ran.err


async def test_help_says_that_nothing_is_written() -> None:
    ran = await run("demo", "--help")
    assert ran.code == 0
    assert "Nothing is written" in ran.out


def test_the_stand_in_user_presses_no_button_elsewhere() -> None:
    assert not press_the_button("http://example.com/")
