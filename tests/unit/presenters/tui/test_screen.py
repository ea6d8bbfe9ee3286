"""The frame around every question: who asks, the ways out, and what a small terminal shows."""

import pytest
from textual import events
from textual.app import App
from textual.widgets import Button

from acp_elicitation.client.prompts import Reply
from acp_elicitation.presenters.tui import ElicitationScreen
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import StringProperty
from tests.contract.presenters import form_prompt
from tests.unit.presenters.tui.shown import asked, shown

SIZES = [(40, 12), (80, 24), (200, 60)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.requirement("UI-1", "UI-3", "UI-6")
async def test_asker_message_and_both_ways_out_are_in_view_at_every_size(
    size: tuple[int, int],
) -> None:
    prompt = form_prompt({"name": StringProperty()}, message="Which colour?\n" * 50)
    async with asked(prompt, size=size) as (_, screen):
        seen = shown(screen)
        for words in ("House Painter 3.1", "painter", "Which colour?", "Decline", "Cancel"):
            assert words in seen


@pytest.mark.parametrize(("key", "reply"), [("escape", Cancelled()), ("ctrl+d", Declined())])
@pytest.mark.requirement("UI-3", "RES-1")
async def test_escape_cancels_and_ctrl_d_declines(key: str, reply: Reply) -> None:
    async with asked(form_prompt({"name": StringProperty()})) as (pilot, screen):
        await pilot.press(key)
        assert await screen.reply() == reply


@pytest.mark.parametrize(("button", "reply"), [("#cancel", Cancelled()), ("#decline", Declined())])
@pytest.mark.requirement("UI-3")
async def test_decline_and_cancel_are_buttons_of_their_own(button: str, reply: Reply) -> None:
    async with asked(form_prompt({"name": StringProperty()})) as (pilot, screen):
        await pilot.click(button)
        assert await screen.reply() == reply


@pytest.mark.requirement("RES-1")
async def test_a_screen_that_is_taken_away_is_cancelled() -> None:
    async with asked(form_prompt({})) as (pilot, screen):
        await pilot.app.pop_screen()
        assert await screen.reply() == Cancelled()


@pytest.mark.requirement("RES-1")
async def test_the_end_of_the_application_is_a_cancel() -> None:
    async with asked(form_prompt({})) as (pilot, screen):
        pilot.app.exit()
    assert await screen.reply() == Cancelled()


async def test_the_application_gets_the_reply_as_the_result_of_the_screen() -> None:
    replies: list[Reply | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen = ElicitationScreen(form_prompt({}))
        screen.settle_seconds = 0
        app.push_screen(screen, replies.append)
        await pilot.pause()
        await pilot.press("ctrl+d")
        await pilot.pause()
    assert replies == [Declined()]


async def test_how_many_questions_wait_is_counted_live() -> None:
    waiting = 2
    prompt = form_prompt({})
    prompt.count_waiting = lambda: waiting
    async with asked(prompt) as (pilot, screen):
        assert "2 more questions wait after this one." in shown(screen)
        waiting = 1
        screen.count()
        await pilot.pause()
        assert "1 more question waits after this one." in shown(screen)
        waiting = 0
        screen.count()
        await pilot.pause()
        assert "after this one" not in shown(screen)


async def test_all_questions_of_an_agent_can_be_declined_where_several_wait() -> None:
    declined = []
    prompt = form_prompt({})
    prompt.count_from_asker = lambda: 3
    prompt.decline_all = lambda: declined.append(True)
    async with asked(prompt) as (pilot, screen):
        button = screen.query_one("#decline-all", Button)
        assert str(button.label) == "Decline all 4"
        await pilot.click("#decline-all")
        assert await screen.reply() == Declined()
    assert declined == [True]


@pytest.mark.parametrize("others", [0, 3])
async def test_declining_all_is_not_offered_where_it_declines_no_other(others: int) -> None:
    prompt = form_prompt({})
    prompt.count_from_asker = lambda: others
    prompt.decline_all = None if others else lambda: None
    async with asked(prompt) as (_, screen):
        assert "Decline all" not in shown(screen)


async def test_keys_that_were_on_their_way_answer_nothing() -> None:
    async with asked(form_prompt({})) as (pilot, screen):
        screen.is_settled = False
        await pilot.press("enter", "escape", "ctrl+d")
        await pilot.click("#do-submit")
        assert pilot.app.screen is screen
        screen.is_settled = True
        await pilot.press("ctrl+d")
        assert await screen.reply() == Declined()


async def test_a_key_that_is_held_down_answers_no_question() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen = ElicitationScreen(form_prompt({}))
        app.push_screen(screen)
        await pilot.pause()
        for _ in range(20):
            await pilot.press("escape")
            await pilot.pause(screen.settle_seconds / 8)
        assert app.screen is screen
        await pilot.pause(screen.settle_seconds * 2)
        await pilot.press("ctrl+d")
        assert await screen.reply() == Declined()


async def test_a_question_needs_a_moment_before_it_takes_an_answer() -> None:
    assert ElicitationScreen.settle_seconds > 0


async def test_a_long_question_can_be_scrolled_by_pages() -> None:
    prompt = form_prompt({}, message="\n".join(f"line {n}" for n in range(80)))
    async with asked(prompt) as (pilot, screen):
        scroll = screen.query_one("#question")
        await pilot.press("pagedown")
        down = scroll.scroll_y
        await pilot.press("pageup")
        assert down > scroll.scroll_y == 0


class _OfAnApplication(ElicitationScreen):
    """A screen that an application has made its own."""


async def test_a_subclass_in_another_module_looks_the_same() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(_OfAnApplication(form_prompt({})))
        await pilot.pause()
        assert app.screen.query_one("#frame").styles.max_width is not None


@pytest.mark.parametrize("size", [(24, 12), (80, 24), (200, 60)])
@pytest.mark.requirement("UI-3")
async def test_the_ways_out_stay_in_view_when_the_terminal_changes_its_size(
    size: tuple[int, int],
) -> None:
    prompt = form_prompt({"name": StringProperty(), "nick": StringProperty()})
    async with asked(prompt, size=size) as (pilot, screen):
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        await pilot.pause()
        for button in screen.query(Button).filter("#controls Button"):
            assert screen.region.contains_region(button.region)


async def test_the_focus_stays_in_view_when_the_terminal_changes_its_size() -> None:
    prompt = form_prompt({"name": StringProperty()}, message="Which colour? " * 90)
    async with asked(prompt, size=(80, 40)) as (pilot, screen):
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        await pilot.pause()
        focused = screen.focused
        assert focused is not None
        assert screen.query_one("#question").region.contains_region(focused.region)


@pytest.mark.requirement("UI-4", "FORM-2")
async def test_what_is_typed_in_one_go_with_the_key_that_sends_is_sent() -> None:
    for member in (StringProperty(max_length=20), StringProperty()):
        async with asked(form_prompt({"name": member})) as (pilot, screen):
            await pilot.pause()
            for key in "green":
                pilot.app.post_message(events.Key(key, key))
            pilot.app.post_message(events.Key("ctrl+s", None))
            assert await screen.reply() == Accepted({"name": "green"})
