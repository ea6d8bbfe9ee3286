"""Choices as HTML: radio buttons, checkboxes, and what makes a long list of them usable.

Owns: how options are listed, and what is chosen before anybody chose: only what the draft holds.
Knows nothing of: labels, problems, and typed text. Above it: `fields`. Below it: `controls`,
`forms.draft`, `text.html`.

An option is posted by its place in the list, since its value may be any text. A list of many is
searched by a script; without one it scrolls, and every option can be reached.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.parse import NO, YES
from acp_elicitation.presenters.web.controls import NOT_ANSWERED, OWN_TEXT
from acp_elicitation.protocol.schema import Option
from acp_elicitation.text.html import Attributes, Html, element, escape_line, join, place
from acp_elicitation.text.language import tr, tr_count

__all__ = ["Choosing", "draw_choice", "draw_yes_or_no", "own_label"]

_LISTED_AT_ONCE = 10
_LONGEST_TITLE = 500


class Choosing(msgspec.Struct, frozen=True, kw_only=True):
    """What the controls of one choice have in common."""

    name: str
    is_invalid: bool


def draw_yes_or_no(draft: FormDraft, field: DraftField, choosing: Choosing) -> Html:
    """Return the answers to a yes-or-no question; nothing is chosen but what the draft holds."""
    stands = draft.shown_value(field.name)
    answers = [
        _draw_option(choosing, "yes", tr("Yes"), is_chosen=stands == YES),
        _draw_option(choosing, "no", tr("No"), is_chosen=stands == NO),
    ]
    if not field.required:
        answers.append(_draw_none(choosing, is_chosen=not draft.is_set(field.name)))
    return element("div", {"class": "options few"}, *answers)


def draw_choice(
    draft: FormDraft,
    field: DraftField,
    choosing: Choosing,
    *,
    label: Html | None = None,
    own: Html | None = None,
) -> Html:
    """Return the options of a choice, and a last one for a text of one's own, which `label` names.

    `own` is the control of that text.
    """
    chosen = draft.chosen(field.name)
    several = field.kind == "multi-select"
    if not several and len(chosen) > 1:
        chosen = ()  # a page cannot show it, and the draft takes it for a mistake
    rows = list(_draw_options(field, choosing, frozenset(chosen)))
    more = []
    instead = label is not None and own is not None and field.companion is not None
    own_stands = instead and _own_stands(draft, field) and not chosen
    if label is not None and own is not None:
        row = _draw_option(choosing, OWN_TEXT, label, is_chosen=own_stands)
        more.append(element("div", {"class": "instead"}, row, own))
    if not several and not field.required:
        more.append(_draw_none(choosing, is_chosen=not chosen and not own_stands))
    return join(_listed(choosing, rows), *more)


def own_label(name: str) -> str:
    """Return the id of the label of the choice called `name` that a text of one's own has."""
    return f"{name}-{OWN_TEXT}-label"


def _own_stands(draft: FormDraft, field: DraftField) -> bool:
    return field.companion is not None and draft.text(field.companion.name) != ""


def _listed(choosing: Choosing, rows: list[Html]) -> Html:
    if len(rows) <= _LISTED_AT_ONCE:
        return element("div", {"class": "options"}, *rows)
    search = f"{choosing.name}-search"
    words = tr_count("Search {count} choice", "Search {count} choices", len(rows))
    tools = element(
        "div",
        {"class": "search", "hidden": True, "data-search": choosing.name},
        element("label", {"for": search}, words),
        element("input", {"type": "search", "id": search, "autocomplete": "off"}),
        element("p", {"role": "status", "data-words": tr("{count} of {all} match")}),
    )
    box = {"class": "options many", "id": f"{choosing.name}-list"}
    return join(tools, element("div", box, *rows))


def _draw_options(field: DraftField, choosing: Choosing, chosen: frozenset[str]) -> Iterator[Html]:
    shared = _shared_titles(field.options)
    box = "checkbox" if field.kind == "multi-select" else "radio"
    for index, option in enumerate(field.options):
        yield _draw_option(
            choosing,
            str(index),
            _draw_title(option, shared),
            box=box,
            is_chosen=option.value in chosen,
            about=_about(option),
        )


def _draw_option(
    choosing: Choosing,
    value: str,
    title: str,
    *,
    is_chosen: bool,
    about: str = "",
    box: str = "radio",
) -> Html:
    first = value in ("0", "yes")  # where a link from the list of problems leads
    id = choosing.name if first else f"{choosing.name}-{value or 'none'}"
    attributes: Attributes = {
        "type": box,
        "id": id,
        "name": choosing.name,
        "value": value,
        "checked": is_chosen,
        "aria-invalid": "true" if choosing.is_invalid and box == "checkbox" else None,
        "aria-describedby": f"{id}-about" if about else None,
    }
    label = element("label", {"for": id, "id": f"{id}-label"}, title)
    more = {"class": "about", "id": f"{id}-about", "dir": "auto"}
    return element(
        "div",
        {"class": "option"},
        element("input", attributes),
        label,
        element("p", more, about) if about else Html(),
    )


def _draw_none(choosing: Choosing, *, is_chosen: bool) -> Html:
    row = _draw_option(choosing, NOT_ANSWERED, tr("Not answered"), is_chosen=is_chosen)
    return element("div", {"class": "none"}, row)


def _draw_title(option: Option, shared: frozenset[str]) -> Html:
    name = _title(option)
    title = element("bdi", {}, escape_line(name, _LONGEST_TITLE))
    if not name:
        return element("bdi", {"class": "empty"}, tr("(an empty text)"))
    if name not in shared or name == option.value.strip():
        return title
    value = element("code", {}, element("bdi", {}, escape_line(option.value, _LONGEST_TITLE)))
    return place(tr("{} ({})"), title, value)


def _shared_titles(options: tuple[Option, ...]) -> frozenset[str]:
    counted = Counter(map(_title, options))
    return frozenset(title for title, count in counted.items() if count > 1)


def _title(option: Option) -> str:
    return (option.title or "").strip() or option.value.strip()


def _about(option: Option) -> str:
    """Return the description, unless it only says the title once more."""
    about = option.description or ""
    return about if about.strip() != _title(option) else ""
