"""The pages where signing in goes no further, and what to do then.

Owns: the sentences and the pages. Knows nothing of: requests, cookies, providers.
Above it: `oidc`. Below it: `pages`, `endings`, `text.html`.

No page says whom a link was made for, nor who has signed in.
"""

from collections.abc import Mapping
from types import MappingProxyType

from acp_elicitation.connect.endings import REASONS, Ending
from acp_elicitation.connect.pages import render_ending
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.text.html import Html, element
from acp_elicitation.text.language import tr, tr_later

__all__ = ["AS_OTHER", "NOT_BEGUN", "PROBLEMS", "render_other_user", "render_problem"]

AS_OTHER = "other"
"""What stands in the query of a link's page to sign in as somebody else."""

NOT_BEGUN = Ending(
    tr_later("Please sign in again"),
    tr_later(
        "Signing in was not begun in this browser, or took too long. Open the link once more. If "
        "you did not begin it yourself, somebody has tried to sign you in as another."
    ),
    403,
)

_OTHER_USER = Ending(
    tr_later("Made for another user"),
    tr_later(
        "You have signed in as somebody else than the user whom this link was made for. If it was "
        "made for you, sign in with the account that you use there. If somebody has sent it to "
        "you, close the page."
    ),
    403,
)

PROBLEMS: Mapping[Reason, Ending] = MappingProxyType(
    {
        Reason.DENIED: Ending(
            tr_later("Not signed in"), tr_later("Open the link once more to try again."), 403
        ),
        Reason.WRONG_ISSUER: REASONS[Reason.WRONG_ISSUER],
        Reason.PROVIDER_ERROR: Ending(
            tr_later("Signing in does not work"),
            tr_later("What you sign in with has refused. The log of the service says how."),
            502,
        ),
        Reason.PROVIDER_DOWN: Ending(
            tr_later("Please try again later"),
            tr_later("What you sign in with cannot be reached. Open the link again in a while."),
            502,
        ),
    }
)
"""What a provider's answer, or that there is none, comes to."""


def render_problem(base: str, problem: Ending) -> Html:
    """Return the page that says what went wrong. `base` is the path of the service."""
    return render_ending(base, problem)


def render_other_user(base: str, here: str) -> Html:
    """Return the page for who is not the user of the link at `here`, with the way to change."""
    change = element(
        "a",
        {"class": "button plain", "href": f"{here}?{AS_OTHER}"},
        tr("Sign in with another account"),
    )
    return render_ending(base, _OTHER_USER, element("div", {"class": "controls"}, change))
