"""One function that asks: in an ACP agent, and as a tool of an MCP server of each generation."""

import asyncio
from typing import Annotated, Any, Literal, Unpack

import pytest
from mcp import Client, MCPError
from mcp.client._memory import InMemoryTransport
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ElicitRequestURLParams, ElicitResult
from pydantic import BaseModel, Field

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.permission import via_permission
from acp_elicitation.bridges.mcp.narrowing import narrowed
from acp_elicitation.bridges.mcp.serving import elicitor_of, with_elicitor
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.protocol.version import V2
from tests.held import HeldPresenter
from tests.pair import joined
from tests.unit.bridges.mcp.bridged import BOTH, LEGACY, MODERN, said

PAGE = "https://pizza.example/pay"


class Delivery(BaseModel):
    """Where it goes."""

    street: str
    floor: Annotated[int, Field(ge=0)] = 0


async def order(elicitor: Elicitor, pizza: str, **where: Unpack[Asking]) -> str:
    """Order a pizza."""
    size = await elicitor.choose("How big?", {"s": "Small", "l": "Large"}, **where)
    extras = await elicitor.choose_many("Extras?", ["olives", "capers"], **where)
    note = await elicitor.text("A note?", **where)
    to = await elicitor.form("Where to?", Delivery, **where)
    if not await elicitor.confirm("Order it?", **where):
        return "not ordered"
    link = await elicitor.link("Please pay.", PAGE, **where)
    where_to = to.unwrap()
    ordered = f"{pizza} {size.unwrap()} {extras.unwrap()} {note.unwrap()!r}"
    return f"{ordered} to {where_to.street}/{where_to.floor}, consented: {link.consented}"


REPLIES: dict[str, Any] = {
    "How big?": {"answer": "l"},
    "Extras?": {"answer": ["capers"]},
    "A note?": {"answer": "hot"},
    "Where to?": {"street": "Low Road", "floor": 2},
    "Order it?": {},
    "Please pay.": None,
}
ORDERED = "Funghi l ['capers'] 'hot' to Low Road/2, consented: True"


class User:
    """A user of an MCP client: its elicitation callback, and what it was asked."""

    def __init__(self, replies: dict[str, Any]) -> None:
        self.replies = replies
        self.asked: list[Any] = []

    async def __call__(self, context: object, params: Any) -> ElicitResult:
        self.asked.append(params)
        reply = self.replies.get(params.message, "decline")
        if isinstance(reply, str):
            return ElicitResult(action=reply)  # type: ignore[arg-type]
        return ElicitResult(action="accept", content=reply)


async def call(
    function: Any,
    user: User,
    speaks: str = LEGACY,
    modes: tuple[Mode, ...] = ("form", "url"),
    **arguments: Any,
) -> CallToolResult:
    """Call the tool that the function is, as the client of that user."""
    server = MCPServer("pizzeria")
    server.add_tool(with_elicitor(function), name="tool")
    over = narrowed(InMemoryTransport(server), modes)
    async with Client(over, mode=speaks, elicitation_callback=user) as client:
        return await client.call_tool("tool", arguments)


async def test_an_acp_agent_asks_by_the_function() -> None:
    user = HeldPresenter()

    async def answer() -> None:
        for reply in REPLIES.values():
            prompt = await user.shown.get()
            user.reply(prompt, Accepted(reply))

    async with joined(lambda _: answer(), user, version=V2) as pair:
        session = await pair.session()
        assert pair.agent.elicitor is not None
        answering = asyncio.ensure_future(answer())
        assert await order(pair.agent.elicitor, "Funghi", session=session.id) == ORDERED
        await answering


@pytest.mark.parametrize("speaks", BOTH)
async def test_an_mcp_server_asks_by_the_same_function(speaks: str) -> None:
    user = User(REPLIES)
    result = await call(order, user, speaks, pizza="Funghi")
    assert said(result) == ORDERED
    assert not result.is_error
    assert [params.message for params in user.asked] == list(REPLIES)
    link = user.asked[-1]
    assert isinstance(link, ElicitRequestURLParams)
    assert link.url == PAGE
    assert (link.elicitation_id is None) is (speaks == MODERN)


@pytest.mark.parametrize("speaks", BOTH)
async def test_a_decline_is_one(speaks: str) -> None:
    result = await call(order, User({**REPLIES, "Order it?": "decline"}), speaks, pizza="Funghi")
    assert said(result) == "not ordered"


async def test_the_tool_has_the_other_parameters_of_the_function() -> None:
    server = MCPServer("pizzeria")
    server.add_tool(with_elicitor(order))
    [tool] = await server.list_tools()
    assert tool.name == "order"
    assert tool.description == "Order a pizza."
    assert list(tool.input_schema["properties"]) == ["pizza"]
    assert tool.input_schema["required"] == ["pizza"]


async def one_number(elicitor: Elicitor) -> str:
    number = await elicitor.form("How many?", Delivery, attempts=2)
    return number.unwrap().street


@pytest.mark.requirement("FORM-3")
@pytest.mark.parametrize("speaks", BOTH)
async def test_content_of_an_mcp_client_is_checked_and_asked_again(speaks: str) -> None:
    user = User({"How many?": {"street": "x", "floor": -1}})
    result = await call(one_number, user, speaks)
    assert result.is_error
    first, second = user.asked[0].message, user.asked[1].message
    assert first == "How many?"
    assert second.startswith("How many?\n\nPlease correct:")


@pytest.mark.requirement("FORM-5", "FORM-6")
@pytest.mark.parametrize("speaks", BOTH)
async def test_a_server_does_not_ask_for_secrets_in_a_form_either(speaks: str) -> None:
    async def ask(elicitor: Elicitor) -> str:
        return (await elicitor.text("Your password?")).unwrap()

    user = User({"Your password?": {"answer": "x"}})
    assert (await call(ask, user, speaks)).is_error
    assert user.asked == []


