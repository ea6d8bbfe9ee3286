"""The pages of an MCP server: which may be opened, in which words, and how they end."""

import asyncio
from typing import Any

import pytest
from mcp import MCPError

from acp_elicitation.bridges.mcp.links import ServerPage
from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.responses import META_KEY
from tests.unit.bridges.mcp.bridged import BOTH, LEGACY, MODERN, Bridge, bridged, said
from tests.unit.bridges.mcp.servers import asking, done, link, with_tool

CONNECT = "https://mcp.example/connect"


async def complete(bridge: Bridge, name: str) -> None:
    """Let the server say that a page is finished, as it does before 2026-07-28."""
    from mcp.types import ElicitCompleteNotification, ElicitCompleteNotificationParams

    params = ElicitCompleteNotificationParams(elicitation_id=name)
    await bridge.forward.on_message(ElicitCompleteNotification(params=params))


@pytest.mark.requirement("UI-5", "URL-10")
@pytest.mark.parametrize("speaks", BOTH)
async def test_the_user_sees_the_page_of_the_server_as_it_is_and_whose_it_is(speaks: str) -> None:
    url = "https://mcp.example/connect?e=4%20x"
    server, answers = asking(link(url, "one" if speaks == LEGACY else None))
    async with bridged(server, speaks=speaks) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        assert prompt.request.url == url
        assert prompt.message == "The MCP server files asks you to open its page:\n\nConnect."
        bridge.user.reply(prompt, Accepted(None))
        await call
    assert [(one.action, one.content) for one in answers] == [("accept", None)]


@pytest.mark.requirement("URL-3", "URL-4")
async def test_two_servers_may_name_their_pages_alike() -> None:
    server, _ = asking(link(name="one"))
    other, _ = asking(link("https://other.example/connect", name="one"), name="other")
    async with bridged(server) as bridge, bridged(other) as second:
        bridge.call()
        second.call()
        first_id = (await bridge.user.next_link()).request.elicitation_id
        second_id = (await second.user.next_link()).request.elicitation_id
    assert len({first_id, second_id, "one"}) == 3


@pytest.mark.requirement("URL-14", "URL-9")
@pytest.mark.parametrize(
    "url",
    [
        "https://github.example/login/oauth/authorize?client_id=1&redirect_uri=x",
        "https://mcp.example/connect?access_token=8f14e45fceea167a5a36dedd4bea2543",
        "http://mcp.example/connect",
        "https://user:pass@mcp.example/",
        "javascript:alert(1)",
        "connect",
    ],
)
async def test_a_page_that_no_agent_may_send_its_user_to_is_declined_unseen(url: str) -> None:
    server, answers = asking(link(url))
    async with bridged(server) as bridge:
        await bridge.call()
        assert bridge.user.shown.empty()
    [answer] = answers
    assert answer.action == "decline"
    assert answer.meta is not None
    assert answer.meta[META_KEY]["reason"] == "unsafe-link"
    assert url not in str(answer)
    assert [report.declined for report in bridge.reports] == ["unsafe-link"]


async def test_only_the_pages_of_the_hosts_that_the_agent_names_are_asked_for() -> None:
    server, answers = asking(link("https://evil.example/"), link(CONNECT, "two"))
    async with bridged(server, hosts={"mcp.example"}) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), Declined())
        await call
    assert [report.declined for report in bridge.reports] == ["unknown-host"]
    assert [answer.action for answer in answers] == ["decline", "decline"]


@pytest.mark.requirement("URL-13", "URL-14")
async def test_an_agent_can_lead_to_the_page_by_one_of_its_own() -> None:
    opened: list[tuple[str, str]] = []

    def page(link_id: str, url: str) -> str:
        opened.append((link_id, url))
        return f"https://agent.example/to/{link_id}"

    async with bridged(asking(link())[0], page=page) as bridge:
        bridge.call()
        request = (await bridge.user.next_link()).request
    assert opened == [(request.elicitation_id, CONNECT)]
    assert request.url == f"https://agent.example/to/{request.elicitation_id}"


@pytest.mark.requirement("URL-5", "URL-6")
async def test_a_completion_of_the_server_completes_the_link_of_the_client() -> None:
    async def ask(ctx: Any) -> None:
        await ctx.session.elicit_url("Connect.", CONNECT, "one")
        await ctx.session.send_elicit_complete("one")
        await ctx.session.send_elicit_complete("one")  # once is enough (URL-7)

    async with bridged(with_tool(ask)) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        bridge.user.reply(prompt, Accepted(None))
        await prompt.completed.wait()
        await call
        assert len(bridge.forward.pages.links) == 0


async def test_a_completion_may_be_faster_than_the_consent() -> None:
    async with bridged(asking(link(name="one"))[0]) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        await complete(bridge, "one")
        await prompt.completed.wait()
        bridge.user.reply(prompt, Accepted(None))
        assert said(await call) == "done"


@pytest.mark.requirement("URL-7", "URL-6")
async def test_completions_of_pages_that_are_not_open_are_ignored() -> None:
    async with bridged(asking(link(name="one"))[0]) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        await complete(bridge, "two")
        await complete(bridge, prompt.request.elicitation_id)  # ours is no name of the server's
        bridge.user.reply(prompt, Accepted(None))
        await call
        assert not prompt.completed.is_set()
        assert len(bridge.forward.pages.links) == 1


