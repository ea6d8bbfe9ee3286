"""An MCP server's questions before the user of an ACP client, and what the server gets."""

import asyncio
from typing import Any

import anyio
import pytest
from mcp import Client, ErrorData, MCPError
from mcp.client._memory import InMemoryTransport
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS

from acp_elicitation.agent.serve import NewSession
from acp_elicitation.bridges.mcp.forwarding import forward
from acp_elicitation.bridges.mcp.losses import LossReport
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.requests import FormRequest
from acp_elicitation.protocol.responses import META_KEY
from acp_elicitation.protocol.scope import RequestScope, SessionScope
from acp_elicitation.protocol.version import V1, V2, Version
from tests.held import HeldPresenter
from tests.pair import joined
from tests.unit.bridges.mcp.bridged import BOTH, bridged, no_prompt, said
from tests.unit.bridges.mcp.servers import NAME, asking, form, link, with_tool

SECRET = {
    "type": "object",
    "properties": {"key": {"type": "string", "title": "API key", "description": "Your API key"}},
}
NESTED = {"type": "object", "properties": {"who": {"type": "object", "properties": {}}}}


@pytest.mark.requirement("REQ-2", "REQ-1")
@pytest.mark.parametrize("version", [V1, V2])
@pytest.mark.parametrize("speaks", BOTH)
async def test_a_form_arrives_at_the_user_and_its_answer_at_the_server(
    speaks: str, version: Version
) -> None:
    server, answers = asking(form())
    async with bridged(server, speaks=speaks, version=version) as bridge:
        call = bridge.call(tool_call="call-7")
        prompt = await bridge.user.next_form()
        assert isinstance(prompt.request, FormRequest)
        assert isinstance(prompt.request.scope, SessionScope)
        assert prompt.request.scope.tool_call_id == "call-7"
        bridge.user.reply(prompt, Accepted({"name": "Ada"}))
        assert said(await call) == "done"
    [answer] = answers
    assert answer.action == "accept"
    assert answer.content == {"name": "Ada"}
    assert answer.meta is None
    assert bridge.reports == []


async def test_the_user_is_told_which_server_asks_above_its_own_words() -> None:
    server, _ = asking(form("Agent: trust me"), name="files\x1b[2J\n" + "x" * 200)
    async with bridged(server) as bridge:
        bridge.call()
        message = (await bridge.user.next_form()).message
    heading, _, words = message.partition("\n\n")
    assert heading.startswith("The MCP server files")
    assert "\x1b" not in heading
    assert len(heading) < 120
    assert words == "Agent: trust me"


async def test_the_agent_can_name_the_server_itself() -> None:
    server, _ = asking(form(), name="Official Bank")
    async with bridged(server, server="weather") as bridge:
        bridge.call()
        assert (await bridge.user.next_form()).message == "The MCP server weather asks:\n\nWhich?"


async def test_a_client_that_is_put_together_by_hand_needs_the_callback_alone() -> None:
    server, answers = asking(form(), name="weather")
    async with bridged(asking()[0]) as bridge:
        session = bridge.forward.asker.asking["session"]
        questions = forward(bridge.forward.asker.elicitor, session=session)
        over = InMemoryTransport(server)
        async with Client(over, mode="legacy", elicitation_callback=questions) as client:
            call = asyncio.ensure_future(client.call_tool("ask", {}))
            prompt = await bridge.user.next_form()
            assert prompt.message == "The MCP server weather asks:\n\nWhich?"
            bridge.user.reply(prompt, Accepted({"name": "Ada"}))
            await call
    assert answers[0].content == {"name": "Ada"}


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize(("reply", "action"), [(Declined(), "decline"), (Cancelled(), "cancel")])
async def test_a_decline_stays_a_decline_and_a_cancel_a_cancel(reply: Any, action: str) -> None:
    server, answers = asking(form(), link())
    async with bridged(server) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_form(), reply)
        bridge.user.reply(await bridge.user.next_link(), reply)
        await call
    assert [(one.action, one.content, one.meta) for one in answers] == [(action, None, None)] * 2


@pytest.mark.requirement("FORM-5", "FORM-6")
@pytest.mark.parametrize("speaks", BOTH)
async def test_a_form_that_asks_for_a_secret_is_declined_unseen_with_the_reason(
    speaks: str,
) -> None:
    server, answers = asking(form("To go on:", SECRET))
    async with bridged(server, speaks=speaks) as bridge:
        assert said(await bridge.call()) == "done"
        assert bridge.user.shown.empty()
    [answer] = answers
    assert answer.action == "decline"
    assert answer.content is None
    assert answer.meta is not None
    assert answer.meta[META_KEY]["reason"] == "secret"
    [report] = bridge.reports
    assert report.declined == "secret"
    assert report.losses[0].path == "/requestedSchema/properties/key"


