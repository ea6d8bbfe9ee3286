"""What an agent may not put into a form: secrets (FORM-5, FORM-6), URLs to click (FORM-7), and what
no client can show.

Owns: when a form is judged, what is remembered of it, and the warning about a URL.
Knows nothing of: what a secret is (see `forms.secrets`), and what cannot be shown (see
`forms.own`). Above it: `elicitor`. Below it: `asking`, `forms`.

Most agents ask the same forms again and again, so what was found harmless is remembered.
"""

import asyncio
import logging
from collections.abc import Collection

from acp_elicitation.agent.asking import check_message
from acp_elicitation.forms.check import Check
from acp_elicitation.forms.own import check_own_form
from acp_elicitation.forms.secrets import find_secrets, takes_long
from acp_elicitation.forms.urls import find_urls
from acp_elicitation.protocol.errors import SecretInForm
from acp_elicitation.protocol.schema import FormSchema

__all__ = ["Guard"]

_MOST_FORMS = 64

_log = logging.getLogger(__name__)


class Guard:
    """Judges the forms of one connection before they are sent."""

    def __init__(self) -> None:
        # By identity: a described type has one form. The form is kept, so that its id is not
        # given to another one.
        self._harmless: dict[tuple[int, str, frozenset[str]], FormSchema] = {}

    async def check(self, message: str, check: Check, reviewed: Collection[str] = ()) -> None:
        """Return when `message` and the form of `check` may be sent.

        A URL in it is only warned about, once (FORM-7): the client shows it as plain text.

        Raises:
            InvalidQuestion: no client could show it, or no user answer it (FWD-5, FORM-9).
            SecretInForm: it asks for a secret or holds one, by a property that is not `reviewed`.
        """
        form = check.schema
        key = (id(form), message, frozenset(reviewed))
        if key in self._harmless:
            return
        check_message(message)
        if check.has_patterns or takes_long(message, form):
            # A pattern may take its whole time limit, and a form that a bridge hands on may be of
            # any length: not on the event loop (FORM-9).
            await asyncio.to_thread(_judge, message, check, reviewed)
        else:
            _judge(message, check, reviewed)
        for url in find_urls(message, form):
            place = f"the {url.where} of property {url.property!r}" if url.property else url.where
            _log.warning("a form has a URL in %s; ask with a link instead (FORM-7)", place)
        if len(self._harmless) >= _MOST_FORMS:
            del self._harmless[next(iter(self._harmless))]
        self._harmless[key] = form


def _judge(message: str, check: Check, reviewed: Collection[str]) -> None:
    check_own_form(check)
    for finding in find_secrets(message, check.schema, reviewed=reviewed):
        raise SecretInForm(property=finding.property, rule=finding.rule, where=finding.where)
