"""One question of a form as HTML: its wording, what is expected, what is wrong, and the control.

Owns: the block of one question, and the controls that take typed text.
Knows nothing of: options (see `options`), other questions, and posted data (see `posted`).
Above it: `form`. Below it: `controls`, `options`, `text.html`, `text.wording`.

A script adds to a block and is never needed by it: `data-` attributes tell it what to do. No
control has `required`, `maxlength`, `pattern` or the like: a browser counts UTF-16 units and reads
patterns as its own, and the draft alone judges.
"""

from typing import assert_never

import msgspec

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.presenters.web.controls import (
    ControlNames,
    control_of,
    is_masked,
    stands_instead,
)
from acp_elicitation.presenters.web.options import Choosing, draw_choice, draw_yes_or_no, own_label
from acp_elicitation.protocol.schema import StringProperty
from acp_elicitation.text.html import Attributes, Html, element, escape_line, exactly, join, place
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import visible
from acp_elicitation.text.wording import word_constraints, word_label, word_problem

__all__ = ["FieldDrawer", "draw_label"]

_LONGEST_LABEL = 500


def draw_label(text: str) -> Html:
    """Return the agent's wording of a label, in a direction of its own; never nothing."""
    label = escape_line(text, _LONGEST_LABEL)
    return element("bdi", {}, label if label.strip() else tr("(without a name)"))


