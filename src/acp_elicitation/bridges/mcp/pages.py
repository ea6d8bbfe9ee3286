"""Asking a user to open a page of an MCP server, and waiting until it is finished.

Owns: which pages may be opened, in which words, and the wait for their end.
Knows nothing of: MCP messages, and of forms. Above it: `forwarding`, `calling`.
Below it: `asker`, `links`, `losses`, the layer `links`.

The page is the server's, not the agent's. What ACP demands of an agent's own page (URL-9, URL-13,
URL-14) MCP demands of a server's, in the same words; so the rules for a link of one's own hold for
it (no provider's page, nothing in it that lets anyone in), the user is told whose page it is, and
sees its address unchanged. An agent that may send its users to its own pages alone gives `page`.
"""

import asyncio
from collections.abc import Callable, Collection
from typing import TypeAlias

from acp_elicitation.bridges.mcp.asker import Asker
from acp_elicitation.bridges.mcp.links import ServerLinks, ServerPage
from acp_elicitation.bridges.mcp.losses import Loss, NotForwarded
from acp_elicitation.bridges.mcp.questions import ServerLink
from acp_elicitation.links import check_own_link, inspect_link
from acp_elicitation.protocol.answers import Accepted, Answer
from acp_elicitation.protocol.errors import ModeNotAdvertised, UnsafeLink
from acp_elicitation.text.language import tr

__all__ = ["PageOf", "Pages"]

PageOf: TypeAlias = Callable[[str, str], str]
"""Returns the agent's own page for a link id and the server's URL; it leads on from there."""


class Pages:
    """The pages of one server. Nobody opens or fetches anything here (URL-10)."""

    def __init__(
        self,
        asker: Asker,
        *,
        hosts: Collection[str] | None = None,
        page_of: PageOf | None = None,
        most: int = 100,
    ) -> None:
        self._asker = asker
        self._hosts = None if hosts is None else frozenset(hosts)
        self._page_of = page_of
        self.links = ServerLinks(asker.elicitor, most=most)

    async def ask(self, link: ServerLink) -> Answer[None]:
        """Ask for consent; where the page is open already, ask whether it is finished.

        Raises:
            NotForwarded: the link is none that an agent may ask its user to open.
            ElicitationError: as for `Elicitor.link`.
        """
        page = self.links.find(link.url, link.id)
        if page is None:
            page = await self.open(link)
            assert page.link is not None, "it was answered"
            return page.link.answer
        return await self.finished(page)

    async def open(self, link: ServerLink) -> ServerPage:
        """Ask for consent to open a page, and return it with its answer. Raises as `ask`."""
        self._check(link)
        page = ServerPage(link.url, link.id)
        url = link.url if self._page_of is None else self._page_of(page.link_id, link.url)
        heading = tr("The MCP server {server} asks you to open its page:", server=self._asker.name)
        self.links.add(page)
        try:
            page.link = await self._asker.elicitor.link(
                f"{heading}\n\n{link.message}", url, link_id=page.link_id, **self._asker.asking
            )
        except BaseException:
            self.links.forget(page)
            raise
        if not page.link.consented or not self.links.holds(page):
            self.links.forget(page)
        self._asker.calls.opened(page)
        return page

    async def finished(self, page: ServerPage) -> Answer[None]:
        """Return when a page is finished, by the server's word or by the user's (URL-8).

        Nothing obliges a server to tell it: so the user can say so, or give up.
        """
        assert page.link is not None, "only an open page can be finished"
        seconds = self._asker.asking.get("timeout")
        told = asyncio.ensure_future(page.link.completed(timeout=seconds))
        said = asyncio.ensure_future(self._ask_whether_finished())
        try:
            await asyncio.wait([told, said], return_when=asyncio.FIRST_COMPLETED)
            if told.done():
                told.result()
                return Accepted(None)
            answer = said.result()
            return Accepted(None) if isinstance(answer, Accepted) else answer
        finally:
            told.cancel()
            said.cancel()
            await asyncio.gather(told, said, return_exceptions=True)

    async def _ask_whether_finished(self) -> Answer[bool]:
        asker = self._asker
        if "form" not in asker.modes:
            await asyncio.Event().wait()  # then the server alone can tell
        question = tr(
            "Have you finished on the page of the MCP server {server}?", server=asker.name
        )
        return await asker.elicitor.confirm(question, **asker.asking)

    def _check(self, link: ServerLink) -> None:
        if "url" not in self._asker.modes:
            raise ModeNotAdvertised("url")
        if self.links.is_taken(link.id):
            raise NotForwarded("malformed", Loss("/elicitationId", "refused", "it is in use"))
        try:
            check_own_link(link.url)  # URL-9, URL-14
        except UnsafeLink as error:
            loss = Loss("/url", "refused", f"{error.where}: {error.reason}")
            raise NotForwarded("unsafe-link", loss) from None
        if self._hosts is not None and inspect_link(link.url).host not in self._hosts:
            raise NotForwarded("unknown-host", Loss("/url", "refused", "it is no page of its own"))
