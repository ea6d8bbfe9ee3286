"""The ways to answer a question in a page: its forms, and their buttons.

Owns: that saying no is a form of its own (UI-3): declining and cancelling post nothing that was
typed (UI-2), and Enter in a text never declines.
Knows nothing of: what is asked. Above it: `question`, `link`. Below it: `text.html`.
"""

import msgspec

from acp_elicitation.text.html import Attributes, Html, element, join
from acp_elicitation.text.language import tr

__all__ = ["Answering", "button"]


def button(do: str, label: str, kind: str, *, form: str | None = None) -> Html:
    """Return a button that posts `do`; the agent's text in a label is put there as `Html`."""
    attributes: Attributes = {
        "type": "submit",
        "class": f"button {kind}",
        "name": "do",
        "value": do,
        "form": form,
        "formnovalidate": form is not None,
    }
    return element("button", attributes, label)


class Answering(msgspec.Struct, frozen=True, kw_only=True):
    """How one question is answered: where to, and with which token."""

    action: str
    token: str
    id: str
    """Of the question's element; the ids of its forms begin with it."""
    decline_all: int = 0
    """How many questions can be declined at once; 0 for no such button."""

    def form(self, *children: Html, new_tab: bool = False) -> Html:
        """Return the form that says yes."""
        attributes: Attributes = {
            "class": "yes",
            "id": f"{self.id}-yes",
            "method": "post",
            "action": self.action,
            "autocomplete": "off",  # what was typed is kept by the draft, not by the browser
            "target": "_blank" if new_tab else None,
            "rel": "noopener noreferrer" if new_tab else None,
        }
        return element("form", attributes, self._token(), *children)

    def refusal(self) -> Html:
        """Return the form that says no; its buttons may stand anywhere in the page.

        It stands beside the form that says yes: within that, a browser would drop it.
        """
        attributes: Attributes = {
            "class": "no",
            "id": self._no,
            "method": "post",
            "action": self.action,
        }
        return element("form", attributes, self._token())

    def controls(self, yes: Html, *, yes_last: bool = False) -> Html:
        """Return the row of all buttons; the page needs `refusal` as well, outside of any form."""
        buttons = [*self._noes(), yes] if yes_last else [yes, *self._noes()]
        return element("div", {"class": "controls"}, *buttons)

    def refuse(self) -> Html:
        """Return the buttons that say no, and their form, for a question without any yes here."""
        noes = element("div", {"class": "controls"}, *self._noes("primary"))
        return join(noes, self.refusal())

    def cancel(self) -> Html:
        """Return the button that dismisses the question."""
        return button("cancel", tr("Cancel"), "quiet", form=self._no)

    @property
    def _no(self) -> str:
        return f"{self.id}-no"

    def _noes(self, kind: str = "plain") -> list[Html]:
        decline = button("decline", tr("Decline"), kind, form=self._no)
        if not self.decline_all:
            return [decline, self.cancel()]
        words = tr("Decline all {count} questions from this agent", count=self.decline_all)
        return [decline, self.cancel(), button("decline-all", words, "quiet", form=self._no)]

    def _token(self) -> Html:
        return element("input", {"type": "hidden", "name": "token", "value": self.token})
