"""A web application of your own that shows an agent's forms in its pages.

Run it:  python examples/web_host.py python examples/agent.py
"""

import asyncio
import secrets
import socket
import sys
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from acp_elicitation import Accepted, Cancelled, Declined, FormPrompt, LinkPrompt, Responder
from acp_elicitation.client.launch import launch
from acp_elicitation.presenters.web import read_form, render_form
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.text.html import escape

PAGE = """<!doctype html>
<html lang="en">
<title>My application</title>
<main>{}</main>
</html>"""
FORM = """<h1>{asker} asks</h1>
<p style="white-space: pre-wrap">{message}</p>
<form method="post">
{questions}
<p>
  <button name="do" value="submit">Send</button>
  <button name="do" value="decline">Decline</button>
  <button name="do" value="cancel">Cancel</button>
</p>
</form>"""
REPLIES = {"decline": Declined(), "cancel": Cancelled()}


class Pages:
    """A presenter: one form at a time, at an address that nobody can guess."""

    def __init__(self) -> None:
        self.path = f"/{secrets.token_urlsafe()}/"
        self.app = Starlette(
            routes=[
                Route(self.path, self.show, methods=["GET"]),
                Route(self.path, self.take, methods=["POST"]),
            ]
        )
        self.asked: tuple[FormPrompt, asyncio.Future[Any]] | None = None

    async def form(self, prompt: FormPrompt) -> Accepted[Any] | Declined | Cancelled:
        """Leave the form in the page until somebody answers."""
        replied = asyncio.get_running_loop().create_future()
        self.asked = prompt, replied
        try:
            reply: Accepted[Any] | Declined | Cancelled = await replied
            return reply
        finally:
            self.asked = None

    async def link(self, prompt: LinkPrompt) -> Accepted[Any] | Declined | Cancelled:
        return Declined()

    async def withdraw(self, prompt: object, why: str) -> None:
        """The page that is loaded next shows no form."""

    async def show(self, request: Request) -> Response:
        """Show the form, or that there is none."""
        return await self.draw(show_problems=False)

    async def take(self, request: Request) -> Response:
        """Take the answer, or show the form once more with what is wrong with it."""
        data = parse_qs((await request.body()).decode(), keep_blank_values=True)
        if self.asked is None or self.asked[1].done():
            return page("That question is gone. Nothing was sent.")
        prompt, replied = self.asked
        do = data.get("do", [""])[0]
        if do in REPLIES:
            replied.set_result(REPLIES[do])
            return page("No was said.")
        read_form(prompt.draft, data)
        if await asyncio.to_thread(prompt.draft.problems):
            return await self.draw(show_problems=True)
        if not replied.done():  # somebody else may have answered meanwhile
            replied.set_result(Accepted(prompt.draft.content()))
        return page("Sent.")

    async def draw(self, *, show_problems: bool) -> Response:
        """Return the page as it is. An agent's pattern may take a moment: not on the event loop."""
        if self.asked is None:
            return page("Nobody asks anything.")
        prompt, _ = self.asked
        questions = await asyncio.to_thread(
            render_form, prompt.draft, show_problems=show_problems, secrets=prompt.secrets
        )
        asker, message = escape(prompt.asker.name), escape(prompt.message)
        shown = FORM.format(asker=asker, message=message, questions=questions)
        return page(shown, 422 if show_problems else 200)


def page(main: str, status: int = 200) -> Response:
    """Return a page that runs no script and loads nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"
    headers = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return HTMLResponse(PAGE.format(main), status, headers)


def show(session_id: str, update: dict[str, Any]) -> None:
    """Print what the agent says."""
    if update["sessionUpdate"] == "agent_message_chunk":
        print(ascii(update["content"]["text"]))


async def main(command: list[str]) -> None:
    """Serve the page, and run the agent through one prompt."""
    pages = Pages()
    info = Implementation(name="my-application", version="1.0")
    server = uvicorn.Server(uvicorn.Config(pages.app, log_level="warning"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}{pages.path}", flush=True)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        responder = Responder(pages, modes=["form"])
        async with launch(command, responder, on_update=show, info=info) as agent:
            session = await agent.client.new_session("/")
            await session.prompt("Please refactor.")
        server.should_exit = True
        await serving


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an agent)")
    asyncio.run(main(sys.argv[1:]))