@pytest.mark.parametrize("reply", [Declined(), Cancelled()])
async def test_a_page_that_is_not_opened_is_forgotten(reply: Any) -> None:
    async with bridged(asking(link())[0]) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), reply)
        await call
        assert len(bridge.forward.pages.links) == 0


async def test_a_name_that_is_in_use_names_no_second_page() -> None:
    server, answers = asking(link(CONNECT, "one"), link("https://mcp.example/other", "one"))
    async with bridged(server) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), Accepted(None))
        await call
    assert [answer.action for answer in answers] == ["accept", "decline"]
    assert [report.declined for report in bridge.reports] == ["malformed"]


@pytest.mark.requirement("URL-5")
async def test_without_completions_a_page_is_finished_when_its_call_succeeds() -> None:
    async with bridged(asking(link(name=None))[0], speaks=MODERN) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        bridge.user.reply(prompt, Accepted(None))
        await call
        await prompt.completed.wait()
        assert len(bridge.forward.pages.links) == 0


@pytest.mark.requirement("URL-5")
async def test_without_completions_a_page_is_not_finished_by_a_call_that_fails() -> None:
    async def ask(ctx: Any) -> Any:
        if not ctx.input_responses:
            from mcp.types import ElicitRequest, InputRequiredResult

            return InputRequiredResult(input_requests={"q": ElicitRequest(params=link(name=None))})
        return done(is_error=True)

    async with bridged(with_tool(ask), speaks=MODERN) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        bridge.user.reply(prompt, Accepted(None))
        assert (await call).is_error
        assert len(bridge.forward.pages.links) == 0
        again = bridge.call()
        await bridge.user.next_link()  # what was sent before has arrived before
        assert not prompt.completed.is_set()
        again.cancel()


@pytest.mark.requirement("URL-8")
@pytest.mark.parametrize(("reply", "action"), [(Accepted({}), "accept"), (Declined(), "decline")])
async def test_a_server_that_asks_for_an_open_page_again_waits_for_the_user(
    reply: Any, action: str
) -> None:
    server, answers = asking(link(name=None), link(name=None))
    async with bridged(server, speaks=MODERN) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), Accepted(None))
        prompt = await bridge.user.next_form()
        assert prompt.message == "Have you finished on the page of the MCP server files?"
        bridge.user.reply(prompt, reply)
        await call
    assert [answer.action for answer in answers] == ["accept", action]


@pytest.mark.requirement("URL-8")
async def test_the_word_of_the_server_ends_the_wait_and_the_question() -> None:
    server, answers = asking(link(), link())
    async with bridged(server) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), Accepted(None))
        asked = await bridge.user.next_form()
        await complete(bridge, "one")
        await call
        await bridge.user.gone.wait()
        assert bridge.user.withdrawn == [(asked, "withdrawn")]
    assert [answer.action for answer in answers] == ["accept", "accept"]


async def test_without_forms_only_the_server_can_say_that_a_page_is_finished() -> None:
    server, answers = asking(link(), link())
    waits = asyncio.Event()
    async with bridged(server, modes=("url",)) as bridge:
        finished = bridge.forward.pages.finished

        async def watched(page: ServerPage) -> Answer[None]:
            waits.set()
            return await finished(page)

        bridge.forward.pages.finished = watched  # type: ignore[method-assign]
        call = bridge.call()
        prompt = await bridge.user.next_link()
        bridge.user.reply(prompt, Accepted(None))
        await waits.wait()
        for _ in range(20):  # time enough to ask the user, if it did
            await asyncio.sleep(0)
        assert not call.done()
        await complete(bridge, "one")
        await prompt.completed.wait()
        await call
    assert [answer.action for answer in answers] == ["accept", "accept"]


async def test_a_server_that_is_gone_completes_nothing_more() -> None:
    async with bridged(asking(link())[0]) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        bridge.user.reply(prompt, Accepted(None))
        await call
        [page] = bridge.forward.pages.links
        bridge.forward.close()
        assert page.link is not None
        with pytest.raises(Exception, match="withdrawn"):
            await page.link.completed()
        assert isinstance(prompt, LinkPrompt)
        assert not prompt.completed.is_set()


async def test_the_oldest_of_too_many_pages_is_forgotten() -> None:
    async with bridged(asking()[0]) as bridge:
        links = bridge.forward.pages.links
        links.most = 2
        for number in range(3):
            params = {"mode": "url", "message": "x", "url": f"{CONNECT}/{number}"}
            asked = asyncio.ensure_future(bridge.forward.answer(params))
            bridge.user.reply(await bridge.user.next_link(), Accepted(None))
            await asked
        assert [page.url for page in links] == [f"{CONNECT}/1", f"{CONNECT}/2"]


async def test_a_link_that_its_server_takes_back_is_forgotten() -> None:
    async with bridged(asking(link())[0]) as bridge:
        call = bridge.call()
        await bridge.user.next_link()
        call.cancel()
        await bridge.user.gone.wait()
        assert len(bridge.forward.pages.links) == 0
        with pytest.raises((MCPError, asyncio.CancelledError)):
            await call
