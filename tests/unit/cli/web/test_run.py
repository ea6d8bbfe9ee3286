"""`acp-elicit chat --ui web` as a whole: a program, an agent, and a browser without scripts."""

import signal

from tests.posting import read_page
from tests.web_program import CHAT, DEMO, running


async def test_the_demo_can_be_answered_to_its_end_in_a_page() -> None:
    async with running(*DEMO) as program:
        page = await program.shows("#question-yes [value=submit]")
        assert "Set up a new project for me." in page.text
        await program.browser.submit(page, "decline")
        page = await program.says("The conversation is over.")
        assert "Declined. Nothing that you typed was sent." in page.text
        assert await program.ended() == 0  # nobody listens any more


async def test_a_prompt_is_said_and_answered_and_the_conversation_ended_in_a_page() -> None:
    async with running(*CHAT) as program:
        await program.is_ready()
        await program.press("say", text="ask")
        page = await program.shows("#question-yes")
        await program.browser.submit(page, "submit", f0="red")
        page = await program.says("Answered: accepted")
        assert "accepted {'colour': 'red'}" in read_page(page.text).body.text()  # type: ignore[union-attr]
        await program.is_ready()
        await program.press("say", text="stall")
        await program.says("Waiting now.")
        await program.shows("[value=stop]")
        await program.press("stop")
        await program.says("The turn ended: cancelled")
        last = await program.press("end")
        assert "The conversation is over. You can close this page." in last.text
        assert await program.ended() == 0


async def test_ctrl_c_in_the_terminal_cancels_the_question_then_ends_it_all() -> None:
    async with running(*DEMO) as program:
        await program.shows("#question-yes")
        program.process.send_signal(signal.SIGINT)
        await program.says("Cancelled. Nothing that you typed was sent.")
        await program.says("The conversation is over.")
        program.process.send_signal(signal.SIGINT)
        assert await program.ended() == 0


async def test_a_link_is_agreed_to_waited_for_and_done_with_in_a_page() -> None:
    async with running(*CHAT) as program:
        await program.is_ready()
        await program.press("say", text="wait for link")
        page = await program.shows("#question-yes [value=open]")
        departing = await program.browser.submit(page, "open")
        assert read_page(departing.text).css("meta[http-equiv=refresh]")
        await program.shows("#waiting")
        await program.press("waiting", do="done")
        await program.says("Done waiting.")


async def test_ctrl_c_at_the_prompt_ends_it() -> None:
    async with running(*CHAT) as program:
        await program.is_ready()
        program.process.send_signal(signal.SIGINT)
        assert await program.ended() == 130


async def test_the_end_of_the_terminal_ends_the_page() -> None:
    async with running(*CHAT) as program:
        await program.is_ready()
        async with program.browser.listening() as tab:
            program.process.send_signal(signal.SIGTERM)
            assert await program.ended() == 130
            blocks = []
            while block := await tab.block():
                blocks.append(block)
            assert blocks[-1] == "event: over\ndata:"
