"""One field of a form in line mode: what is shown of it, and what the user's lines do to it.

Owns: asking for one field until it holds what the user wants and the form allows.
Knows nothing of: the other fields, the review, and what may be entered (the draft judges that).
Above it: `filling`. Below it: `choices`, `pairs`, `commands`, `page`, `lines`, `forms.draft`.
"""

import asyncio
import enum
import re
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from typing import assert_never

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.choices import Choices
from acp_elicitation.presenters.commands import (
    Command,
    is_near_command,
    read_entry,
    why_unusable,
)
from acp_elicitation.presenters.field_lines import FieldView
from acp_elicitation.presenters.lines import Line, LineSource, Stop
from acp_elicitation.presenters.page import Page
from acp_elicitation.presenters.pairs import (
    Typed,
    read_typed,
    waits_for_more,
)
from acp_elicitation.text.language import tr
from acp_elicitation.text.wording import word_problem

__all__ = ["FieldAsker", "Move", "judge", "read_block"]

_BLOCK = re.compile(r'"{3,}')


class Move(enum.Enum):
    """Where the user goes from a field."""

    NEXT = "next"
    BACK = "back"
    REVIEW = "review"
    DECLINE = "decline"
    DECLINE_ALL = "decline all"
    CANCEL = "cancel"


async def judge(draft: FormDraft, name: str | None = None) -> list[Problem]:
    """Return the problems of a field, or of the form; a costly pattern holds nobody up (FORM-9)."""
    if draft.has_patterns:
        return await asyncio.to_thread(draft.problems, name)
    return draft.problems(name)


async def read_block(lines: LineSource, fence: str) -> Line:
    """Return the lines up to the next one that is `fence`, as one text."""
    block: list[str] = []
    while True:
        line = await lines.read_line()
        if isinstance(line, Stop):
            return line
        if line.strip() == fence:
            return "\n".join(block)
        block.append(line)


