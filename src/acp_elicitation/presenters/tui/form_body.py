"""A form on a full screen: its fields, what is wrong, and the review of what will be sent.

Owns: `FormBody`: the order of these steps, and where the focus goes. Knows nothing of: who asks,
the ways out, how one field looks, and what may be entered (the draft judges that).
Above it: `screen`. Below it: `field_view`, `review`, `judging`, `body`.

A form of one question is submitted at once: it stands on the screen as it will be sent. One of
several is reviewed first (UI-4).
"""

import asyncio
from collections.abc import Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.tui.body import MAIN_KEY, Body, Control
from acp_elicitation.presenters.tui.entering import GoOn
from acp_elicitation.presenters.tui.field_view import FieldView
from acp_elicitation.presenters.tui.judging import Judge
from acp_elicitation.presenters.tui.jumps import Jump
from acp_elicitation.presenters.tui.review import Review
from acp_elicitation.presenters.tui.said import Quote, Words, said, said_line, told
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.text.terminal import one_line
from acp_elicitation.text.warnings import word_finding
from acp_elicitation.text.wording import word_label, word_problem

__all__ = ["FormBody"]

_ENOUGH = 3
"""Lines of a list, or of the review, that are enough to begin with."""


class FormBody(Body):
    """The fields of one form."""

    def __init__(self, prompt: FormPrompt) -> None:
        """Draw the draft of `prompt`."""
        super().__init__()
        self._prompt = prompt
        self._draft = prompt.draft
        self._judge = Judge(self._draft)
        self._masked = {finding.property for finding in prompt.secrets}
        self._views = [
            FieldView(
                field,
                self._judge,
                label=word_label(field, self._draft),
                masked=self._masked,
            )
            for field in self._draft.questions
            if field.kind != "unknown" and not self._draft.blocked
        ]
        self._at_first = self._snapshot()
        self._is_reviewing = False
        self._is_busy = False
        self._listing = asyncio.Lock()

    @property
    def opening(self) -> str:
        """Own words for what is asked."""
        return tr("Question from {}")

    @property
    def message(self) -> str:
        """What the agent wants to know."""
        return self._prompt.message

    @property
    def is_touched(self) -> bool:
        """Whether anything stands here that did not from the start."""
        return self._judge.is_behind or self._snapshot() != self._at_first

    def compose(self) -> ComposeResult:
        """Build what the agent says about the form, the warnings, and the fields."""
        schema = self._prompt.request.schema
        if schema.title or schema.description:
            with Vertical(classes="introduction"):
                yield Quote(schema.title or "", classes="title")
                yield Quote(schema.description or "")
        with Vertical(classes="warnings"):
            yield from (Words(said(words)) for words in dict.fromkeys(self._warnings()))
        yield Vertical(classes="summary")
        yield Vertical(*self._views, *self._left_out(), classes="fields")

    def controls(self) -> Sequence[Control]:
        """Return the ways on."""
        if self._draft.blocked:
            return ()
        is_main = not self._prompt.secrets  # FORM-5: declining is the way on
        if self._draft.is_confirmation:
            return (Control("submit", tr("Yes"), is_main=is_main),)
        if len(self._views) > 1 and not self._is_reviewing:
            return (Control("review", tr("Review"), is_main=is_main, key=MAIN_KEY),)
        submit = Control("submit", tr("Submit"), is_main=is_main, key=MAIN_KEY)
        return (submit, Control("change", tr("Change"))) if self._is_reviewing else (submit,)

    async def press(self, id: str) -> None:
        """Go the way on that `id` names."""
        if id == "change":
            await self._change()
        elif not self._is_busy:
            self._is_busy = True
            self.run_worker(self._go_on(id))

    def focus_first(self) -> bool:
        """Put the focus on the first field; a warning comes first, and Decline with it."""
        if self._prompt.secrets or self._draft.blocked:
            return False
        if self._views and self._begins_in_view(self._views[0].first):
            self._views[0].focus_first()
        else:  # what is asked is read first: the keys scroll it
            self.query_ancestor("#question", Widget).focus()
        return True

    def step_back(self) -> bool:
        """Go back from the review."""
        if self._is_reviewing:
            self.run_worker(self._change())
            return True
        return False

    @on(GoOn)
    def _focus_next(self, event: GoOn) -> None:
        event.stop()
        self.screen.focus_next()

    @on(FieldView.Edited)
    async def _note(self, event: FieldView.Edited) -> None:
        event.stop()
        self.post_message(self.Edited())
        if self.query(".summary > *"):
            await self._summarize(await self._judge.problems())

    @on(Jump.Chosen)
    async def _jump(self, event: Jump.Chosen) -> None:
        event.stop()
        await self._change(event.name)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Bring the whole field into view, with what it asks and what is wrong."""
        for view in self._views:
            if view in event.widget.ancestors:
                self.call_after_refresh(view.scroll_visible, animate=False)

    async def _go_on(self, id: str) -> None:
        try:
            content = await self._judge.content()
            if isinstance(content, list):
                await self._point_out(content)
            elif id == "submit":
                self.post_message(self.Answered(Accepted(content)))
            else:
                await self._review()
        finally:
            self._is_busy = False

    async def _point_out(self, problems: Sequence[Problem]) -> None:
        """Tell what is wrong, list it where it is more than one thing, and go to the first."""
        for view in self._views:
            view.tell()
        await self._summarize(problems if len(problems) > 1 else ())
        await self._change(problems[0].property)

    async def _summarize(self, problems: Sequence[Problem]) -> None:
        async with self._listing:
            await self._list_again(problems)

    async def _list_again(self, problems: Sequence[Problem]) -> None:
        summary = self.query_one(".summary")
        await summary.remove_children()
        summary.display = bool(problems)
        if not problems:
            return
        words = tr_count(
            "{count} answer needs a change:", "{count} answers need a change:", len(problems)
        )
        await summary.mount(Words(words, classes="heading"), *map(self._jump_to, problems))

    def _jump_to(self, problem: Problem) -> Jump:
        field = self._draft.field(problem.property)
        label = said_line(word_label(field, self._draft)).stylize("bold")
        sentence = Content.assemble("! ", label, ": ", said(word_problem(problem)))
        return Jump(sentence, problem.property)

    async def _review(self) -> None:
        self._is_reviewing = True
        await self._summarize(())
        self.query_one(".fields").display = False
        review = Review(self._draft, self._masked)
        await self.mount(review)
        self.call_after_refresh(self._show_begin, review)
        self.post_message(self.ControlsChanged("submit"))

    async def _change(self, name: str | None = None) -> None:
        """Go from the review back to the fields, to the one with this name."""
        if self._is_reviewing:
            self._is_reviewing = False
            await self.query(Review).remove()
            self.query_one(".fields").display = True
            self.post_message(self.ControlsChanged())
        view = next((view for view in self._views if name in view.names), self._views[0])
        self.call_after_refresh(view.focus_first)

    def _begins_in_view(self, widget: Widget) -> bool:
        """Whether enough of a widget can be seen, as the question is scrolled now."""
        in_view = self.query_ancestor("#question", Widget).region
        begin = widget.region
        return in_view.y <= begin.y and begin.y + min(begin.height, _ENOUGH) <= in_view.bottom

    def _show_begin(self, review: Review) -> None:
        """Scroll to where the review begins, unless that can be seen together with the message."""
        if not self._begins_in_view(review):
            review.scroll_visible(animate=False, top=True)

    def _snapshot(self) -> list[tuple[str, tuple[str, ...]]]:
        draft = self._draft
        return [(draft.text(field.name), draft.chosen(field.name)) for field in draft.fields]

    def _left_out(self) -> list[Words]:
        own = tr("Left out, since its kind is not known here: {}")
        unknown = [field for field in self._draft.fields if field.kind == "unknown"]
        return [Words(told(own, field.label), classes="left-out") for field in unknown]

    def _warnings(self) -> list[str]:
        labels = {field.name: one_line(field.label) for field in self._draft.fields}
        warnings = []
        for finding in self._prompt.secrets:  # FORM-5
            label = f"{labels[finding.property]}: " if finding.property in labels else ""
            warnings.append(f"! {label}{word_finding(finding)}")
        if self._draft.blocked:  # FWD-2
            warnings.append(tr("This form cannot be filled in here:"))
        for problem in self._draft.blocked:
            label = labels.get(problem.property, one_line(problem.property))
            warnings.append(f"! {label}: {word_problem(problem)}")
        return warnings
