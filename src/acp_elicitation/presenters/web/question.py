"""A question as a part of a page: who asks what, and how it is answered.

Owns: what every question opens with (UI-1, UI-6), and forms and permissions as a whole.
Knows nothing of: links (see `link`), the page around, and what becomes of an answer.
Above it: the web presenter. Below it: `form`, `link`, `buttons`, `client.prompts`, `text.html`.

What is posted is the `do` of a button:

- `submit`, `decline`, `cancel` for a form;
- `open`, `decline`, `cancel` for a link;
- `option-0`, `option-1` ... and `cancel` for a permission: see `chosen_option`;
- `decline-all` where several questions of the same agent wait.
"""

import re
import shlex
from typing import assert_never

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, PermissionPrompt, Prompt
from acp_elicitation.presenters.web.buttons import Answering, button
from acp_elicitation.presenters.web.form import draw_secrets, render_form
from acp_elicitation.presenters.web.link import draw_consent
from acp_elicitation.text.html import Attributes, Html, element, escape_line, join, place
from acp_elicitation.text.language import tr, tr_count

__all__ = ["chosen_option", "render_question"]

_OPTION = re.compile("option-([0-9]{1,4})")
_LONGEST_COMMAND = 1_000
_LONGEST_OPTION = 500
_LONG = 1_500
_MANY_LINES = 20


def render_question(
    prompt: Prompt,
    *,
    action: str,
    token: str,
    show_problems: bool = False,
    id: str = "question",
) -> Html:
    """Return the question as an `article`, with the forms that post to `action`.

    Each posts `token` as well, and its button's `do`, see above. `id` is that of the article, and
    begins all others in it: a page with several questions gives each its own, and `read_form`
    takes `f"{id}-"` as prefix. `show_problems` is as in `render_form`, and as slow.
    """
    answering = Answering(action=action, token=token, id=id, decline_all=_count_declined(prompt))
    opening, body = _draw(prompt, answering, show_problems=show_problems)
    attributes: Attributes = {
        "class": "question",
        "id": id,
        "aria-labelledby": f"{id}-asks",
        "data-question": action,
    }
    return element("article", attributes, _draw_asker(opening, prompt, id), body)


def _draw(prompt: Prompt, answering: Answering, *, show_problems: bool) -> tuple[str, Html]:
    """Return the opening words, with a place for who asks, and the rest of the question."""
    match prompt:
        case FormPrompt():
            asked = _draw_form(prompt, answering, show_problems=show_problems)
            return tr("Question from {}"), asked
        case LinkPrompt():
            asked = join(_draw_message(prompt.message), draw_consent(prompt, answering))
            return tr("Link from {}"), asked
        case PermissionPrompt():
            return tr("Permission request from {}"), _draw_permission(prompt, answering)
        case _ as never:
            assert_never(never)


def chosen_option(prompt: PermissionPrompt, do: str) -> str | None:
    """Return the id of the option whose button posted `do`; None where it is none of them."""
    found = _OPTION.fullmatch(do)
    options = prompt.request.options
    index = int(found[1]) if found else len(options)
    return options[index].option_id if index < len(options) else None


def _count_declined(prompt: Prompt) -> int:
    """Return how many questions "decline all" answers; 0 where it is not worth a button."""
    others = prompt.waiting_from_asker
    return others + 1 if prompt.decline_all is not None and others else 0


# --- who asks, and what -------------------------------------------------------------------------


def _draw_asker(opening: str, prompt: Prompt, id: str) -> Html:
    """Say who asks: the agent in its own words, and the command that started it (UI-1)."""
    name = element("bdi", {}, escape_line(prompt.asker.name))
    heading = element("h2", {"id": f"{id}-asks", "tabindex": -1}, place(opening, name))
    return element("header", {}, heading, _draw_command(prompt), _draw_waiting(prompt.waiting))


def _draw_command(prompt: Prompt) -> Html:
    if not prompt.asker.command:
        return Html()
    command = escape_line(shlex.join(prompt.asker.command), _LONGEST_COMMAND)
    code = element("code", {"dir": "ltr"}, command)
    return element("p", {"class": "command"}, place(tr("Started by the command: {}"), code))


def _draw_waiting(waiting: int) -> Html:
    words = tr_count(
        "{count} more question waits after this one.",
        "{count} more questions wait after this one.",
        waiting,
    )
    return element("p", {"class": "waiting", "role": "status"}, words if waiting else "")


def _draw_message(message: str) -> Html:
    """Return the message (UI-6); a long one scrolls, and can be scrolled by the keyboard."""
    is_long = len(message) > _LONG or message.count("\n") > _MANY_LINES
    attributes: Attributes = {
        "class": "message long" if is_long else "message",
        "dir": "auto",
        "tabindex": 0 if is_long else None,
    }
    return element("div", attributes, message)


# --- forms and permissions ----------------------------------------------------------------------


def _draw_form(prompt: FormPrompt, answering: Answering, *, show_problems: bool) -> Html:
    draft = prompt.draft
    prefix = f"{answering.id}-"
    questions = render_form(draft, prefix=prefix, show_problems=show_problems, secrets=())
    message = _draw_message(prompt.message)
    if draft.blocked:  # FWD-2: nobody can submit it
        return join(message, questions, answering.refuse(), _explain())
    yes = tr("Yes") if draft.is_confirmation else tr("Submit")
    submit = button("submit", yes, "primary")
    if not prompt.secrets:
        form = answering.form(questions, answering.controls(submit))
        return join(message, form, answering.refusal(), _explain())
    # FORM-5: declining is the easiest answer, and the questions come after it.
    form = answering.form(questions, element("div", {"class": "controls"}, submit))
    all_the_same = element(
        "details",
        {"class": "all-the-same", "open": show_problems},
        element("summary", {}, tr("Fill it in all the same")),
        form,
    )
    warnings = draw_secrets(draft, prompt.secrets)
    return join(message, warnings, answering.refuse(), _explain(), all_the_same)


def _draw_permission(prompt: PermissionPrompt, answering: Answering) -> Html:
    request = prompt.request
    about = {"class": "about", "dir": "auto"}
    title = element("p", {"class": "permission-title", "dir": "auto"}, request.title)
    more = element("p", about, request.description) if request.description else Html()
    options = [
        button(
            f"option-{index}",
            element("bdi", {}, escape_line(option.name, _LONGEST_OPTION)),
            _kind(option.kind),
        )
        for index, option in enumerate(request.options)
    ]
    asked = element("div", {"class": "message"}, title, more)
    controls = element("div", {"class": "controls"}, *options, answering.cancel())
    return join(asked, answering.form(controls), answering.refusal())


def _kind(kind: str) -> str:
    return "no" if kind.startswith("reject") else "plain"


def _explain() -> Html:
    how = tr(
        "Decline says no to the agent, Cancel only dismisses the question. Neither sends "
        "anything that you typed."
    )
    return element("p", {"class": "hint how"}, how)
