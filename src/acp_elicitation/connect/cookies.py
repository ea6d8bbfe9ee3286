"""What the service remembers a browser by: a cookie for its forms, and one for what it has begun.

Owns: the names, attributes and contents of both cookies, and the tokens in forms (CSRF).
Knows nothing of: users, pages. Above it: `service`, `coming_back`. Below it: `sealing`.

The token of a form is sealed for one cookie and one link, so that any worker knows it again and no
other browser can use it. The binding is set when the user begins and is what the callback asks for:
a state alone, which travels through others' servers, lets nobody finish (session fixation).
"""

import base64
import binascii
import hashlib
import secrets
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.protocol.requests import ElicitationId

__all__ = ["Cookies"]

_TOKEN = "form"
_NAME = "acp-connect"


class Cookies:
    """The cookies of a service at `base_url`."""

    def __init__(self, sealer: Sealer, *, base_url: str) -> None:
        self._sealer = sealer
        parts = urlsplit(base_url)
        self._secure = parts.scheme == "https"
        # `__Host-` keeps other hosts of the same domain from setting it; it needs https.
        self._prefix = "__Host-" if self._secure else ""
        self._path = "/" if self._secure else (parts.path.rstrip("/") or "/")

    # --- forms ------------------------------------------------------------------------------------

    def of_browser(self, request: Request) -> str | None:
        """Return what this browser's forms are known by, if it has been here before."""
        return request.cookies.get(self._prefix + _NAME) or None

    def greet(self, response: Response) -> str:
        """Have `response` give a browser something to be known by, and return that."""
        value = secrets.token_urlsafe(24)
        self._set(response, _NAME, value, None)
        return value

    def token(self, browser: str, link_id: ElicitationId) -> str:
        """Return the token for the forms of a link's page in this browser."""
        sealed = self._sealer.seal(b"", _TOKEN, browser, link_id)
        return base64.urlsafe_b64encode(sealed).decode()

    def knows(self, token: str, request: Request, link_id: ElicitationId) -> bool:
        """Whether `token` was given to this browser for this link."""
        browser = self.of_browser(request)
        if browser is None:
            return False
        try:
            sealed = base64.urlsafe_b64decode(token.encode("ascii", "replace"))
            return self._sealer.open(sealed, _TOKEN, browser, link_id) == b""
        except (binascii.Error, VaultError):
            return False

    # --- beginnings -------------------------------------------------------------------------------

    def new_binding(self) -> str:
        """Return a fresh binding for `bind`. Nobody can guess it."""
        return secrets.token_urlsafe(24)

    def bind(self, response: Response, link_id: ElicitationId, binding: str, *, age: int) -> None:
        """Have `response` bind the browser to what it has begun, for `age` seconds."""
        self._set(response, _of_link(link_id), binding, age)

    def binding(self, request: Request, link_id: ElicitationId) -> str:
        """Return what the browser says that it was bound by; "" where it says nothing."""
        return request.cookies.get(self._prefix + _of_link(link_id), "")

    def unbind(self, response: Response, link_id: ElicitationId) -> None:
        """Have `response` forget it."""
        self._set(response, _of_link(link_id), "", 0)

    def _set(self, response: Response, name: str, value: str, age: int | None) -> None:
        # Lax, not Strict: the provider sends the user back from another site.
        response.set_cookie(
            self._prefix + name,
            value,
            max_age=age,
            path=self._path,
            secure=self._secure,
            httponly=True,
            samesite="lax",
        )


def _of_link(link_id: ElicitationId) -> str:
    # Of each link its own, so that two of them can be on their way in one browser.
    return f"{_NAME}-{hashlib.sha256(link_id.encode()).hexdigest()[:16]}"
