"""Who is in front of the browser: the port that each way to know it implements (URL-13).

Owns: `Identify` and what it answers. Knows nothing of: any way to know it.
Above it: `service`, the ways in `identities`. Below it: Starlette's types, `stores.records`.
"""

import hmac
from collections.abc import Sequence
from typing import Protocol, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from acp_elicitation.stores.records import Identity, StoredLink

__all__ = ["Identified", "Identify", "Known", "NotKnown", "SignIn"]


class Known(msgspec.Struct, frozen=True):
    """The user is known. Whether a link is that user's is `owns`, for the caller to ask."""

    identity: Identity

    def owns(self, link: StoredLink) -> bool:
        """Whether the link was made for this user (URL-13), in a time that tells nothing more."""
        both = (self.identity, link.identity)
        return hmac.compare_digest(*(text.encode("utf-8", "surrogatepass") for text in both))


class SignIn(msgspec.Struct, frozen=True):
    """Nobody is signed in; `response` leads there and back to the link."""

    response: Response


class NotKnown(msgspec.Struct, frozen=True):
    """This request can come from no user of the service, and there is no way to sign in."""


Identified: TypeAlias = Known | SignIn | NotKnown


class Identify(Protocol):
    """A way to know the user of a browser, by the request alone, never by the link's URL.

    - `check_address` refuses to serve where the way would not hold.
    - `identify` is asked at the page, at the beginning and at the coming back; `link` is what the
      user wants to go on with. It changes nothing for a GET, so that a prefetched page binds
      nobody.
    - A response that it gave to remember the browser by is in `remember`, which the service calls
      with the response to a POST that went through.
    """

    def check_address(self, host: str) -> None:
        """Return where the service may be reached under `host`, an address or a name.

        Raises:
            NotSafeHere: it may not, with the reason and what to do.
        """

    def routes(self, base: str) -> Sequence[BaseRoute]:
        """Return pages of its own, such as where a user signs in, below the path `base`."""

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        """Return who it is."""

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        """Set what `response` has to set for the browser to be known again; often nothing."""