async def test_a_message_that_asks_for_a_secret_counts_as_much_as_a_field() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    server, answers = asking(form("Please enter your password", schema))
    async with bridged(server) as bridge:
        await bridge.call()
        assert bridge.user.shown.empty()
    assert answers[0].action == "decline"
    assert bridge.reports[0].declined == "secret"


@pytest.mark.requirement("FORM-1")
async def test_what_acp_cannot_carry_is_declined_with_the_reason() -> None:
    async with bridged(asking()[0]) as bridge:
        result: Any = await bridge.forward.answer({"message": "x", "requestedSchema": NESTED})
    assert result.action == "decline"
    assert result.meta[META_KEY] == {
        "reason": "not-carried",
        "losses": [
            "/requestedSchema/properties/who/type: refused: forms have no such type (FORM-1)"
        ],
    }
    assert [report.declined for report in bridge.reports] == ["not-carried"]


async def test_what_no_client_could_show_is_declined_with_the_reason() -> None:
    schema = {"type": "object", "properties": {}, "required": ["gone"]}
    server, answers = asking(form("Which?", schema))
    async with bridged(server) as bridge:
        await bridge.call()
    assert answers[0].action == "decline"
    assert bridge.reports[0].declined == "not-carried"
    assert "gone" in str(bridge.reports[0])


async def test_what_was_changed_on_the_way_is_reported() -> None:
    choice = {"type": "string", "enum": ["a"], "enumNames": ["A"]}
    schema = {"type": "object", "properties": {"x": choice}, "$schema": "urn:x"}
    server, answers = asking(form("Which?", schema))
    async with bridged(server) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_form()
        bridge.user.reply(prompt, Accepted({"x": "a"}))
        await call
    assert answers[0].content == {"x": "a"}
    [report] = bridge.reports
    assert report.server == "files"
    assert [loss.effect for loss in report.losses] == ["dropped", "converted"]


async def test_reports_are_logged_by_default(caplog: pytest.LogCaptureFixture) -> None:
    async with bridged(asking()[0], on_report=None, server="weather") as bridge:
        with caplog.at_level("WARNING"):
            await bridge.forward.answer({"message": "x", "requestedSchema": NESTED})
    assert "a form of MCP server 'weather' was declined (not-carried)" in caplog.text


async def test_a_listener_that_fails_changes_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: LossReport) -> None:
        raise ValueError("no")

    async with bridged(asking()[0], on_report=fail) as bridge:
        result: Any = await bridge.forward.answer({"message": "x", "requestedSchema": NESTED})
    assert result.action == "decline"
    assert "a listener to loss reports failed" in caplog.text


@pytest.mark.requirement("FORM-3")
async def test_an_answer_that_breaks_a_limit_which_no_form_can_say_is_asked_again() -> None:
    price = {"type": "number", "exclusiveMinimum": 0, "title": "Price"}
    server, answers = asking(form("How much?", {"type": "object", "properties": {"p": price}}))
    async with bridged(server) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_form(), Accepted({"p": 0}))
        again = await bridge.user.next_form()
        assert "must be greater than 0" in again.message
        bridge.user.reply(again, Accepted({"p": 0.5}))
        await call
    assert answers[0].content == {"p": 0.5}


@pytest.mark.requirement("RES-5")
async def test_an_answer_that_never_fits_is_an_error_without_the_answer() -> None:
    price = {"type": "number", "exclusiveMinimum": 4321}
    schema = {"type": "object", "properties": {"p": price}}
    async with bridged(asking()[0], attempts=1) as bridge:
        asked = asyncio.ensure_future(
            bridge.forward.answer({"message": "x", "requestedSchema": schema})
        )
        bridge.user.reply(await bridge.user.next_form(), Accepted({"p": 4321}))
        result = await asked
    assert result == ErrorData(code=INTERNAL_ERROR, message="the question could not be answered")


@pytest.mark.requirement("CAP-4", "CAP-6")
@pytest.mark.parametrize(
    ("modes", "params"),
    [
        (("form",), {"mode": "url", "message": "x", "url": "https://mcp.example/"}),
        (("form",), {"mode": "url", "message": "x", "url": "javascript:alert(1)"}),
        (("url",), {"message": "x", "requestedSchema": {"type": "object", "properties": {}}}),
        (("form", "url"), {"mode": "voice", "message": "x"}),
    ],
)
async def test_a_mode_that_was_not_declared_is_refused_unseen(modes: Any, params: Any) -> None:
    async with bridged(asking()[0], modes=modes) as bridge:
        result = await bridge.forward.answer(params)
        assert bridge.user.shown.empty()
    assert isinstance(result, ErrorData)
    assert result.code == INVALID_PARAMS


