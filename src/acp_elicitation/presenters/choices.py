"""Choices in line mode: how options are listed, and which of them a typed text means.

Owns: when options go by numbers, and that no text is ever guessed to mean one of several.
Knows nothing of: drafts and reading lines. Above it: `fields`, `plain`. Below it: `page`,
`protocol.schema`.

An option goes by its number, its value or its title. Where a value or a title could be taken for
the number of another option ("2" as the first choice), the list has no numbers at all.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from acp_elicitation.presenters.page import Page
from acp_elicitation.protocol.schema import Option
from acp_elicitation.text.language import tr, tr_count

__all__ = ["Choices", "split_list"]

_LISTED_AT_ONCE = 30
_FOUND_AT_MOST = 20
_COMMAS = re.compile("[,\uff0c\u3001]")
_GAPS = re.compile(r"[\s;\uff1b/+&]+")


class Choices:
    """The options of one question."""

    def __init__(self, options: Sequence[Option]) -> None:
        self._options = options
        numbers = {str(number): option for number, option in enumerate(options, 1)}
        self.numbered = all(
            numbers.get(name.strip(), option) is option
            for option in options
            for name in (option.value, option.title or "")
        )
        self._numbers = numbers if self.numbered else {}
        titles = Counter(_title(option) for option in options)
        self._shared = frozenset(title for title, count in titles.items() if count > 1)

    @property
    def how(self) -> str:
        """What to type for one of them."""
        return tr("its number or name") if self.numbered else tr("its name as listed")

    def show(self, page: Page, *, everything: bool = False) -> None:
        """List the options; of many, the first ones and how to find the rest."""
        count = len(self._options)
        if everything or count <= _LISTED_AT_ONCE:
            self._list(page, self._options)
            return
        self._list(page, self._options[:_FOUND_AT_MOST])
        page.tell("  " + _word_more(count - _FOUND_AT_MOST))
        page.tell("  " + tr("Type a part of a name to search them, /list to see them all."))

    def find(self, text: str) -> list[Option]:
        """Return the options that `text` names: one, none, or several that it could mean."""
        text = text.strip()
        if text in self._numbers:
            return [self._numbers[text]]
        exact = [o for o in self._options if text in (o.value.strip(), _title(o))]
        if exact:
            return exact
        folded = text.casefold()
        return [
            option
            for option in self._options
            if folded in (option.value.strip().casefold(), _title(option).casefold())
        ]

    def find_several(self, text: str) -> list[Option] | str:
        """Return the options named in `text` with commas between, or the part that names none.

        A part that could mean several options names none of them.
        """
        whole = self.find(text)
        if len(whole) == 1:
            return whole
        chosen: list[Option] = []
        for part in split_list(text):
            found = self.find(part)
            if len(found) != 1:
                return part
            chosen += found
        return chosen

    def lacks_commas(self, text: str) -> bool:
        """Whether `text` names several options with something else than commas between them."""
        parts = _GAPS.split(text.strip())
        if len(parts) < 2 or len(self.find(text)) == 1:
            return False
        return all(len(self.find(part)) == 1 for part in parts)

    def explain_commas(self, page: Page, text: str) -> bool:
        """Say how several options are typed, where `text` names them otherwise."""
        if not self.lacks_commas(text):
            return False
        typed = ", ".join(_GAPS.split(text.strip()))
        page.tell_about("  ! " + tr("Put commas between them: {}"), typed, hang=4)
        return True

    def may_be_slip(self, text: str) -> bool:
        """Whether `text` looks like the number of an option, of one that is not there perhaps."""
        return self.numbered and text.strip().isdigit()

    def explain(self, page: Page, text: str) -> None:
        """Say why `text` was not taken, and list what it may have meant."""
        several = self.find(text)
        folded = text.strip().casefold()
        alike = several or [
            option
            for option in self._options
            if folded and (folded in option.value.casefold() or folded in _title(option).casefold())
        ]
        if several:
            page.tell("  ! " + tr("More than one choice reads like that:"))
        elif alike:
            page.tell("  ! " + tr("None of the choices reads exactly like that. These contain it:"))
        else:
            page.tell("  ! " + tr("Choose from the list: this is none of the choices."))
        self._list(page, alike[:_FOUND_AT_MOST])
        if len(alike) > _FOUND_AT_MOST:
            page.tell("  " + _word_more(len(alike) - _FOUND_AT_MOST))

    def _list(self, page: Page, options: Iterable[Option]) -> None:
        listed = {id(option) for option in options}
        width = len(str(len(self._options)))
        for number, option in enumerate(self._options, 1):
            if id(option) in listed:
                lead = f"  {number:>{width}}) " if self.numbered else "  - "
                page.tell(lead, self._describe(option), hang=len(lead))

    def _describe(self, option: Option) -> str:
        title = _title(option)
        named = title
        if title in self._shared or (not self.numbered and title != option.value.strip()):
            named = f"{title} ({option.value})"
        if option.description and option.description.strip() != title:
            return f"{named} - {option.description}"
        return named


def split_list(text: str) -> list[str]:
    """Return what stands between the commas, those of Chinese too, without what is empty."""
    return [part for part in _COMMAS.split(text) if part.strip()]


def _word_more(count: int) -> str:
    return tr_count("... and {count} more.", "... and {count} more.", count)


def _title(option: Option) -> str:
    return (option.title or option.value).strip()
