"""Calls that want pages opened first (-32042): how often, which pages, and whose tool call."""

from typing import Any

import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.types import URL_ELICITATION_REQUIRED

from acp_elicitation.bridges.mcp.calling import repeated
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from tests.unit.bridges.mcp.bridged import Bridge, bridged, said
from tests.unit.bridges.mcp.servers import done, form, with_tool

CONNECT = "https://mcp.example/connect"
PAGE = {"mode": "url", "message": "First connect.", "url": CONNECT, "elicitationId": "one"}


def wanting(*pages: dict[str, Any], rounds: int = 1) -> tuple[MCPServer, list[int]]:
    """A server whose tool fails so many times, since these pages are to be opened first."""
    calls: list[int] = []

    async def ask(_: Any) -> Any:
        calls.append(len(calls))
        if len(calls) <= rounds:
            data = {"elicitations": list(pages)}
            raise MCPError(URL_ELICITATION_REQUIRED, "connect first", data)
        return done()

    return with_tool(ask), calls


async def open_page(bridge: Bridge, finished: Any = None) -> None:
    """Consent to a page, and answer whether it is finished: yes, unless told otherwise."""
    bridge.user.reply(await bridge.user.next_link(), Accepted(None))
    bridge.user.reply(await bridge.user.next_form(), Accepted({}) if finished is None else finished)


@pytest.mark.requirement("URL-1", "URL-8")
async def test_a_call_is_repeated_once_the_user_says_that_its_page_is_finished() -> None:
    server, calls = wanting(PAGE)
    async with bridged(server) as bridge:
        call = bridge.call(tool_call="call-1")
        prompt = await bridge.user.next_link()
        assert prompt.message == "The MCP server files asks you to open its page:\n\nFirst connect."
        assert prompt.request.url == CONNECT
        bridge.user.reply(prompt, Accepted(None))
        asked = await bridge.user.next_form()
        assert len(calls) == 1  # consent is not completion
        bridge.user.reply(asked, Accepted({}))
        assert said(await call) == "done"
    assert len(calls) == 2


async def test_a_call_is_repeated_by_itself_where_the_server_completes_its_page() -> None:
    server, calls = wanting(PAGE)
    async with bridged(server) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), Accepted(None))
        await bridge.user.next_form()
        bridge.forward.pages.links.complete_named("one")
        assert said(await call) == "done"
        await bridge.user.gone.wait()  # nobody needs to answer that any more
    assert len(calls) == 2


@pytest.mark.parametrize("reply", [Declined(), Cancelled()])
async def test_without_consent_the_call_fails_as_it_did(reply: Any) -> None:
    server, calls = wanting(PAGE)
    async with bridged(server) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), reply)
        with pytest.raises(MCPError) as caught:
            await call
    assert caught.value.code == URL_ELICITATION_REQUIRED
    assert len(calls) == 1


async def test_a_user_who_gives_up_on_the_page_ends_the_call() -> None:
    server, calls = wanting(PAGE)
    async with bridged(server) as bridge:
        call = bridge.call()
        await open_page(bridge, Cancelled())
        with pytest.raises(MCPError):
            await call
    assert len(calls) == 1


async def test_all_the_pages_of_the_error_are_opened_one_after_another() -> None:
    second = {**PAGE, "url": CONNECT + "/2", "elicitationId": "two"}
    server, calls = wanting(PAGE, second)
    async with bridged(server) as bridge:
        call = bridge.call()
        await open_page(bridge)
        await open_page(bridge)
        await call
    assert len(calls) == 2


async def test_a_page_that_is_wanted_again_is_not_opened_again() -> None:
    server, calls = wanting(PAGE, rounds=2)
    async with bridged(server) as bridge:
        call = bridge.call()
        await open_page(bridge)
        bridge.user.reply(await bridge.user.next_form(), Accepted({}))
        await call
    assert len(calls) == 3


async def test_a_server_that_is_never_content_gets_four_calls() -> None:
    server, calls = wanting(PAGE, rounds=100)
    async with bridged(server) as bridge:
        call = bridge.call()
        await open_page(bridge)
        for _ in range(2):
            bridge.user.reply(await bridge.user.next_form(), Accepted({}))
        with pytest.raises(MCPError):
            await call
    assert len(calls) == 4


@pytest.mark.requirement("URL-14")
@pytest.mark.parametrize(
    ("pages", "why"),
    [
        ([], "malformed"),
        ([PAGE] * 6, "malformed"),
        ([{**PAGE, "mode": "form", "requestedSchema": form().requested_schema}], "malformed"),
        ([{"mode": "url"}], "malformed"),
        (["https://mcp.example/"], "malformed"),
        ([{**PAGE, "url": "https://x.example/authorize?client_id=1"}], "unsafe-link"),
    ],
)
async def test_an_error_whose_pages_may_not_be_opened_stays_an_error(pages: Any, why: str) -> None:
    server, calls = wanting(*pages)
    async with bridged(server) as bridge:
        with pytest.raises(MCPError):
            await bridge.call()
        assert bridge.user.shown.empty()
    assert len(calls) == 1
    assert [report.declined for report in bridge.reports] == [why]


@pytest.mark.parametrize("data", [None, [], "x", {"elicitations": PAGE}])
async def test_an_error_with_other_data_stays_an_error(data: object) -> None:
    async def fail() -> None:
        raise MCPError(URL_ELICITATION_REQUIRED, "connect first", data)

    async with bridged(with_tool(lambda _: fail())) as bridge:
        with pytest.raises(MCPError):
            await repeated(fail, bridge.forward)
    assert [report.declined for report in bridge.reports] == ["malformed"]


@pytest.mark.requirement("CAP-4", "FORM-6")
async def test_without_url_mode_no_page_is_asked_for_in_another_way() -> None:
    server, _ = wanting(PAGE)
    async with bridged(server, modes=("form",)) as bridge:
        with pytest.raises(MCPError):
            await bridge.call()
        assert bridge.user.shown.empty()


async def test_any_other_error_is_raised_at_once() -> None:
    calls: list[int] = []

    async def fail(_: Any) -> None:
        calls.append(1)
        raise MCPError(-32000, "no")

    async with bridged(with_tool(fail)) as bridge:
        with pytest.raises(MCPError, match="no"):
            await bridge.call()
    assert calls == [1]


async def test_what_was_left_out_of_a_page_is_reported() -> None:
    server, _ = wanting({**PAGE, "icon": "x"})
    async with bridged(server) as bridge:
        call = bridge.call()
        await open_page(bridge)
        await call
    [report] = bridge.reports
    assert report.mode == "url"
    assert [loss.path for loss in report.losses] == ["/icon"]
