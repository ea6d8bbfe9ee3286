"""A presenter of one's own: questions are posted to a chat, and the user's messages answer them.

Run it in this terminal:  python examples/own_presenter.py python examples/agent.py
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from acp_elicitation import Accepted, Cancelled, Declined, FormPrompt, LinkPrompt, Reply, Responder
from acp_elicitation.client.launch import launch
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.browser import open_in_browser
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.text.links import word_warning
from acp_elicitation.text.terminal import one_line, visible
from acp_elicitation.text.warnings import word_finding
from acp_elicitation.text.wording import word_constraints, word_problem


class ChatPresenter:
    """`post` shows a message; `hear` waits for the user's next one, None when they have left."""

    def __init__(
        self,
        post: Callable[[str], object],
        hear: Callable[[], Awaitable[str | None]],
        open_url: Callable[[str], object] = open_in_browser,
    ) -> None:
        self._post, self._hear, self._open_url = post, hear, open_url

    async def form(self, prompt: FormPrompt) -> Reply:
        draft = prompt.draft
        enterable = {field.name for field in draft.fields if field.kind != "unknown"}
        while True:
            fits = not await asyncio.to_thread(draft.problems)  # a pattern may take a moment
            self._introduce(prompt, [word_finding(secret) for secret in prompt.secrets])
            self._post(_as_it_stands(draft))
            self._post('Reply "name: value", or "submit", "decline" or "cancel".')
            match await self._hear():
                case "submit" if fits:
                    return Accepted(draft.content())
                case "decline":
                    return Declined()
                case "cancel" | None:
                    return Cancelled()
                case line:
                    name, colon, value = line.partition(":")
                    if colon and name.strip() in enterable:
                        draft.enter(name.strip(), value.strip())

    async def link(self, prompt: LinkPrompt) -> Reply:
        self._introduce(prompt, [word_warning(warning) for warning in prompt.report.warnings])
        self._post(f"It leads to {visible(prompt.host)}: {visible(prompt.url)}")
        while True:
            self._post('Reply "open", "decline" or "cancel".')
            match await self._hear():
                case "open":
                    self._open_url(prompt.url)
                    return Accepted(None)
                case "decline":
                    return Declined()
                case "cancel" | None:
                    return Cancelled()

    async def withdraw(self, prompt: object, why: str) -> None:
        self._post(f"The question is gone: it was {why}.")

    def _introduce(self, prompt: FormPrompt | LinkPrompt, warnings: list[str]) -> None:
        asker = prompt.asker
        self._post(f"{one_line(asker.name)} asks (started as {one_line(' '.join(asker.command))}):")
        self._post("\n".join([visible(prompt.message), *warnings]))


def _as_it_stands(draft: FormDraft) -> str:
    """Return the form with what is filled in, and what is wrong with it, a line for each field."""
    lines = []
    for field in draft.fields:
        notes = [word_constraints(field.property), *map(word_problem, draft.problems(field.name))]
        about = one_line(". ".join([field.label, *filter(None, notes)]))
        lines.append(f"{one_line(field.name)}: {one_line(draft.shown_value(field.name))} ({about})")
    return "\n".join(lines) or "It has no fields: submit it to say yes."


async def main(command: list[str]) -> None:
    """Run the agent through one prompt, with this terminal as the chat."""
    typed = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(typed), sys.stdin
    )

    async def hear() -> str | None:
        line = await typed.readline()
        return line.decode(errors="replace").strip() if line else None

    responder = Responder(ChatPresenter(print, hear))
    info = Implementation(name="own", version="1.0")

    def show(session_id: str, update: dict[str, object]) -> None:
        if update["sessionUpdate"] == "agent_message_chunk":
            print(ascii(update["content"]))

    async with launch(command, responder, on_update=show, info=info) as agent:
        await (await agent.client.new_session("/")).prompt("Please go on.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an agent)")
    asyncio.run(main(sys.argv[1:]))
