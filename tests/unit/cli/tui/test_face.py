"""A conversation on a full screen, with a real agent."""

import pytest

from acp_elicitation.cli.face import ExitCode
from acp_elicitation.presenters.tui import ElicitationScreen
from acp_elicitation.text.language import use_language
from tests.unit.cli.tui.talk import Talk, talking


async def settled(talk: Talk) -> ElicitationScreen:
    """Return the question that is up, once it takes answers."""
    await talk.until(lambda: isinstance(talk.app.screen, ElicitationScreen))
    screen = talk.app.screen
    assert isinstance(screen, ElicitationScreen)
    await talk.until(lambda: screen.is_settled)
    return screen


async def test_a_prompt_is_typed_shown_and_answered() -> None:
    async with talking() as talk:
        await talk.expects("Connected, protocol version 2: Obedient 1.0", "your turn")
        await talk.says("hello\nyou")
        await talk.expects("You: hello you", r"Agent: You said 'hello\nyou'.", "your turn")


@pytest.mark.requirement("UI-1", "FORM-8")
async def test_what_an_agent_does_is_shown_and_nothing_of_it_is_markup() -> None:
    async with talking() as talk:
        await talk.says("show")
        await talk.expects(
            "Thought: Hm.",
            "Agent: Hello <U+001B>[31mred<U+001B>[0m world. Second line of mine.",
            "Tool: Paint it (completed)",
        )
        await talk.says("[bold]hello[/bold] [@click=app.bell]x[/]")
        await talk.expects("You said '[bold]hello[/bold] [@click=app.bell]x[/]'.")


async def test_the_agents_stderr_is_shown_apart() -> None:
    async with talking() as talk:
        await talk.says("stderr")
        await talk.expects("agent's stderr: a line <U+001B>[2J on stderr")


@pytest.mark.requirement("UI-2")
async def test_a_question_comes_over_the_conversation_and_what_was_being_typed_stays() -> None:
    async with talking() as talk:
        await talk.says("later")
        await settled(talk)
        talk.app.prompt.text = "half a prom"
        await talk.expects("By the way?", "waiting for your answer")
        await talk.pilot.press("ctrl+d")
        await talk.expects("Declined. Nothing that you typed was sent.", "Answered: declined")
        await talk.until(lambda: talk.app.prompt.has_focus)
        assert talk.app.prompt.text == "half a prom"


async def test_one_ctrl_d_too_many_for_a_question_does_not_end_the_conversation() -> None:
    async with talking() as talk:
        await talk.says("later")
        await settled(talk)
        await talk.until(lambda: talk.app.prompt.can_send)
        await talk.pilot.press("ctrl+d", "ctrl+d", "ctrl+d")
        await talk.expects("Answered: declined")
        assert talk.ended is not None
        assert not talk.ended.done()


@pytest.mark.requirement("RES-1")
async def test_ctrl_c_at_a_question_cancels_the_question_and_not_the_turn() -> None:
    async with talking() as talk:
        await talk.says("ask")
        await settled(talk)
        await talk.pilot.press("ctrl+c")
        await talk.expects("Answered: cancelled None", "your turn")


async def test_ctrl_c_cancels_a_turn_and_a_second_one_leaves_a_stubborn_agent() -> None:
    async with talking() as talk:
        await talk.says("stubborn")
        await talk.expects("Waiting now.", "the agent is working")
        await talk.pilot.press("ctrl+c")
        await talk.expects("Cancelling the turn.", "cancelling", "I go on.")
        await talk.pilot.press("ctrl+c")
        assert talk.ended is not None
        assert await talk.ended == ExitCode.INTERRUPTED


async def test_what_is_sent_while_the_agent_works_stays_at_the_prompt() -> None:
    async with talking() as talk:
        await talk.says("stall")
        await talk.expects("Waiting now.")
        await talk.pilot.press("h", "i", "enter")
        await talk.expects("The agent is still working. Ctrl-C cancels its turn.")
        assert talk.app.prompt.text == "hi"
        await talk.pilot.press("ctrl+c")
        await talk.expects("The turn ended: cancelled", "your turn")
        await talk.pilot.press("enter")
        await talk.expects("You said 'hi'.")


@pytest.mark.parametrize("key", ["ctrl+d", "ctrl+q"])
async def test_ctrl_d_at_an_empty_prompt_and_ctrl_q_anywhere_end_the_conversation(key: str) -> None:
    async with talking() as talk:
        await talk.until(lambda: talk.app.prompt.can_send)
        await talk.pilot.press(key)
        assert talk.ended is not None
        assert await talk.ended == ExitCode.DONE
        assert not talk.face.has_more_to_read


async def test_ctrl_c_twice_at_the_prompt_ends_the_conversation() -> None:
    async with talking() as talk:
        await talk.until(lambda: talk.app.prompt.can_send)
        await talk.pilot.press("ctrl+c")
        await talk.expects("Ctrl-C again, or Ctrl-D, ends the conversation.")
        await talk.until(lambda: talk.app.prompt.can_send)
        await talk.pilot.press("ctrl+c")
        assert talk.ended is not None
        assert await talk.ended == ExitCode.DONE


async def test_the_end_of_given_prompts_waits_for_its_reader() -> None:
    async with talking(prompts=("hello",)) as talk:
        await talk.expects("You: hello", "You said 'hello'.")
        assert talk.ended is not None
        assert await talk.ended == ExitCode.DONE
        assert talk.face.has_more_to_read


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_leaves_is_told_with_its_exit_status_and_kept_for_the_end() -> None:
    async with talking() as talk:
        await talk.says("crash")
        await talk.expects("! the agent left:", "! its exit status was 7")
        assert talk.ended is not None
        assert await talk.ended == ExitCode.AGENT_FAILED
        assert talk.face.complaints[-1] == "its exit status was 7"


@pytest.mark.requirement("UI-2")
async def test_a_withdrawn_question_is_told_in_the_conversation_too() -> None:
    async with talking() as talk:
        await talk.says("vanish")
        await talk.expects("This question was withdrawn. Nothing that you typed was sent.")
        await talk.until(lambda: not isinstance(talk.app.screen, ElicitationScreen))
        await talk.expects("your turn")


@pytest.mark.requirement("URL-8")
async def test_a_link_is_waited_for_until_its_user_is_done() -> None:
    async with talking() as talk:
        await talk.says("wait for link")
        await settled(talk)
        await talk.pilot.press("enter")
        await talk.expects("Waiting for the agent to say that the link is complete", "Answered")
        await talk.pilot.press("escape")
        await talk.until(lambda: talk.app.prompt.has_focus)
        assert "The turn is over." not in talk.seen


@pytest.mark.requirement("URL-8")
async def test_the_end_of_the_turn_gives_the_prompt_back_and_tells_how_to_retry() -> None:
    async with talking() as talk:
        await talk.says("link")
        await settled(talk)
        await talk.pilot.press("enter")
        await talk.expects("The turn is over. To try the link again, open this address:")
        await talk.says("complete")
        await talk.expects("The agent says that the link is complete.")


async def test_a_permission_is_asked_for() -> None:
    async with talking() as talk:
        await talk.says("permit")
        await settled(talk)
        await talk.expects("Permission request from Obedient 1.0", "Paint the wall")
        await talk.pilot.press("escape")
        await talk.expects("'cancelled'")


async def test_it_speaks_chinese() -> None:
    use_language("zh-CN")
    try:
        async with talking() as talk:
            await talk.expects("轮到您了")
            await talk.says("stall")
            await talk.expects("智能体正在工作", "您：")
    finally:
        use_language("en")
