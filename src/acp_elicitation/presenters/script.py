"""Answers from a script instead of a person: for tests, for demonstrations, for unattended runs.

Owns: `ScriptPresenter`: which rule answers, the content that it makes, and what has no answer.
Knows nothing of: files (see `answers`), and what becomes of an unanswered question.
Above it: the command line, tests. Below it: `answers`, `page`, `forms.check`, `client.prompts`.

The first unused rule that fits answers. A rule is explicit consent, written down beforehand; a
question without one is never accepted.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, assert_never

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, PermissionPrompt, Prompt, Reply
from acp_elicitation.forms.check import check, unanswerable
from acp_elicitation.forms.draft_field import ABSENT, DraftField, shown
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.answers import Rule
from acp_elicitation.presenters.page import Out, Page
from acp_elicitation.presenters.plain import OpenUrl, show_asker
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import FormSchema, UnknownProperty
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line
from acp_elicitation.text.wording import word_problem

__all__ = ["NoScriptedAnswer", "ScriptPresenter"]

_QUOTED_AT_MOST = 100


class NoScriptedAnswer(Exception):
    """No rule answers a question, or the one that does gives an answer that does not fit."""


class ScriptPresenter:
    """Answers from rules. It is also a permission presenter."""

    def __init__(
        self,
        rules: Iterable[Rule],
        *,
        out: Out | None = None,
        open_url: OpenUrl | None = None,
        on_unanswered: Callable[[NoScriptedAnswer], None] | None = None,
    ) -> None:
        """Answer from `rules`.

        Args:
            rules: in the order in which they are tried.
            out: where to write each question and its answer.
            open_url: opens the links of rules that say `open: true`.
            on_unanswered: learns of a question without an answer; whoever showed the prompt gets
                the same as an exception.
        """
        self._unused = list(rules)
        self._used: set[int] = set()
        # Two rules may be equal, and are still two: a rule is found by what it is.
        self._numbers = {id(rule): number for number, rule in enumerate(self._unused, 1)}
        self._page = None if out is None else Page(out)
        self._open_url = open_url
        self._on_unanswered = on_unanswered

    @property
    def idle_rules(self) -> list[int]:
        """The numbers of the rules that have answered nothing so far."""
        return [number for id, number in self._numbers.items() if id not in self._used]

    async def form(self, prompt: FormPrompt) -> Reply:
        """Answer a form. Raises `NoScriptedAnswer`."""
        self._introduce(tr("Question from {}"), prompt, prompt.message)
        rule = self._take(prompt, tr("form {message}", message=_quoted(prompt.message)))
        match rule.action:
            case "accept":
                content = self._content(prompt, rule)
                self._show_content(prompt, content)
                return self._finish(Accepted(content))
            case "decline":
                return self._finish(Declined())
            case _:
                return self._finish(Cancelled())

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Answer a link; it is opened only where the rule says so. Raises `NoScriptedAnswer`."""
        self._introduce(tr("Link from {}"), prompt, prompt.message)
        if self._page is not None:
            self._page.tell_about(tr("host: {}"), prompt.host, lead="  ", hang=4)
            self._page.tell_about(tr("address: {}"), prompt.url, lead="  ", hang=4)
        rule = self._take(prompt, tr("link {message}", message=_quoted(prompt.message)))
        match rule.action:
            case "accept":
                if rule.open and self._open_url is not None:
                    await asyncio.to_thread(self._open_url, prompt.url)
                return self._finish(Accepted(None))
            case "decline":
                return self._finish(Declined())
            case _:
                return self._finish(Cancelled())

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """Answer a permission request. Raises `NoScriptedAnswer`."""
        request = prompt.request
        self._introduce(tr("Permission request from {}"), prompt, request.title)
        rule = self._take(prompt, tr("permission {message}", message=_quoted(request.title)))
        if rule.option is None:
            return self._finish(Cancelled())
        for option in request.options:
            if rule.option in (option.option_id, option.kind):
                if self._page is not None:
                    self._page.tell("  ", option.name, hang=4)
                return self._finish(Accepted(option.option_id))
        names = ", ".join(f"{o.option_id} ({o.kind})" for o in request.options)
        raise self._unanswered(
            tr(
                "rule {number}: permission {message} has no option {option}; it has {names}",
                number=self._number(rule),
                message=_quoted(request.title),
                option=_quoted(rule.option),
                names=names,
            )
        )

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Note that the question is gone."""
        if self._page is not None:
            match why:
                case "withdrawn":
                    self._page.tell(tr("The question was withdrawn."))
                case "expired":
                    self._page.tell(tr("The question was expired."))
                case _ as never:
                    assert_never(never)
            self._page.flush()

    def _take(self, prompt: Prompt, question: str) -> Rule:
        for index, rule in enumerate(self._unused):
            if rule.fits(prompt):
                self._used.add(id(rule))
                if not rule.repeat:
                    del self._unused[index]
                return rule
        raise self._unanswered(tr("no unused rule answers the {question}", question=question))

    def _content(self, prompt: FormPrompt, rule: Rule) -> dict[str, Any]:
        schema = prompt.request.schema
        content = _with_defaults(prompt.draft.fields, rule.content or {})
        problems = [*_unknown(schema, content), *check(schema, content)]
        if problems:
            listed = "; ".join(f"{p.property}: {word_problem(p)}" for p in problems)
            raise self._unanswered(
                tr(
                    "rule {number}: its content does not fit the form {message}: {problems}",
                    number=self._number(rule),
                    message=_quoted(prompt.message),
                    problems=listed,
                )
            )
        return content

    def _number(self, rule: Rule) -> int:
        return self._numbers[id(rule)]

    def _unanswered(self, reason: str) -> NoScriptedAnswer:
        error = NoScriptedAnswer(reason)
        if self._on_unanswered is not None:
            self._on_unanswered(error)
        return error

    def _introduce(self, opening: str, prompt: Prompt, text: str) -> None:
        if self._page is not None:
            show_asker(self._page, opening, prompt.asker)
            self._page.quote(text)

    def _show_content(self, prompt: FormPrompt, content: Mapping[str, Any]) -> None:
        if self._page is None:
            return
        for field in prompt.draft.fields:
            value = shown(field, content.get(field.name, ABSENT))
            if value is None and field.companion_of is not None:
                continue
            if value is None:
                self._page.tell_about(tr("{}: (left empty)"), field.label, lead="  ", hang=4)
            else:
                self._page.tell("  ", f"{field.label}: {value}", hang=4)

    def _finish(self, reply: Reply) -> Reply:
        if self._page is not None:
            match reply:
                case Accepted():
                    self._page.tell(tr("Answered by the script: accept"))
                case Declined():
                    self._page.tell(tr("Answered by the script: decline"))
                case Cancelled():
                    self._page.tell(tr("Answered by the script: cancel"))
                case _ as never:
                    assert_never(never)
            self._page.flush()
        return reply


def _quoted(text: str) -> str:
    """Return the agent's text as it stands in an error: one line, and not a long one."""
    return f"'{one_line(text, _QUOTED_AT_MOST)}'"


