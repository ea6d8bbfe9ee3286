"""A person at a browser, and the witness beside them who notes what a page does unasked."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, BrowserContext, Dialog, Error, Page, Request, expect

__all__ = ["Visit", "visiting", "watching"]

_LIMIT = 45_000.0
"""Milliseconds within which anything that a person waits for has to happen."""

_MOST_NAVIGATIONS = 5
_CLOSING = 5.0
"""Seconds."""

# Runs in every frame before any script of the page, and outside of its content security policy.
_WITNESS = """
document.addEventListener('securitypolicyviolation', (event) => {
  witness('policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
});
Object.defineProperty(window, 'canary', {
  configurable: true,  // a window may be given to the next page
  set: (value) => witness('canary: ' + value),
});
"""


@dataclass(eq=False)
class Visit:
    """One browser context: cookies, tabs and all. Nothing of it outlives the test."""

    context: BrowserContext
    noted: list[str] = field(default_factory=list)
    """What no page may do: break its own policy, open a dialog, call the canary, fail a script."""
    requested: list[str] = field(default_factory=list)
    """The method and address of every request of any tab."""

    async def open(self, address: str) -> Page:
        """Open an address in a new tab."""
        page = await self.context.new_page()
        await page.goto(address)
        return page

    async def notes(self, page: Page) -> list[str]:
        """What was noted, once all that the page has begun by now has come to an end."""
        idle = "new Promise((done) => setTimeout(() => requestIdleCallback(done, {timeout: 500})))"
        for _ in range(_MOST_NAVIGATIONS):
            try:
                await page.evaluate(idle)
            except Error:  # it has gone on to the next page meanwhile
                await page.wait_for_load_state()
            else:
                return self.noted
        raise AssertionError("the page does not come to rest")

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.noted.append(f"script: {error}"))
        page.on("dialog", self._dismiss)

    async def _dismiss(self, dialog: Dialog) -> None:
        self.noted.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def note_request(self, request: Request) -> None:
        self.requested.append(f"{request.method} {request.url}")


@contextlib.asynccontextmanager
async def visiting(browser: Browser, **options: Any) -> AsyncIterator[Visit]:
    """Give a person a fresh browser context; `options` are those of `Browser.new_context`."""
    # Colours that are on their way to others would be judged as they stand.
    context = await browser.new_context(**{"reduced_motion": "reduce", **options})
    try:
        yield await watching(context)
    finally:
        # One that is closed while a page is on its way to the next one sometimes never says that it
        # is; it ends with the browser.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await context.close()


async def watching(context: BrowserContext) -> Visit:
    """Watch every tab that is opened in the context from now on."""
    context.set_default_timeout(_LIMIT)
    expect.set_options(timeout=_LIMIT)
    visit = Visit(context)
    await context.expose_binding("witness", lambda _source, what: visit.noted.append(what))
    await context.add_init_script(_WITNESS)
    context.on("page", visit.watch)
    context.on("request", visit.note_request)
    return visit
