"""A form as HTML, for this project's pages and for those of any other host.

Owns: what stands around the questions: why a form cannot be filled in, its title, warnings of
secrets, and the list of problems with links to the questions within the page.
Knows nothing of: who asks, the message, buttons, and how a page is served. The `<form>` itself is
the host's. Above it: `question`, any web host. Below it: `fields`, `controls`, `text.html`.

Everything works without a script and without a style sheet. All of the agent's text is text:
nothing of it is markup, nothing can be clicked (FORM-8).
"""

from collections.abc import Sequence

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.problem import Problem
from acp_elicitation.forms.secrets import SecretFinding, find_secrets
from acp_elicitation.presenters.web.controls import ControlNames
from acp_elicitation.presenters.web.fields import FieldDrawer, draw_label
from acp_elicitation.text.html import Attributes, Html, element, join, place
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.text.terminal import visible
from acp_elicitation.text.warnings import word_finding
from acp_elicitation.text.wording import word_label, word_problem

__all__ = ["draw_secrets", "form_problems", "render_form"]


def render_form(
    draft: FormDraft,
    *,
    prefix: str = "",
    show_problems: bool = False,
    secrets: Sequence[SecretFinding] | None = None,
) -> Html:
    """Return the questions of `draft` as they stand, to be put into a `<form>` of the host's.

    The host posts the form and passes what came to `read_form`. Names and ids begin with `prefix`;
    two forms in one page need different ones. `show_problems` shows what is wrong (FORM-2), with a
    list on top; that may take a moment where `draft.has_patterns` (FORM-9), so do it off the event
    loop. `secrets` are what to warn of (FORM-5); None looks for them in the form itself, which
    leaves out its message: pass `prompt.secrets` where there is a prompt, or () where the host has
    warned already.

    A form that nobody can answer (`draft.blocked`, FWD-2) shows why, and no controls: offer
    declining and cancelling only. Raises ValueError for a prefix that cannot begin an id.
    """
    names = ControlNames(draft, prefix)
    if draft.blocked:
        return _draw_blocked(draft)
    found = find_secrets("", draft.schema) if secrets is None else secrets
    drawer = FieldDrawer(draft, names, show_problems=show_problems)
    mark: Attributes = {"type": "hidden", "name": names.form, "value": len(draft.fields)}
    return join(
        _draw_problems(draft, names) if show_problems else Html(),
        draw_secrets(draft, found),
        _draw_opening(draft),
        *(drawer.draw(field, number) for number, field in enumerate(draft.questions, 1)),
        element("input", mark),
    )


def form_problems(draft: FormDraft, *, prefix: str = "") -> dict[str, list[str]]:
    """Return what is wrong, as sentences to show as text, by the names of the page's controls.

    What is fine has no entry. It may take a moment where `draft.has_patterns` (FORM-9).
    """
    names = ControlNames(draft, prefix)
    found: dict[str, list[str]] = {}
    for field in draft.fields:
        sentences = [_sentence(problem) for problem in draft.problems(field.name)]
        if sentences:
            found[names.of(field)] = sentences
    return found


def draw_secrets(draft: FormDraft, secrets: Sequence[SecretFinding]) -> Html:
    """Return the warnings of a form that asks for a secret (FORM-5); empty without any."""
    if not secrets:
        return Html()
    named = {finding.property for finding in secrets if finding.rule != "marked"}
    told = [
        _draw_secret(draft, finding)
        for finding in secrets
        if finding.rule != "marked" or finding.property not in named
    ]
    warnings = [element("li", {}, warning) for warning in dict.fromkeys(told)]  # each once
    return element("ul", {"class": "warnings"}, *warnings)


def _draw_secret(draft: FormDraft, finding: SecretFinding) -> Html:
    if finding.property not in draft.schema.properties:
        return join(word_finding(finding))
    label = draw_label(draft.field(finding.property).label)
    return place(tr("{}: {}"), label, word_finding(finding))


def _draw_opening(draft: FormDraft) -> Html:
    schema = draft.schema
    title = {"class": "form-title", "dir": "auto"}
    about = {"class": "about", "dir": "auto"}
    return join(
        element("p", title, schema.title) if schema.title else Html(),
        element("p", about, schema.description) if schema.description else Html(),
    )


def _draw_blocked(draft: FormDraft) -> Html:
    labels = {field.name: field.label for field in draft.fields}
    reasons = [
        element(
            "li",
            {},
            place(
                tr("{}: {}"),
                draw_label(labels.get(problem.property, problem.property)),
                word_problem(problem),
            ),
        )
        for problem in draft.blocked
    ]
    lead = element("p", {}, tr("This form cannot be filled in here:"))
    return element("div", {"class": "blocked"}, lead, element("ul", {}, *reasons))


def _draw_problems(draft: FormDraft, names: ControlNames) -> Html:
    """Return the list of problems, which takes the focus so that it is read first."""
    problems = draft.problems()
    if not problems:
        return Html()
    title = tr_count(
        "Nothing was sent: {count} answer needs another look.",
        "Nothing was sent: {count} answers need another look.",
        len({problem.property for problem in problems}),
    )
    heading = f"{names.summary}-title"
    attributes: Attributes = {
        "class": "summary",
        "id": names.summary,
        "role": "alert",
        "tabindex": -1,
        "autofocus": True,
        "aria-labelledby": heading,
    }
    items = [element("li", {}, _draw_problem(draft, names, problem)) for problem in problems]
    lead = element("p", {"class": "summary-title", "id": heading}, title)
    return element("div", attributes, lead, element("ul", {}, *items))


def _draw_problem(draft: FormDraft, names: ControlNames, problem: Problem) -> Html:
    """Return one problem; the agent's label is never what is clicked on (FORM-8)."""
    field = draft.field(problem.property)
    asked = [question.name for question in draft.questions]
    number = asked.index(field.companion_of or field.name) + 1
    link = element("a", {"href": f"#{names.of(field)}"}, tr("Question {number}", number=number))
    label = draw_label(word_label(field, draft))
    return place(tr("{}, {}: {}"), link, label, _sentence(problem))


def _sentence(problem: Problem) -> str:
    return visible(word_problem(problem), newlines=False)
