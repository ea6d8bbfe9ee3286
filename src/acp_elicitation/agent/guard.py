"""What an agent may not put into a form: secrets (FORM-5, FORM-6), and URLs to click (FORM-7).

Owns: the refusal of a form that asks for a secret, and the warning about a URL.
Knows nothing of: what a secret is (see `forms.secrets`). Above it: `elicitor`. Below it: `forms`.

Most agents ask the same forms again and again, so what was found harmless is remembered.
"""

import logging
from collections.abc import Collection

from acp_elicitation.forms.secrets import find_secrets
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

    def check(self, message: str, form: FormSchema, reviewed: Collection[str] = ()) -> None:
        """Return when the form may be sent.

        A URL in it is only warned about, once (FORM-7): the client shows it as plain text.

        Raises:
            SecretInForm: it asks for a secret or holds one, by a property that is not `reviewed`.
        """
        key = (id(form), message, frozenset(reviewed))
        if key in self._harmless:
            return
        for finding in find_secrets(message, form, reviewed=reviewed):
            raise SecretInForm(property=finding.property, rule=finding.rule, where=finding.where)
        for url in find_urls(message, form):
            place = f"the {url.where} of property {url.property!r}" if url.property else url.where
            _log.warning("a form has a URL in %s; ask with a link instead (FORM-7)", place)
        if len(self._harmless) >= _MOST_FORMS:
            del self._harmless[next(iter(self._harmless))]
        self._harmless[key] = form
