"""An agent that is an MCP client too: its server's questions arrive at its user.

A prompt is the name of a tool, with arguments in JSON after it; anything else lists the tools.

Run it in this terminal:  acp-elicit chat -- python examples/mcp_agent.py COMMAND ARGS...
(the command of an MCP server, such as: npx @modelcontextprotocol/server-everything)
"""

import asyncio
import json
import sys

from mcp import MCPError, StdioServerParameters

from acp_elicitation import Agent, Turn
from acp_elicitation.bridges.mcp.calling import call_tool
from acp_elicitation.bridges.mcp.client import mcp_client
from acp_elicitation.bridges.mcp.forwarding import forward


async def on_prompt(turn: Turn) -> None:
    """Call the tool that the prompt names, and say what it returns."""
    name, _, arguments = turn.text.strip().partition(" ")
    questions = forward(turn.elicitor, session=turn.session_id)
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with mcp_client(server, questions) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        if name not in tools:
            turn.say("The tools are: " + ", ".join(tools))
            return
        tool_call = turn.start_tool(name)
        try:
            result = await call_tool(
                client, questions, name, json.loads(arguments or "{}"), tool_call=tool_call
            )
        except MCPError as error:
            turn.end_tool(tool_call, "failed")
            turn.say(f"The tool failed with {error.code}.")
            return
        turn.end_tool(tool_call, "failed" if result.is_error else "completed")
        turn.say("\n".join(block.text for block in result.content if block.type == "text"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an MCP server)")
    asyncio.run(Agent(on_prompt, name="mcp-host", version="1.0").serve_stdio())