class FieldDrawer:
    """Draws the questions of one draft as they stand."""

    def __init__(self, draft: FormDraft, names: ControlNames, *, show_problems: bool) -> None:
        self._draft = draft
        self._names = names
        self._show_problems = show_problems

    def draw(self, field: DraftField, number: int) -> Html:
        """Return the block of one question, its companion included; `number` counts from 1."""
        title = join(self._place(number), self._title(field))
        match field.kind:
            case "text" | "number" | "integer":
                return self._block(field, title, self._draw_typed(field))
            case "boolean":
                asked = draw_yes_or_no(self._draft, field, self._choosing(field))
                return self._group(field, title, asked)
            case "select" | "multi-select":
                return self._group(field, title, self._draw_choice(field))
            case "unknown":  # FWD-2: never as a known control
                left_out = tr("Left out, since its kind is not known here: {}")
                note = place(left_out, draw_label(field.label))
                return element("p", {"class": "unknown"}, note)
            case _ as never:
                assert_never(never)

    # --- blocks ---------------------------------------------------------------------------------

    def _block(self, field: DraftField, title: Html, control: Html) -> Html:
        """Return a label over its control."""
        name = self._names.of(field)
        label = element("label", {"class": "label", "for": name}, title)
        return element(
            "div", {"class": "field", "data-field": name}, label, self._wording(field), control
        )

    def _group(self, field: DraftField, title: Html, control: Html) -> Html:
        """Return a legend over a group of radio buttons or checkboxes."""
        one_of = field.kind != "multi-select"
        attributes: Attributes = {
            "class": "field",
            "data-field": self._names.of(field),
            "role": "radiogroup" if one_of else None,
            "aria-required": "true" if one_of and field.required else None,
            "aria-invalid": "true" if one_of and self._sentences(field) else None,
            "aria-describedby": self._described_by(field),
        }
        legend = element("legend", {"class": "label"}, title)
        return element("fieldset", attributes, legend, self._wording(field), control)

    def _place(self, number: int) -> Html:
        """Return which of several questions this is: the list of problems names them so."""
        count = len(self._draft.questions)
        if count == 1:
            return Html()
        return join(element("span", {"class": "number"}, f"{number}/{count}"), " ")

    def _title(self, field: DraftField) -> Html:
        own = tr("{} (required)") if field.required else tr("{} (optional)")
        return place(own, draw_label(word_label(field, self._draft)))

    def _wording(self, field: DraftField) -> Html:
        """Return what stands between the label and the control, each with the id it goes by."""
        name = self._names.of(field)
        about = _description(field)
        parts = [
            element("p", {"class": "about", "id": f"{name}-about", "dir": "auto"}, about)
            if about
            else Html(),
            self._hint(field, name),
            self._problems(field, name),
        ]
        return join(*parts)

    def _hint(self, field: DraftField, name: str) -> Html:
        expected = self._expected(field)
        hints = [place(tr("Expected: {}"), element("bdi", {}, expected))] if expected else []
        if (offered := self._offer(field)) is not None:
            hints.append(offered)
        if (unseen := self._unseen(field)) is not None:
            hints.append(unseen)
        if not hints:
            return Html()
        return element("p", {"class": "hint", "id": f"{name}-hint"}, join(*hints, by=Html("<br>")))

    def _expected(self, field: DraftField) -> str:
        """Return the limits in words, without what the control itself says."""
        member = field.property
        if field.kind == "boolean":
            return ""
        if isinstance(member, StringProperty) and control_of(self._draft, field) == "date":
            member = msgspec.structs.replace(member, format=None)  # a calendar has a way of its own
        return word_constraints(member)

    def _offer(self, field: DraftField) -> Html | None:
        """Return what the agent suggested, where something else stands by now (FORM-4)."""
        draft = self._draft
        if not field.has_default or is_masked(field) or not field.default_text.strip():
            return None
        is_there = (
            set(draft.chosen(field.name)) == set(field.default_chosen)
            if field.options
            else draft.text(field.name) == field.default_text
        )
        if is_there:
            return None
        return place(tr("The agent suggested: {}"), draw_label(field.default_text))

    def _unseen(self, field: DraftField) -> Html | None:
        """Return a text as it is read where parts of it cannot be seen in its control (UI-4)."""
        text = self._draft.text(field.name)
        if field.options or is_masked(field) or visible(text) == _plain(text):
            return None
        shown = escape_line(text, _LONGEST_LABEL)
        return place(tr("It has characters that cannot be seen: {}"), element("bdi", {}, shown))

    def _problems(self, field: DraftField, name: str) -> Html:
        """Return where problems are told, now or by the script; they are read out as they come."""
        told = [element("p", {}, sentence) for sentence in self._sentences(field)]
        return element(
            "div", {"class": "problems", "id": f"{name}-problems", "aria-live": "polite"}, *told
        )

    def _sentences(self, field: DraftField) -> list[str]:
        if not self._show_problems:
            return []
        return [word_problem(problem) for problem in self._draft.problems(field.name)]

    def _described_by(self, field: DraftField) -> str:
        name = self._names.of(field)
        about = [f"{name}-about"] if _description(field) else []
        hint = [f"{name}-hint"] if self._hint(field, name) else []
        return " ".join([*about, *hint, f"{name}-problems"])

    # --- controls -------------------------------------------------------------------------------

    def _draw_typed(self, field: DraftField, labelled_by: str | None = None) -> Html:
        name = self._names.of(field)
        control = control_of(self._draft, field)
        text = self._draft.text(field.name)
        shared: Attributes = {
            "id": name,
            "name": name,
            "aria-labelledby": labelled_by,
            "aria-describedby": self._described_by(field),
            "aria-required": "true" if field.required else None,
            "aria-invalid": "true" if self._sentences(field) else None,
            "dir": "auto" if field.kind == "text" and control != "date" else None,
        }
        match control:
            case "lines":  # the parser drops one line feed after the start tag
                area = element("textarea", {**shared, "rows": 2}, Html("\n"), exactly(text))
                return join(area, self._count(field))
            case "date":
                return element("input", {"type": "date", **shared, "value": text})
            case "masked":
                attributes = {"type": "password", **shared, "autocomplete": "off", "value": text}
                return join(element("input", attributes), self._count(field))
            case "line":
                attributes = {"type": "text", **_keyboard(field), **shared, "value": text}
                return join(element("input", attributes), self._count(field))
            case _ as never:
                assert_never(never)

    def _count(self, field: DraftField) -> Html:
        """Return the place for a count of code points, which only a script can keep."""
        member = field.property
        if not isinstance(member, StringProperty) or member.max_length is None:
            return Html()
        attributes: Attributes = {
            "class": "count",
            "hidden": True,
            "data-count": self._names.of(field),
            "data-most": member.max_length,
            "data-words": tr("Characters: {count} of {most}"),
        }
        return element("p", attributes)

    def _draw_choice(self, field: DraftField) -> Html:
        companion = field.companion
        choosing = self._choosing(field)
        if companion is None:
            return draw_choice(self._draft, field, choosing)
        name = self._names.of(companion)
        if stands_instead(field):
            own = self._draw_typed(companion, own_label(choosing.name))
            parts = join(self._wording(companion), own)
            block = element("div", {"class": "own", "data-own": name}, parts)
            label = draw_label(companion.label)
            return draw_choice(self._draft, field, choosing, label=label, own=block)
        own = self._draw_typed(companion)
        title = element("label", {"class": "label", "for": name}, self._title(companion))
        block = element("div", {"class": "own"}, title, self._wording(companion), own)
        return join(draw_choice(self._draft, field, choosing), block)

    def _choosing(self, field: DraftField) -> Choosing:
        return Choosing(name=self._names.of(field), is_invalid=bool(self._sentences(field)))


def _description(field: DraftField) -> str:
    """Return the description, unless it only says the label once more."""
    about = field.description or ""
    return about if about.strip() and about.strip() != field.label.strip() else ""


def _plain(text: str) -> str:
    """Return `text` as it is visible where there is nothing in it that cannot be seen."""
    return text.replace("\r\n", "\n").replace("\t", "    ")


def _keyboard(field: DraftField) -> Attributes:
    """Return which keys a telephone should offer, and what a browser may fill in when asked."""
    match field.kind, getattr(field.property, "format", None):
        case "integer" | "number", _:
            return {"inputmode": "decimal", "autocomplete": "off"}
        case "text", "email":
            return {"inputmode": "email", "autocomplete": "email"}
        case "text", "uri":
            return {"inputmode": "url", "autocomplete": "off"}
        case _:
            return {"autocomplete": "off"}
