"""Permissions on a full screen."""

import time

import pytest

from acp_elicitation.client.permissions import PermissionOption
from acp_elicitation.presenters.tui import ElicitationScreen
from acp_elicitation.presenters.tui.permission_body import PermissionBody
from acp_elicitation.protocol.answers import Accepted, Cancelled
from tests.contract.presenters import permission_prompt
from tests.unit.presenters.tui.shown import asked, shown

SIZES = [(40, 12), (80, 24), (200, 60)]


def read(screen: ElicitationScreen) -> None:
    """Let the user have read the question for long enough to mean what they press."""
    assert isinstance(screen.body, PermissionBody)
    screen.body.since -= 10


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.requirement("UI-1")
async def test_what_is_asked_and_the_options_are_shown(size: tuple[int, int]) -> None:
    async with asked(permission_prompt(description="Twice."), size=size) as (_, screen):
        seen = " ".join(shown(screen).split())
        for words in ("House Painter 3.1", "Paint the wall", "Cancel"):
            assert words in seen
        assert "Decline" not in seen


async def test_an_option_is_chosen_by_arrow_keys_and_enter() -> None:
    async with asked(permission_prompt()) as (pilot, screen):
        seen = shown(screen)
        assert "1. Allow" in seen
        assert "2. Reject" in seen
        read(screen)
        await pilot.press("down", "down", "enter")
        assert await screen.reply() == Accepted("no")


@pytest.mark.requirement("RES-1")
async def test_nothing_is_chosen_before_the_user_chooses() -> None:
    async with asked(permission_prompt()) as (pilot, screen):
        read(screen)
        await pilot.press("enter", "enter", "ctrl+d", "escape")
        assert await screen.reply() == Cancelled()


async def test_a_key_that_was_on_its_way_when_the_question_came_up_permits_nothing() -> None:
    async with asked(permission_prompt()) as (pilot, screen):
        assert isinstance(screen.body, PermissionBody)
        screen.body.since = time.monotonic() + 60
        await pilot.press("down", "enter", "escape")
        assert await screen.reply() == Cancelled()


async def test_an_option_can_be_clicked() -> None:
    async with asked(permission_prompt()) as (pilot, screen):
        read(screen)
        await pilot.click("OptionList", offset=(2, 0))
        assert await screen.reply() == Accepted("yes")


@pytest.mark.requirement("FORM-8")
async def test_the_words_of_an_option_are_no_markup() -> None:
    option = PermissionOption(option_id="x", name="[bold]Allow[/bold]\n\x1b[31m", kind="allow_once")
    async with asked(permission_prompt(option)) as (pilot, screen):
        assert "1. [bold]Allow[/bold] <U+001B>[31m" in shown(screen)
        read(screen)
        await pilot.press("down", "enter")
        assert await screen.reply() == Accepted("x")