@pytest.mark.requirement("CAP-4", "CAP-5")
@pytest.mark.parametrize("speaks", BOTH)
async def test_a_mode_that_the_client_lacks_takes_the_fallback(speaks: str) -> None:
    async def ask(elicitor: Elicitor) -> str:
        modes = ",".join(sorted(elicitor.modes))
        return f"{modes}: {(await elicitor.text('Who?', fallback='nobody')).unwrap()}"

    user = User({"Who?": {"answer": "Ada"}})
    assert said(await call(ask, user, speaks, modes=("url",))) == "url: nobody"
    assert user.asked == []


async def test_what_mcp_has_no_request_for_leads_to_the_next_fallback() -> None:
    from acp_elicitation.agent.fallback import Ladder

    async def ask(elicitor: Elicitor) -> str:
        ladder = Ladder(via_permission, "l")
        return (await elicitor.choose("How big?", ["s", "l"], fallback=ladder)).unwrap()

    assert said(await call(ask, User({}), modes=("url",))) == "l"


@pytest.mark.parametrize("speaks", BOTH)
async def test_questions_at_once_are_all_asked(speaks: str) -> None:
    async def ask(elicitor: Elicitor) -> str:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(elicitor.text(f"{name}?")) for name in ("Who", "Where")]
        return " ".join(task.result().unwrap() for task in tasks)

    user = User({"Who?": {"answer": "Ada"}, "Where?": {"answer": "there"}})
    assert said(await call(ask, user, speaks)) == "Ada there"
    assert len(user.asked) == 2


async def test_the_same_question_twice_is_asked_twice() -> None:
    async def ask(elicitor: Elicitor) -> str:
        return f"{await elicitor.text('Who?')} {await elicitor.text('Who?')}"

    user = User({"Who?": {"answer": "Ada"}})
    result = await call(ask, user, MODERN)
    assert len(user.asked) == 2
    assert said(result).count("Ada") == 2


@pytest.mark.parametrize("speaks", BOTH)
async def test_what_a_function_raises_is_the_tools_failure(speaks: str) -> None:
    async def ask(elicitor: Elicitor) -> str:
        async with asyncio.TaskGroup() as group:
            group.create_task(elicitor.text("Who?"))
            raise ValueError("no")

    user = User({"Who?": {"answer": "Ada"}})
    assert (await call(ask, user, speaks)).is_error


@pytest.mark.requirement("URL-5", "URL-6")
async def test_a_completion_goes_to_the_client_of_the_link() -> None:
    heard: list[Any] = []
    told = asyncio.Event()

    async def hear(message: Any) -> None:
        heard.append(message)
        told.set()

    async def ask(elicitor: Elicitor) -> str:
        link = await elicitor.link("Please pay.", PAGE, link_id="link-1")
        elicitor.complete("link-1")
        await link.completed()
        return "paid"

    server = MCPServer("pizzeria")
    server.add_tool(with_elicitor(ask), name="tool")
    async with Client(
        InMemoryTransport(server),
        mode="legacy",
        elicitation_callback=User({"Please pay.": None}),
        message_handler=hear,
    ) as client:
        assert said(await client.call_tool("tool")) == "paid"
        await told.wait()
    assert [message.params.elicitation_id for message in heard] == ["link-1"]


async def test_in_results_a_completion_needs_no_message() -> None:
    async def ask(elicitor: Elicitor) -> str:
        link = await elicitor.link("Please pay.", PAGE, link_id="link-1")
        elicitor.complete("link-1")
        await link.completed()
        return "paid"

    assert said(await call(ask, User({"Please pay.": None}), MODERN)) == "paid"


async def test_an_error_of_the_client_is_one_of_ours() -> None:
    async def fail(*_: object) -> ElicitResult:
        raise MCPError(-32603, "broken")

    async def ask(elicitor: Elicitor) -> str:
        return (await elicitor.text("Who?", fallback="nobody")).unwrap()

    assert said(await call(ask, fail, speaks=LEGACY)) == "nobody"  # type: ignore[arg-type]


@pytest.mark.parametrize("speaks", BOTH)
async def test_an_option_keeps_its_words(speaks: str) -> None:
    class Meal(BaseModel):
        size: Literal["s", "l"] = Field(json_schema_extra={})

    async def ask(elicitor: Elicitor) -> str:
        return (await elicitor.form("Which?", Meal)).unwrap().size

    user = User({"Which?": {"size": "l"}})
    assert said(await call(ask, user, speaks)) == "l"
    assert user.asked[0].requested_schema["properties"]["size"]["enum"] == ["s", "l"]


async def test_a_function_without_an_elicitor_is_none_that_asks() -> None:
    async def ask(who: str) -> str:
        return who

    with pytest.raises(TypeError, match="no parameter of type Elicitor"):
        with_elicitor(ask)


async def test_a_tool_of_ones_own_asks_by_its_context_until_2025() -> None:
    server = MCPServer("pizzeria")
    failures: list[MisuseError] = []

    @server.tool()
    async def tool(ctx: Context) -> str:
        try:
            return (await elicitor_of(ctx).text("Who?")).unwrap()
        except MisuseError as error:
            failures.append(error)
            return "cannot ask"

    user = User({"Who?": {"answer": "Ada"}})
    answers = []
    for speaks in BOTH:
        over = InMemoryTransport(server)
        async with Client(over, mode=speaks, elicitation_callback=user) as client:
            answers.append(said(await client.call_tool("tool")))
    assert answers == ["Ada", "cannot ask"]
    assert "with_elicitor" in str(failures[0])
