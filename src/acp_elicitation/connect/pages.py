"""The pages of the connect service, as HTML: the question, the way out, and how it ended.

Owns: what stands on each page. Knows nothing of: requests, stores, users.
Above it: `service`, `coming_back`. Below it: `presenters.web.shell`, `endings`, `text.html`.

What the agent says is shown as text within a frame, and is never markup nor clickable (FORM-8).
"""

from urllib.parse import urlsplit

import msgspec

from acp_elicitation.connect.details import LinkDetails
from acp_elicitation.connect.endings import Ending
from acp_elicitation.connect.providers import Callback, OAuthProvider, Provider, SecretEntry
from acp_elicitation.presenters.web.shell import render_plain_page
from acp_elicitation.text.html import Attributes, Html, element, escape, escape_line, join, place
from acp_elicitation.text.language import current_language, tr

__all__ = ["Asked", "render_asked", "render_departure", "render_ending"]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One connect page. `base` is the path of the service, `here` that of the link."""

    base: str
    here: str
    token: str
    details: LinkDetails
    provider: Provider
    problem: str = ""


def render_asked(asked: Asked) -> Html:
    """Return the connect page: who asks, what for, what happens next, and the two answers."""
    title = asked.provider.shown
    heading = place(tr("Connect {}"), element("bdi", {}, escape_line(title)))
    return _page(
        tr("Connect an account"),
        asked.base,
        element("h2", {"tabindex": -1}, heading),
        _draw_asker(asked),
        _draw_scopes(asked.details.scopes),
        element("p", {"class": "about"}, _what_happens(asked.provider)),
        element(
            "p",
            {"class": "caution"},
            tr(
                "Go on only if you have asked for this yourself, just now. If somebody has sent "
                "you this link, close the page."
            ),
        ),
        _draw_answers(asked),
    )


def _draw_asker(asked: Asked) -> Html:
    agent = asked.details.agent
    who = element("bdi", {}, element("strong", {}, escape_line(agent, 200) if agent else "?"))
    opening = place(tr("{} asks for this, and says what for:"), who)
    purpose = asked.details.purpose.strip()
    if not purpose:
        return element("p", {"class": "lead"}, place(tr("{} asks for this."), who))
    return join(
        element("p", {"class": "lead"}, opening),
        element("div", {"class": "message", "dir": "auto"}, escape(purpose)),
    )


def _draw_scopes(scopes: tuple[str, ...]) -> Html:
    if not scopes:
        return Html()
    rows = [element("li", {}, element("code", {"dir": "ltr"}, escape_line(s))) for s in scopes]
    return join(
        element("p", {"class": "lead"}, tr("It asks to be allowed:")),
        element("ul", {"class": "scopes"}, *rows),
    )


def _what_happens(provider: Provider) -> str:
    match provider:
        case OAuthProvider():
            return tr(
                "You choose the account, and allow or refuse, on the provider's own page. What it "
                "then gives out is kept encrypted here and never shown to the agent's model or "
                "your editor."
            )
        case SecretEntry():
            return tr(
                "What you type is kept encrypted here and never shown to the agent's model or "
                "your editor."
            )
        case Callback():
            return tr("You finish this on another page, and are told there how to go back.")


def _draw_answers(asked: Asked) -> Html:
    token = element("input", {"type": "hidden", "name": "token", "value": asked.token})
    yes = element("button", {"type": "submit", "class": "button primary"}, tr("Continue"))
    no = element(
        "button",
        {"type": "submit", "class": "button plain", "form": "refuse"},
        tr("Do not connect"),
    )
    field = _draw_secret(asked) if isinstance(asked.provider, SecretEntry) else Html()
    to: Attributes = {"method": "post", "autocomplete": "off"}
    return join(
        element(
            "form",
            {**to, "action": f"{asked.here}/begin"},
            token,
            field,
            element("div", {"class": "controls"}, yes, no),
        ),
        # A form of its own: what was typed is not posted with a refusal.
        element("form", {**to, "id": "refuse", "action": f"{asked.here}/refuse"}, token),
    )


def _draw_secret(asked: Asked) -> Html:
    provider = asked.provider
    assert isinstance(provider, SecretEntry)
    label = element("label", {"class": "label", "for": "secret"}, provider.label or provider.shown)
    problem = element("p", {"id": "wrong"}, asked.problem)
    said = element("div", {"class": "problems", "role": "alert"}, problem) if asked.problem else ""
    entered = element(
        "input",
        {
            "id": "secret",
            "name": "secret",
            "type": "password",
            "class": "text",
            "autocomplete": "off",
            "spellcheck": "false",
            "autocapitalize": "none",
            "required": True,
            "aria-invalid": "true" if asked.problem else None,
            "aria-describedby": "wrong" if asked.problem else None,
        },
    )
    hint = element("p", {"class": "hint"}, provider.hint) if provider.hint else Html()
    return element("div", {"class": "field"}, label, hint, entered, said or Html())


def render_departure(base: str, provider: Provider, url: str) -> Html:
    """Return the page that leads on to `url`, which is the provider's and not the agent's.

    A redirect would do as well, but for the browsers that hold it against `form-action`.
    """
    host = urlsplit(url).netloc
    shown = element("code", {"dir": "ltr"}, escape_line(host))
    link = element(
        "a",
        {"class": "button primary", "id": "onward", "href": url, "referrerpolicy": "no-referrer"},
        tr("Go on"),
    )
    return _page(
        tr("Connect an account"),
        base,
        element("h2", {"tabindex": -1}, escape_line(provider.shown)),
        element("p", {"class": "lead"}, place(tr("Taking you to {}."), shown)),
        element("div", {"class": "controls"}, link),
        go_to=url,
    )


def render_ending(base: str, ending: Ending, *more: Html) -> Html:
    """Return how it ended, and `more` below that. Nothing of the link is on it."""
    return _page(
        tr(ending.heading),
        base,
        element("h2", {"tabindex": -1}, tr(ending.heading)),
        element("p", {"role": "status"}, tr(ending.advice)),
        *more,
    )


def _page(title: str, base: str, *parts: Html, go_to: str | None = None) -> Html:
    main = element("article", {"class": "question"}, *parts)
    return render_plain_page(title, main, base=base, language=current_language(), go_to=go_to)