async def test_a_question_without_a_mode_is_a_form() -> None:
    async with bridged(asking()[0]) as bridge:
        asked = asyncio.ensure_future(
            bridge.forward.answer(
                {"message": "x", "requestedSchema": {"type": "object", "properties": {}}}
            )
        )
        bridge.user.reply(await bridge.user.next_form(), Accepted({}))
        result: Any = await asked
    assert result.action == "accept"
    assert result.content == {}


@pytest.mark.requirement("REQ-5")
async def test_a_question_that_its_server_takes_back_is_withdrawn() -> None:
    server, _ = asking(form())
    async with bridged(server) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_form()
        call.cancel()  # the server is told, and cancels what it asked for the call
        await bridge.user.gone.wait()
    assert bridge.user.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("REQ-5")
async def test_a_question_of_a_cancelled_call_is_withdrawn_though_its_server_does_not() -> None:
    answers: list[Any] = []

    async def stubborn(ctx: Any) -> None:
        with anyio.CancelScope(shield=True):
            answers.append(await ctx.session.elicit_form("Which?", NAME))

    async with bridged(with_tool(stubborn)) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_form()
        call.cancel()
        await bridge.user.gone.wait()
        assert bridge.user.withdrawn == [(prompt, "withdrawn")]
    assert [(one.action, one.meta) for one in answers] == [
        ("cancel", {META_KEY: {"reason": "withdrawn"}})
    ]


async def test_a_question_of_a_cancelled_turn_is_a_cancel_that_says_why() -> None:
    server, answers = asking(form())
    async with bridged(server) as bridge:
        elicitor, session = bridge.forward.asker.elicitor, bridge.forward.asker.asking["session"]
        assert session is not None
        elicitor.begin_turn(session)
        call = bridge.call()
        await bridge.user.next_form()
        elicitor.cancel_turn(session)
        await call
    assert answers[0].action == "cancel"
    assert answers[0].meta == {META_KEY: {"reason": "withdrawn"}}


@pytest.mark.requirement("RES-5")
async def test_nobody_waits_longer_than_the_agent_allows() -> None:
    server, answers = asking(form())
    async with bridged(server, timeout=0.02) as bridge:
        await bridge.call()
    assert answers[0].action == "cancel"
    assert answers[0].meta == {META_KEY: {"reason": "expired"}}


@pytest.mark.requirement("RES-5")
async def test_a_client_that_is_gone_is_an_error_for_the_server() -> None:
    server, _ = asking(form())
    async with bridged(server) as bridge:
        call = bridge.call()
        await bridge.user.next_form()
        bridge.pair.client_end.close()
        with pytest.raises(MCPError, match="could not be answered"):
            await call


async def test_a_fault_of_our_own_tells_the_server_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bridged(asking()[0]) as bridge:
        bridge.forward.asker.elicitor.form = None  # type: ignore[assignment,method-assign]
        result = await bridge.forward.answer(
            {"message": "x", "requestedSchema": {"type": "object", "properties": {}}}
        )
    assert result == ErrorData(code=INTERNAL_ERROR, message="the question could not be answered")
    assert "forwarding a question failed" in caplog.text


async def test_of_a_server_that_asks_without_end_eight_questions_wait_and_no_more() -> None:
    reports: list[LossReport] = []
    four = asyncio.Event()

    def on_report(report: LossReport) -> None:
        reports.append(report)
        if len(reports) == 4:
            four.set()

    schema = {"type": "object", "properties": {}}

    async def flood(ctx: Any) -> None:
        await asyncio.gather(*(ctx.session.elicit_form("Which?", schema) for _ in range(12)))

    async with bridged(with_tool(flood), on_report=on_report) as bridge:
        call = bridge.call()
        await four.wait()
        for _ in range(8):
            bridge.user.reply(await bridge.user.next_form(), Declined())
        await call
        assert bridge.user.shown.empty()
    assert [report.declined for report in reports] == ["too-many"] * 4


@pytest.mark.requirement("REQ-2")
async def test_a_server_can_ask_while_a_session_is_set_up() -> None:
    answers: list[Any] = []

    async def on_session(session: NewSession) -> None:
        questions = forward(session.elicitor, request=session.request_id, tool_call="of no session")
        answers.append(await questions.answer({"message": "x", "requestedSchema": NAME}))

    user = HeldPresenter()
    async with joined(no_prompt, user, version=V2, on_session=on_session) as pair:
        opening = asyncio.ensure_future(pair.session())
        prompt = await user.next_form()
        assert isinstance(prompt.request.scope, RequestScope)
        user.reply(prompt, Accepted({}))
        await opening
    assert answers[0].action == "accept"
