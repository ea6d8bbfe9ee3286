"""Links as HTML: the address with its owner marked, what is odd about it, consent, and waiting.

Owns: how an address is drawn (UI-5, URL-10, URL-12), the question for consent, and what is shown
while the outside part goes on (URL-8). Knows nothing of: how a link is judged, and when an answer
comes. Above it: `question`, the web presenter. Below it: `buttons`, `links.report`, `text.html`.

Before the consent the address is text, which no browser opens, follows or looks up ahead. After
it, it stands in one place that can be clicked, always in a new tab that knows nothing of ours.
"""

import json

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.web.buttons import Answering, button
from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.html import Attributes, Html, element, escape, join, place
from acp_elicitation.text.language import tr
from acp_elicitation.text.links import word_warning

__all__ = ["draw_address", "draw_consent", "draw_elapsed", "render_departure", "render_waiting"]


def draw_consent(prompt: LinkPrompt, answering: Answering) -> Html:
    """Return the address, its host, the warnings, and the buttons (UI-5).

    Where there are warnings, agreeing is the last of the buttons and looks like no invitation. The
    consent is posted in a new tab, for what it answers with: see `render_departure`.
    """
    report = prompt.report
    warnings = [element("li", {}, word_warning(warning)) for warning in report.warnings]
    opening = button("open", tr("Agree and open"), "plain" if warnings else "primary")
    return join(
        element("p", {"class": "lead"}, tr("It asks you to open this address:")),
        draw_address(prompt.url, prompt.host, report.registrable_domain),
        _draw_host(prompt),
        element("ul", {"class": "warnings"}, *warnings) if warnings else Html(),
        answering.form(answering.controls(opening, yes_last=bool(warnings)), new_tab=True),
        answering.refusal(),
    )


def draw_address(url: str, host: str, domain: str | None) -> Html:
    """Return the whole address as text, with the part marked that somebody registered (URL-12).

    Where that part is unknown the host is marked. The address is never cut.
    """
    start = url.find("://") + len("://")
    end = start + len(host)
    if url[start:end].casefold() != host.casefold():
        marked = escape(url, newlines=False)
    else:
        is_within = domain is not None and host.endswith(domain)
        begin = end - len(domain) if is_within and domain is not None else start
        marked = join(
            escape(url[:begin], newlines=False),
            element("strong", {}, escape(url[begin:end], newlines=False)),
            escape(url[end:], newlines=False),
        )
    return element("p", {"class": "address", "dir": "ltr"}, element("code", {}, marked))


def _draw_host(prompt: LinkPrompt) -> Html:
    """Return the host in ASCII, which is what counts, in Unicode, and who it belongs to."""
    report = prompt.report
    rows = [_row(tr("A page of the host:"), _code(prompt.host))]
    if report.host_unicode not in (None, prompt.host):
        rows.append(_row(tr("The host in its own letters:"), _code(report.host_unicode or "")))
    if report.registrable_domain not in (None, prompt.host):
        owner = element("strong", {}, _code(report.registrable_domain or ""))
        rows.append(element("p", {}, place(tr("It belongs to {}."), owner)))
    return element("div", {"class": "host"}, *rows)


def _row(words: str, shown: Html) -> Html:
    return element("p", {}, words, " ", shown)


def _code(text: str) -> Html:
    return element("bdi", {}, element("code", {"dir": "ltr"}, escape(text, newlines=False)))


def render_departure(prompt: LinkPrompt) -> Html:
    """Return what the new tab shows that a consent was posted in: the way to the address.

    Only for a question that the user has just agreed to. Pass the same prompt to `render_page` as
    `go_to`, and the tab goes there by itself.
    """
    own = element("p", {"class": "lead"}, tr("Opening this address:"))
    address = draw_address(prompt.url, prompt.host, prompt.report.registrable_domain)
    return element("article", {"class": "question"}, own, address, _way_out(prompt, tr("Open")))


def render_waiting(
    prompt: LinkPrompt, *, action: str, token: str, elapsed: float, id: str = "waiting"
) -> Html:
    """Return what stands in the page while a link is open that was agreed to (URL-8).

    `elapsed` is in seconds. Its button posts `do=done`, and `token`, to `action`. The address can
    be opened again, without asking the server. Once `prompt.completed` is set, it says so.
    """
    answering = Answering(action=action, token=token, id=id)
    heading = element("h2", {"id": f"{id}-asks", "tabindex": -1}, _waiting_words(prompt))
    attributes: Attributes = {
        "class": "question waiting-link",
        "id": id,
        "aria-labelledby": f"{id}-asks",
        "data-question": f"{action}#{prompt.request.elicitation_id}",  # each link is another one
    }
    address = draw_address(prompt.url, prompt.host, prompt.report.registrable_domain)
    done = button("done", tr("Done waiting"), "plain")
    controls = element("div", {"class": "controls"}, _way_out(prompt, tr("Open again")), done)
    since = Html() if prompt.completed.is_set() else _draw_since(elapsed)
    return element(
        "article", attributes, element("header", {}, heading), since, address,
        answering.form(controls),
    )  # fmt: skip


def _waiting_words(prompt: LinkPrompt) -> str:
    if prompt.completed.is_set():
        return tr("The agent says that the link is complete.")
    return tr("Waiting for the agent to say that the link is complete")


def _draw_since(elapsed: float) -> Html:
    return element("p", {"class": "elapsed"}, place(tr("For {} now."), draw_elapsed(elapsed)))


def draw_elapsed(elapsed: float) -> Html:
    """Return how long something has taken so far, `elapsed` seconds.

    The script counts on, in the words of the user's language.
    """
    words = [
        tr("{seconds} s"),
        tr("{minutes} min"),
        tr("{minutes} min {seconds} s"),
        tr("{hours} h {minutes} min"),
    ]
    attributes: Attributes = {
        "data-elapsed": max(int(elapsed), 0),
        "data-words": json.dumps(words, ensure_ascii=False),
    }
    return element("span", attributes, word_elapsed(elapsed))


def _way_out(prompt: LinkPrompt, words: str) -> Html:
    """Return the one link that leads out of the page (FORM-8, URL-11)."""
    attributes: Attributes = {
        "class": "button primary",
        "href": prompt.url,
        "target": "_blank",
        "rel": "noopener noreferrer",
        "referrerpolicy": "no-referrer",
    }
    return element("a", attributes, words)