class FieldAsker:
    """Asks for the fields of one draft."""

    def __init__(
        self,
        draft: FormDraft,
        *,
        page: Page,
        lines: LineSource,
        masked: Collection[str] = (),
    ) -> None:
        """Ask on `page`; what is typed into the fields in `masked` is not shown."""
        self._draft = draft
        self._page = page
        self._lines = lines
        self._masked = masked
        self._view = FieldView(draft, page=page, masked=masked)

    async def ask(self, field: DraftField, place: str) -> Move:
        """Show a field (`place` is its number among all) and read what the user does with it."""
        choices = Choices(field.options)
        self._view.show(field, choices, place)
        while True:
            self._view.prompt(field)
            with self._hiding(field):
                line = await self._lines.read_line()
            if isinstance(line, Stop):
                return Move.CANCEL  # RES-1
            entry = read_entry(line)
            if isinstance(entry, Command):
                before = self._snapshot(field) if entry is Command.CLEAR else None
                move = self._act(entry, field, choices)
                if move is Move.NEXT and not await self._is_fine(field, before):
                    move = None
                    if before is not None and self._draft.is_set(field.name):
                        self._page.tell("    " + tr("What stood here stays."))
            else:
                move = await self._take(entry, field, choices)
            if move is not None:
                return move

    def _hiding(self, field: DraftField) -> AbstractContextManager[None]:
        return self._lines.hidden() if field.name in self._masked else nullcontext()

    def _act(self, command: Command, field: DraftField, choices: Choices) -> Move | None:
        match command:
            case Command.DECLINE:
                return Move.DECLINE
            case Command.DECLINE_ALL:
                return Move.DECLINE_ALL
            case Command.CANCEL:
                return Move.CANCEL
            case Command.BACK:
                return Move.BACK
            case Command.REVIEW:
                return Move.REVIEW
            case Command.CLEAR:
                self._clear(field)
                return Move.NEXT
            case Command.DEFAULT:
                for half in _halves(field):
                    self._draft.reset(half.name)
                return Move.NEXT
            case Command.LIST:
                choices.show(self._page, everything=True)
                return None
            case Command.HELP:
                self._view.help(field)
                return None
            case _ as never:
                assert_never(never)

    def _clear(self, field: DraftField) -> None:
        if field.companion is not None:
            self._draft.clear(field.companion.name)
        match field.kind:
            case "text":
                self._draft.enter(field.name, "")  # "" is an answer where the form allows it
            case "multi-select":
                self._draft.choose(field.name, ())  # so is an empty list
            case _:
                self._draft.clear(field.name)

    async def _take(self, text: str, field: DraftField, choices: Choices) -> Move | None:
        if not text.strip() and (text == "" or field.kind != "text"):
            return Move.NEXT if await self._keep(field) else None
        if (why := why_unusable(text)) is not None:
            refusal = tr("That line was not taken: {why}. Type it again.", why=why)
            self._page.tell("  ! " + refusal)
            return None
        if field.companion is not None:
            return await self._take_for_pair(text, field, field.companion, choices)
        before = self._snapshot(field)
        match field.kind:
            case "text":
                if _BLOCK.fullmatch(text.strip()):
                    return await self._take_block(text.strip(), field)
                self._draft.enter(field.name, text)
                if is_near_command(text):
                    self._page.tell(
                        "  " + tr("Taken as text: it is none of the commands, see /help.")
                    )
            case "select":
                found = choices.find(text)
                if len(found) != 1:
                    choices.explain(self._page, text)
                    return None
                self._draft.choose(field.name, (found[0].value,))
            case "multi-select":
                if not self._choose_several(text, field, choices):
                    return None
            case "number" | "integer" | "boolean" | "unknown":
                self._draft.enter(field.name, text)
            case _ as never:
                assert_never(never)
        return Move.NEXT if await self._is_fine(field, before) else None

    def _choose_several(self, text: str, field: DraftField, choices: Choices) -> bool:
        several = choices.find_several(text)
        if isinstance(several, str):
            if not choices.explain_commas(self._page, text):
                choices.explain(self._page, several)
            return False
        self._draft.choose(field.name, [option.value for option in several])
        return True

    async def _take_for_pair(
        self, text: str, field: DraftField, companion: DraftField, choices: Choices
    ) -> Move | None:
        if _BLOCK.fullmatch(text.strip()):
            block = await self._read_block(text.strip())
            if not isinstance(block, str):
                return block
            typed = Typed(own=block)
        else:
            read = read_typed(field, choices, text)
            if isinstance(read, str):
                if not choices.explain_commas(self._page, read):
                    choices.explain(self._page, read)
                how = tr(
                    'To enter it as a text of your own, put """ on the lines before and after it.'
                )
                self._page.tell("    " + how, hang=4)
                return None
            typed = read
        before = self._snapshot(field)
        self._draft.answer(field.name, typed.values, typed.own)
        unfit = await judge(self._draft, companion.name)
        if typed.own and not unfit:
            own = tr("Taken as a text of your own: {}")
            self._page.tell_about(own, companion.label, lead="  ", hang=4)
        # A choice that is still missing leaves the text where it is.
        spoilt = unfit or typed.values is not None
        if not await self._is_fine(field, before if spoilt else None):
            return None
        if waits_for_more(self._draft, field):
            self._page.tell("  " + tr("Enter alone goes on."))
            return None
        return Move.NEXT

    async def _take_block(self, fence: str, field: DraftField) -> Move | None:
        before = self._snapshot(field)
        block = await self._read_block(fence)
        if not isinstance(block, str):
            return block
        self._draft.enter(field.name, block)
        return Move.NEXT if await self._is_fine(field, before) else None

    async def _read_block(self, fence: str) -> str | Move | None:
        how = tr("Now the lines, and {fence} on a line of its own to end them.", fence=fence)
        self._page.tell("  " + how)
        self._page.flush()
        block = await read_block(self._lines, fence)
        if isinstance(block, Stop):
            return Move.CANCEL
        if (why := why_unusable(block.replace("\n", ""))) is not None:
            refusal = tr("Those lines were not taken: {why}. Type them again.", why=why)
            self._page.tell("  ! " + refusal)
            return None
        return block

    async def _keep(self, field: DraftField) -> bool:
        """Keep what stands in the field; of a text where nothing stands, the empty text."""
        if field.kind == "text" and not self._draft.is_set(field.name):
            self._draft.enter(field.name, "")
        return await self._is_fine(field)

    async def _is_fine(self, field: DraftField, before: "_Snapshot | None" = None) -> bool:
        """Say what is wrong with the field, if anything is, and put `before` back."""
        problems = [p for half in _halves(field) for p in await judge(self._draft, half.name)]
        for problem in problems:
            self._page.tell("  ! ", word_problem(problem), hang=4)
        if problems and before is not None:
            self._restore(before)
        return not problems

    def _snapshot(self, field: DraftField) -> "_Snapshot":
        draft = self._draft
        return [
            (half, draft.is_set(half.name), draft.text(half.name), draft.chosen(half.name))
            for half in _halves(field)
        ]

    def _restore(self, before: "_Snapshot") -> None:
        for half, was_set, text, chosen in before:
            if not was_set:
                self._draft.clear(half.name)
            elif half.options:
                self._draft.choose(half.name, chosen)
            else:
                self._draft.enter(half.name, text)


def _halves(field: DraftField) -> list[DraftField]:
    """Return the field, and its companion where it has one."""
    return [field] if field.companion is None else [field, field.companion]


_Snapshot = list[tuple[DraftField, bool, str, tuple[str, ...]]]
