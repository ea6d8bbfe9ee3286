"""Pictures of the web page, in PNG, as Chromium draws it."""

import asyncio
from typing import Literal

from acp_elicitation.client.prompts import Prompt
from acp_elicitation.presenters.web.question import render_question
from acp_elicitation.presenters.web.shell import STATIC_FILES, read_static, render_page
from acp_elicitation.text.language import use_language
from tests.browser.chromium import running_chromium
from tests.serving import answer, serving

__all__ = ["page"]

_TITLE = "acp-elicit"


async def page(
    prompt: Prompt,
    *,
    language: str = "en",
    scheme: Literal["light", "dark"] = "light",
    show_problems: bool = False,
    width: int = 820,
    height: int = 900,
) -> bytes:
    """Return the picture of a question, from the top of the page down to `height` at most."""
    use_language(language)
    try:
        asked = render_question(prompt, action="/q/1", token="t", show_problems=show_problems)
        markup = render_page(_TITLE, asked, base="", language=language, live=False)
    finally:
        use_language("en")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        name = head.split(" ")[1].rpartition("/")[2]
        if name in STATIC_FILES:
            await answer(writer, read_static(name), f"Content-Type: {STATIC_FILES[name]}")
        else:
            await answer(writer, markup.encode())

    async with serving(serve) as port, running_chromium() as browser:
        opened = await browser.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        await opened.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")
        bottom = await opened.evaluate(
            "document.querySelector('main').getBoundingClientRect().bottom"
        )
        return await opened.screenshot(
            clip={"x": 0, "y": 0, "width": width, "height": min(height, bottom)}
        )
