"""How it ended, in the user's words: a heading and what to do, for each end of a link.

Owns: the sentences. Knows nothing of: HTML, stores, providers. Above it: `pages`.
Below it: `reasons`, `text.language`.
"""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from acp_elicitation.connect.reasons import Reason
from acp_elicitation.text.language import tr_later

__all__ = ["COMPLETED", "NOT_HERE", "NO_COOKIE", "NO_LINK", "NO_STORE", "REASONS", "USED", "Ending"]


class Ending(msgspec.Struct, frozen=True):
    """What a page says, in texts that are translated where shown; `status` is that of HTTP."""

    heading: str
    advice: str
    status: int = 200


COMPLETED = Ending(tr_later("Connected"), tr_later("You can close this page and go back."))

NO_LINK = Ending(
    tr_later("There is nothing here"),
    tr_later(
        "This link does not exist any more, or was made for another user. Go back, and ask for a "
        "new one."
    ),
    404,
)
NOT_HERE = Ending(
    tr_later("Not in this browser"),
    tr_later(
        "This link is for another browser, or for somebody who is signed in. Go on where you "
        "opened it first, or go back and ask for a new one. Nothing was changed by this."
    ),
    403,
)
USED = Ending(
    tr_later("This was used already"),
    tr_later("What came back counts once. Go back to see whether it went well, or begin again."),
    409,
)
NO_COOKIE = Ending(
    tr_later("Please try again"),
    tr_later(
        "This page was open for too long, or your browser keeps no cookies for it. Open the link "
        "once more."
    ),
    403,
)
NO_STORE = Ending(
    tr_later("Please try again later"),
    tr_later("The service cannot reach what it keeps its links in. Nothing was lost."),
    503,
)

_AGAIN = tr_later("Go back, and ask for a new link if you want to try again.")

REASONS: Mapping[Reason, Ending] = MappingProxyType(
    {
        Reason.DENIED: Ending(
            tr_later("Not connected"),
            tr_later("It was refused, and nothing was kept. You can close this page."),
        ),
        Reason.OTHER_BROWSER: Ending(
            tr_later("Begun in another browser"),
            tr_later(
                "This came back in another browser than the one it was begun in, so it was "
                "stopped. If you did not begin it yourself, somebody has tried to have you finish "
                "it for them."
            ),
            403,
        ),
        Reason.WRONG_USER: Ending(
            tr_later("Made for another user"),
            tr_later(
                "Somebody else has begun this, so it was stopped and nothing was kept. Sign in as "
                "yourself, and ask for a new link."
            ),
            403,
        ),
        Reason.WRONG_ISSUER: Ending(
            tr_later("Stopped for your safety"),
            tr_later(
                "The answer came from another place than the one that was asked. Nothing was kept."
            ),
            403,
        ),
        Reason.PROVIDER_ERROR: Ending(tr_later("Refused by the provider"), _AGAIN, 502),
        Reason.PROVIDER_DOWN: Ending(
            tr_later("The provider cannot be reached"),
            tr_later("Nothing was connected. Ask for a new link in a while."),
            502,
        ),
        Reason.REFUSED: Ending(tr_later("Not accepted"), _AGAIN, 422),
        Reason.EXPIRED: Ending(tr_later("The time is over"), _AGAIN, 410),
        Reason.WITHDRAWN: Ending(
            tr_later("Not needed any more"),
            tr_later("It was taken back where it was asked. You can close this page."),
            410,
        ),
        Reason.UNKNOWN: Ending(tr_later("Not connected"), _AGAIN, 410),
    }
)
"""Each way in which a link ends without a grant."""
