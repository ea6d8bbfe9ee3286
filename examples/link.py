"""An agent that sends its user to a page of its own, and waits until it is done there.

Run it in this terminal:  acp-elicit chat --no-browser -- python examples/link.py
"""

import asyncio

from acp_elicitation import Agent, Turn, new_link_id


async def on_prompt(turn: Turn) -> None:
    """Serve a page on this machine, ask for consent to open it, and wait until it is done."""
    link_id = new_link_id()

    async def page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a POST to the page of this link by completing it; a GET changes nothing."""
        request = await reader.readline()
        if request.startswith(f"POST /{link_id} ".encode()):
            turn.elicitor.complete(link_id)
        body = b"<form method=post><button>Connect</button></form>"
        writer.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + body)
        writer.close()

    server = await asyncio.start_server(page, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    link = await turn.elicitor.link(
        "Please connect your account.",
        f"http://127.0.0.1:{port}/{link_id}",
        session=turn.session_id,
        link_id=link_id,
    )
    if link.consented:
        await link.completed(timeout=300)
        turn.say("Connected.")
    else:
        turn.say("Not connected.")
    server.close()


if __name__ == "__main__":
    asyncio.run(Agent(on_prompt, name="connector", version="1.0").serve_stdio())
