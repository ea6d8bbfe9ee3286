"""An MCP server that asks by a function of an ACP agent; and the agent, by the same function.

Run it in this terminal, as an agent:     acp-elicit chat -- python examples/mcp_server.py acp
As the MCP server of another agent (its tool is `order`):
    acp-elicit chat -- python examples/mcp_agent.py python examples/mcp_server.py
"""

import asyncio
import sys
from typing import Unpack

from mcp.server.mcpserver import MCPServer

from acp_elicitation import Agent, Elicitor, Turn
from acp_elicitation.agent.asking import Asking
from acp_elicitation.bridges.mcp.serving import with_elicitor


async def order(elicitor: Elicitor, **where: Unpack[Asking]) -> str:
    """Order a pizza."""
    size = await elicitor.choose("How big?", {"s": "Small", "l": "Large"}, **where)
    extras = await elicitor.choose_many("Which extras?", ["olives", "capers"], **where)
    if not (size and extras and await elicitor.confirm("Order it?", **where)):
        return "Nothing was ordered."
    return f"Ordered: {size.unwrap()}, with {', '.join(extras.unwrap()) or 'nothing'}."


async def on_prompt(turn: Turn) -> None:
    """Ask as an agent."""
    turn.say(await order(turn.elicitor, session=turn.session_id))


if __name__ == "__main__":
    if sys.argv[1:] == ["acp"]:
        asyncio.run(Agent(on_prompt, name="pizzeria", version="1.0").serve_stdio())
    else:
        server = MCPServer("pizzeria")
        server.add_tool(with_elicitor(order))
        server.run()
