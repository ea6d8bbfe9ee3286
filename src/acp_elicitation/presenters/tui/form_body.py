"""A form on the screen: its fields, then the review, then Submit.

Owns: the way through a form: editing, what is still wrong, the review (UI-4), and that nothing is
sent before Submit. Knows nothing of: the frame around it, and what may be entered (the draft does).
Above it: `screen`. Below it: `field_view`, `judging`, `forms.draft`.
"""

import asyncio
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.pairs import shown_answer
from acp_elicitation.presenters.tui.body import Body, Control
from acp_elicitation.presenters.tui.editors import Editor
from acp_elicitation.presenters.tui.field_view import FieldView
from acp_elicitation.presenters.tui.judging import Judging
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.text.terminal import one_line, visible
from acp_elicitation.text.warnings import word_finding
from acp_elicitation.text.wording import word_problem

__all__ = ["FormBody"]


class FormBody(Body):
    """The fields of one form, or the review of them."""

    def __init__(self, prompt: FormPrompt) -> None:
        super().__init__(id="form")
        self._prompt = prompt
        self._draft = prompt.draft
        self._judging = Judging(self._draft, self._show_problems)
        self._views: dict[str, FieldView] = {}
        self._reviewing = False
        self._is_edited = False

    @property
    def opening(self) -> str:
        """Own words for what is asked."""
        return tr("Question from {}")

    @property
    def message(self) -> str:
        """What the agent wants to know (UI-6)."""
        return self._prompt.message

    # --- drawing --------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Draw the form."""
        schema, draft = self._prompt.request.schema, self._draft
        if schema.title:
            yield Static(visible(schema.title), markup=False, classes="title")
        if schema.description:
            yield Static(visible(schema.description), markup=False, classes="description")
        for finding in self._prompt.secrets:
            if finding.property not in schema.properties:
                yield Static(f"! {word_finding(finding)}", markup=False, classes="warning")
        if draft.blocked:
            yield Static(self._why_blocked(), markup=False, classes="warning", id="blocked")
            return
        with Vertical(id="fields"):
            for field in draft.fields:
                if field.kind == "unknown":
                    left_out = tr("Left out, since its kind is not known here: {}")
                    text = left_out.replace("{}", one_line(field.label))
                    yield Static(text, markup=False, classes="hint")
            for field in draft.questions:
                if field.kind != "unknown":
                    yield self._view(field)
            yield Static("", markup=False, classes="warning", id="summary")
        yield Vertical(id="review")

    def _view(self, field: DraftField) -> FieldView:
        names = {field.name} | ({field.companion.name} if field.companion else set())
        findings = [found for found in self._prompt.secrets if found.property in names]
        view = FieldView(
            self._draft,
            field,
            warnings=[word_finding(found) for found in findings],
            hidden=any(found.rule == "marked" for found in findings),
        )
        self._views.update(dict.fromkeys(names, view))
        return view

    def _why_blocked(self) -> str:
        labels = {field.name: field.label for field in self._draft.fields}
        lines = [tr("This form cannot be filled in here:")]
        for problem in self._draft.blocked:
            label = one_line(labels.get(problem.property, problem.property))
            lines.append(f"! {label}: {word_problem(problem)}")
        return "\n".join(lines)

    def on_mount(self) -> None:
        """Show what is wrong with the defaults from the start."""
        for node in ("#summary", "#review"):
            for widget in self.query(node):
                widget.display = False
        for view in self._views.values():
            view.show_problems(view.field.name, [])
        if not self._draft.has_patterns:
            for field in self._draft.fields:
                if field.has_default and field.name in self._views:
                    self._show_problems(field.name, self._draft.problems(field.name))

    def on_unmount(self) -> None:
        """Judge nothing more."""
        self._judging.stop()

    # --- controls -------------------------------------------------------------------------------

    def controls(self) -> Sequence[Control]:
        """Return the controls of editing or of the review."""
        if self._draft.blocked:
            return ()
        if self._draft.is_confirmation:
            return (Control("submit", tr("Yes"), is_main=True),)
        if self._reviewing:
            send = Control("submit", tr("Submit"), is_main=True)
            return send, Control("change", tr("Change"))
        if self._is_short:
            return (Control("submit", tr("Submit"), is_main=True),)
        return (Control("review", tr("Review"), is_main=True),)

    @property
    def _is_short(self) -> bool:
        """Whether the form is its own review: one field, seen whole beside the control."""
        return len(self._draft.questions) == 1

    def focus_first(self) -> bool:
        """Put the focus into the first field; not where the form asks for a secret (FORM-5)."""
        if self._reviewing:
            self.screen.query_one("#do-submit").focus()
            return True
        if self._prompt.secrets or not self._views:
            return False
        # The question begins with who asks, and what.
        next(iter(self._views.values())).begin(scroll=False)
        return True

    async def press(self, id: str) -> None:
        """Review, go back to editing, or send."""
        match id:
            case "change":
                self._edit_again()
            case "review" | "submit":
                problems = await self._judging.settled()
                if problems:
                    self._point_at(problems)
                elif id == "review":
                    await self._review()
                else:
                    await self._submit()

    @property
    def is_touched(self) -> bool:
        """Whether the user has entered anything."""
        return self._is_edited

    def step_back(self) -> bool:
        """Go back from the review."""
        was_reviewing = self._reviewing
        self._edit_again()
        return was_reviewing

    async def _submit(self) -> None:
        draft = self._draft
        try:
            content = (
                await asyncio.to_thread(draft.content) if draft.has_patterns else draft.content()
            )
        except InvalidAnswer as error:  # the limit of a pattern was met this time only
            self._point_at([p for p in error.problems if isinstance(p, Problem)])
        else:
            self.post_message(self.Answered(Accepted(content)))

    # --- editing --------------------------------------------------------------------------------

    def on_editor_edited(self, event: Editor.Edited) -> None:
        """Put it into the draft, and tell what is wrong with it (FORM-2)."""
        event.stop()
        self._is_edited = True
        self._judging.edit(event.name, event.change)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the next field or control."""
        event.stop()
        self.screen.focus_next()

    def _show_problems(self, name: str, problems: list[Problem]) -> None:
        view = self._views.get(name)
        if view is not None:
            view.show_problems(name, problems)

    def _point_at(self, problems: list[Problem]) -> None:
        """Show every problem, and put the focus into the first field that has one."""
        self._edit_again()
        by_name: dict[str, list[Problem]] = {}
        for problem in problems:
            by_name.setdefault(problem.property, []).append(problem)
        for name in self._views:
            self._show_problems(name, by_name.get(name, []))
        summary = self.query_one("#summary", Static)
        summary.update(
            tr_count(
                "! {count} answer is missing or does not fit yet.",
                "! {count} answers are missing or do not fit yet.",
                len(by_name),
            )
        )
        summary.display = True
        first = next((self._views[name] for name in by_name if name in self._views), None)
        if first is not None:
            first.begin()

    # --- the review -----------------------------------------------------------------------------

    async def _review(self) -> None:
        """Show what will be sent, and nothing else (UI-4)."""
        review = self.query_one("#review", Vertical)
        await review.remove_children()
        heading = tr("Review. This is what will be sent:")
        lines = [Static(heading, markup=False, classes="title")]
        lines += [
            Static(self._shown(field), markup=False, classes="reviewed")
            for field in self._draft.questions
            if field.kind != "unknown"
        ]
        await review.mount(*lines)
        self._reviewing = True
        self.query_one("#fields").display = False
        review.display = True
        self.post_message(self.ControlsChanged())

    def _edit_again(self) -> None:
        if self._reviewing:
            self._reviewing = False
            self.query_one("#review").display = False
            self.query_one("#fields").display = True
            self.post_message(self.ControlsChanged())

    def _shown(self, field: DraftField) -> Content:
        shown = shown_answer(self._draft, field)
        label = (one_line(field.label), "bold")
        if shown is None:
            own = tr("{}: (left empty)")
        elif shown == "":
            own = tr("{}: (nothing chosen)") if field.options else tr("{}: (an empty text)")
        else:
            return Content.assemble(label, ": ", visible(shown))
        before, _, after = own.partition("{}")
        return Content.assemble(before, label, (after, "dim"))
