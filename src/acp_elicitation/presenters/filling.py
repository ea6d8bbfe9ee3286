"""A whole form in line mode: field after field, then the review, then what the user decides.

Owns: the way through a form, and the review with submit, change, decline and cancel (UI-3, UI-4).
Knows nothing of: how one field is asked for, and who asks the user. Above it: `plain`.
Below it: `fields`, `pairs`, `page`, `lines`, `forms.draft`.
"""

import asyncio
import re
from collections.abc import Callable, Collection
from typing import assert_never

from acp_elicitation.client.prompts import Reply
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.commands import DECLINE_ALL, read_word
from acp_elicitation.presenters.fields import FieldAsker, Move, judge
from acp_elicitation.presenters.lines import LineSource, Stop
from acp_elicitation.presenters.page import Page
from acp_elicitation.presenters.pairs import shown_answer
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import UnknownProperty
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.text.wording import word_label, word_problem

__all__ = ["FormFiller"]

_CHANGE = re.compile(r"(?:change\s+)?#?([0-9]{1,6})")


class FormFiller:
    """Takes one user through one form."""

    def __init__(
        self,
        draft: FormDraft,
        *,
        page: Page,
        lines: LineSource,
        decline_all: Callable[[], Reply] = Declined,
        before_deciding: Callable[[], None] = lambda: None,
        masked: Collection[str] = (),
    ) -> None:
        """Fill in `draft`.

        Args:
            draft: the form.
            page: where it is shown.
            lines: where its user types.
            decline_all: declines everything that the agent asks, and gives the reply to this.
            before_deciding: is called each time before the user is asked what to do with the form.
            masked: the fields in which what is typed is not shown.
        """
        self._masked = masked
        self._draft = draft
        self._page = page
        self._lines = lines
        self._decline_all = decline_all
        self._before_deciding = before_deciding
        self._asker = FieldAsker(draft, page=page, lines=lines, masked=masked)
        # FWD-2, FWD-3: what is of an unknown kind is never drawn as something known.
        self._fields = [field for field in draft.questions if field.kind != "unknown"]
        self._unknown = [field for field in draft.fields if field.kind == "unknown"]

    async def run(self) -> Reply:
        """Return what the user decided."""
        if self._draft.blocked:
            return await self._refuse()
        if self._draft.is_confirmation:
            return await self._confirm()
        self._introduce()
        index = 0
        while index < len(self._fields):
            match await self._ask(index):
                case Move.NEXT:
                    index += 1
                case Move.BACK:
                    index = max(index - 1, 0)
                case Move.REVIEW:
                    break
                case Move.DECLINE:
                    return Declined()
                case Move.DECLINE_ALL:
                    return self._decline_all()
                case Move.CANCEL:
                    return Cancelled()
                case _ as never:
                    assert_never(never)
        return await self._review()

    async def _ask(self, index: int) -> Move:
        return await self._asker.ask(self._fields[index], f"{index + 1}/{len(self._fields)}")

    async def _refuse(self) -> Reply:
        """Say why nobody can accept this form; it can be declined or cancelled (FWD-2)."""
        page = self._page
        page.tell(tr("This form cannot be filled in here:"))
        labels = {field.name: field.label for field in self._draft.fields}
        for problem in self._draft.blocked:
            page.tell("  ! ", labels.get(problem.property, problem.property), hang=4)
            page.tell("    ", word_problem(problem), hang=4)
        return await self._choose(tr("decline or cancel"), {"decline": Declined()})

    async def _confirm(self) -> Reply:
        words: dict[str, Reply] = {"yes": Accepted({}), "decline": Declined()}
        return await self._choose(tr("yes, decline or cancel"), words)

    async def _choose(self, question: str, words: dict[str, Reply]) -> Reply:
        self._before_deciding()
        while True:
            self._page.ask(f"{question}> ")
            line = await self._lines.read_line()
            if isinstance(line, Stop):
                return Cancelled()  # RES-1
            word = read_word(line)
            if word == "cancel":
                return Cancelled()
            if word == DECLINE_ALL:
                return self._decline_all()
            if word in words:
                return words[word]
            self._page.tell("  ! " + tr("Type one of the words: {words}.", words=question))

    def _introduce(self) -> None:
        page = self._page
        for field in self._unknown:
            page.tell_about(
                tr("Left out, since its kind is not known here: {}"), field.label, hang=2
            )
            assert isinstance(field.property, UnknownProperty)
        introduction = tr(
            "Enter alone keeps what stands in brackets. /help lists what else you can type:\n"
            "/decline says no to the agent, /cancel dismisses the question. Nothing is sent\n"
            "before you have reviewed and submitted it."
        )
        page.tell_paragraph(introduction)

    async def _review(self) -> Reply:
        while True:
            await self._show_all()
            decided = await self._decide()
            if not isinstance(decided, int):
                return decided
            match await self._ask(decided):
                case Move.DECLINE:
                    return Declined()
                case Move.DECLINE_ALL:
                    return self._decline_all()
                case Move.CANCEL:
                    return Cancelled()
                case Move.NEXT | Move.BACK | Move.REVIEW:
                    pass
                case _ as never:
                    assert_never(never)

    async def _show_all(self) -> None:
        self._page.tell()
        self._page.tell(tr("Review. This is what will be sent:"))
        for number, field in enumerate(self._fields, 1):
            self._show_value(number, field)
            for name in _names(field):
                for problem in await judge(self._draft, name):
                    self._page.tell("     ! ", word_problem(problem), hang=7)

    def _show_value(self, number: int, field: DraftField) -> None:
        page = self._page
        shown = shown_answer(self._draft, field, self._masked)
        label = word_label(field, self._draft)
        if shown is None:
            page.tell_about(tr("{}: (left empty)"), label, lead=f"  {number}. ", hang=5)
        elif shown == "":
            own = tr("{}: (nothing chosen)") if field.options else tr("{}: (an empty text)")
            page.tell_about(own, label, lead=f"  {number}. ", hang=5)
        elif "\n" in shown:
            page.tell(f"  {number}. ", label, own_end=":", hang=5)
            page.quote(shown)
        else:
            page.tell(f"  {number}. ", f"{label}: {shown}", hang=5)

    async def _decide(self) -> Reply | int:
        """Return the user's reply, or the index of the field to change."""
        self._before_deciding()
        while True:
            self._page.ask(tr("submit, change NUMBER, decline or cancel") + "> ")
            line = await self._lines.read_line()
            if isinstance(line, Stop):
                return Cancelled()  # RES-1
            match read_word(line):
                case "submit":
                    problems = await judge(self._draft)
                    if not problems:
                        return Accepted(await self._content())
                    index = self._index_of(problems[0].property)
                    self._refuse_to_submit(self._fields[index], problems[0])
                    return index
                case "decline":
                    return Declined()
                case word if word == DECLINE_ALL:
                    return self._decline_all()
                case "cancel":
                    return Cancelled()
                case word:
                    chosen = _index(word)
                    if chosen is not None and 0 <= chosen < len(self._fields):
                        return chosen
                    self._explain(word, chosen)

    def _refuse_to_submit(self, field: DraftField, problem: Problem) -> None:
        page = self._page
        label = word_label(field, self._draft)
        page.tell_about("  ! " + tr("Nothing is sent yet. Look at this first: {}"), label)
        page.tell("    ", word_problem(problem))

    def _explain(self, word: str, index: int | None) -> None:
        count = len(self._fields)
        if index is not None:
            how = tr_count(
                "There is no number {number}: there is only {count}.",
                "There is no number {number}: they go from 1 to {count}.",
                count,
                number=index + 1,
            )
        elif word.partition(" ")[0] == "change":
            how = tr("Type change and the number of what to change, such as change 1.")
        else:
            how = tr(
                "Type submit to send these values, change and a number to change one, "
                "decline to say no, cancel to dismiss the question."
            )
        self._page.tell("  ! " + how)

    async def _content(self) -> dict[str, object]:
        if self._draft.has_patterns:
            return await asyncio.to_thread(self._draft.content)
        return self._draft.content()

    def _index_of(self, name: str) -> int:
        return next(i for i, field in enumerate(self._fields) if name in _names(field))


def _names(field: DraftField) -> tuple[str, ...]:
    return (field.name,) if field.companion is None else (field.name, field.companion.name)


def _index(word: str) -> int | None:
    found = _CHANGE.fullmatch(word)
    return int(found[1]) - 1 if found else None
