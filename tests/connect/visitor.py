"""A person's browser at the connect page: an HTTP client with cookies, and no scripts.

Owns: what that person does from the link to the last page. Knows nothing of: workers, stores.
Above it: the tests of connecting. Below it: httpx2, `tests.openid.person`.
"""

import contextlib
import ssl
from collections.abc import AsyncIterator

import httpx2
from selectolax.lexbor import LexborNode

from tests.connect.balancer import GONE, SIGNED_IN
from tests.openid.person import answer_at
from tests.posting import read_page

__all__ = ["Visitor", "visiting"]

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Made once: for each browser, it would take longer than what the browser does."""


class Visitor:
    """The browser of `user`, who has signed in where the agent is hosted."""

    def __init__(self, http: httpx2.AsyncClient, user: str) -> None:
        self.http, self.user = http, user
        self.account: str | None = None
        """The user's name at the provider, where it is another."""

    async def open(self, url: str) -> httpx2.Response:
        """Open a page of the connect service, and go where it sends the browser."""
        return await self.http.get(url, follow_redirects=True)

    async def press(self, page: httpx2.Response, what: str) -> httpx2.Response:
        """Post the form of the connect page whose address ends with `what`."""
        form = _find(page, f'form[action$="{what}"]')
        data = {
            str(each.attributes["name"]): str(each.attributes["value"])
            for each in form.css("input")
        }
        target = page.url.join(str(form.attributes["action"]))
        origin = f"{target.scheme}://{target.netloc.decode()}"
        return await self.http.post(
            target, data=data, headers={"Origin": origin}, follow_redirects=True
        )

    async def begin(self, url: str) -> str:
        """Open the link and go on; return the address of the provider's page, not opened yet."""
        return await self.go_on(await self.open(url))

    async def go_on(self, page: httpx2.Response) -> str:
        """Go on from the connect page, as `begin`."""
        return str(_find(await self.press(page, "/begin"), "a#onward").attributes["href"])

    async def allow(self, provider: str, answer: str = "allow") -> str:
        """Answer at the provider; return the address of the callback, not opened yet."""
        place, _ = await answer_at(self.http, provider, self.account or self.user, answer)
        return place

    async def finish(self, url: str) -> str:
        """Do all of it, and return the heading of the last page."""
        return heading(await self.open(await self.allow(await self.begin(url))))


def heading(page: httpx2.Response) -> str:
    """What a page of the connect service says, or the balancer in its place."""
    return page.text if page.text == GONE else _find(page, "h2").text()


def _find(page: httpx2.Response, selector: str) -> LexborNode:
    found = read_page(page.text).css_first(selector)
    assert found is not None, f"{page.status_code} {page.text}"
    return found


@contextlib.asynccontextmanager
async def visiting(address: str, user: str) -> AsyncIterator[Visitor]:
    """Have a browser of `user` for the length of the block; `address` is where it is signed in."""
    async with httpx2.AsyncClient(timeout=30, trust_env=False, verify=_NO_TLS) as http:
        http.cookies.set(SIGNED_IN, user, domain=httpx2.URL(address).host)
        yield Visitor(http, user)