def _unknown(schema: FormSchema, content: Mapping[str, Any]) -> list[Problem]:
    """Return the problems with questions of unknown kind: no value is known to fit (FWD-2)."""
    given = (name for name in content if isinstance(schema.properties.get(name), UnknownProperty))
    return [*unanswerable(schema), *(Problem(name, "unknown-kind") for name in given)]


def _with_defaults(fields: Iterable[DraftField], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return `given` in the form's order, filled up with the defaults that the agent declared.

    An answer to one half of a choice and its companion leaves the other empty, unless both are
    given, or go together (see `DraftField.takes_both`).
    """
    left_out = {name for field in fields for name in _giving_way(field, given)}
    content: dict[str, Any] = {}
    for field in fields:
        name, member = field.name, field.property
        if name in given:
            content[name] = given[name]
        elif name in left_out or isinstance(member, UnknownProperty) or member.default is None:
            continue
        else:
            default = member.default
            content[name] = list(default) if isinstance(default, tuple) else default
    for name in given:
        content.setdefault(name, given[name])
    return {name: value for name, value in content.items() if value is not None}


def _giving_way(field: DraftField, given: Mapping[str, Any]) -> tuple[str, ...]:
    if field.companion is None or field.takes_both:
        return ()
    halves = (field.name, field.companion.name)
    return halves if any(given.get(name) is not None for name in halves) else ()
