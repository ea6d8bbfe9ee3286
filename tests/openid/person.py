"""A person at the provider's page, whose browser is an HTTP client with cookies and no scripts.

Owns: following redirects, filling in the provider's form, and what comes back to the client.
Knows nothing of: which provider it is. Above it: the tests of connecting. Below it: httpx2.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import httpx2

from tests.posting import read_page

__all__ = ["Authorization", "answer_at"]


class Authorization:
    """One authorization request with all that a strict provider wants, and its code verifier."""

    def __init__(self, endpoint: str, client: str, redirect_uri: str, **more: str | None) -> None:
        self.verifier = secrets.token_urlsafe(48)
        self.state, self.nonce = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        digest = hashlib.sha256(self.verifier.encode()).digest()
        parameters: dict[str, str | None] = {
            "response_type": "code",
            "client_id": client,
            "redirect_uri": redirect_uri,
            "scope": "openid",
            "state": self.state,
            "nonce": self.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        given = {name: value for name, value in (parameters | more).items() if value is not None}
        self.url = f"{endpoint}?{urlencode(given)}"
        self.redirect_uri = redirect_uri


async def answer_at(
    browser: httpx2.AsyncClient, url: str, user: str, answer: str = "allow"
) -> tuple[str, Mapping[str, str]]:
    """Open the provider's page at `url`, answer it, and go where that leads.

    Returns:
        The address to which the provider sends the browser back, and the parameters in it. It is
        not opened. An error that the provider shows on its own page comes back as its address,
        and `{"page": the text}`.
    """
    origin = httpx2.URL(url).copy_with(path="/", query=None)
    response = await browser.get(url)
    for _ in range(10):
        if response.is_redirect:
            place = response.url.join(response.headers["location"])
            if place.copy_with(path="/", query=None) != origin:
                return str(place), dict(parse_qsl(place.query.decode()))
            response = await browser.get(place)
        elif response.is_error:
            return str(response.url), {"page": response.text}
        else:
            form = read_page(response.text).css_first("form")
            assert form is not None, response.text
            target = response.url.join(str(form.attributes["action"]))
            response = await browser.post(target, data={"user": user, "answer": answer})
    raise AssertionError(f"the provider leads nowhere: {response.url}")
