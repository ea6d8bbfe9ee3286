"""The answers file: rules that answer questions in a person's place, read strictly.

Owns: what a rule may say, and which question a rule fits.
Knows nothing of: presenters, and whether content fits a form. Above it: `script`.
Below it: `answer_formats`, `client.prompts`.

A file is a list of rules (in TOML, which has no list at its top, the array of tables `rules`):

    - when: {message: substring, mode: form | url, property: name, permission: true}
      action: accept | decline | cancel
      content: {name: value}     the others take their defaults; null leaves one empty
      option: allow_once         for a permission: the kind or the id of the option
      open: false                for a link: whether to open it in the browser as well
      repeat: true               whether the rule may be used more than once

Everything in `when` has to hold; a rule without it fits every form and every link. A rule answers
permissions when `when` has `permission: true`, and nothing else then.
"""

import re
from pathlib import Path
from typing import Any, Literal, TypeAlias, assert_never

import msgspec

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, PermissionPrompt, Prompt
from acp_elicitation.presenters.answer_formats import NotReadable, dates_as_text, parse_file

__all__ = ["BadAnswers", "Rule", "When", "read_answers", "read_rules"]

_Action: TypeAlias = Literal["accept", "decline", "cancel"]


class BadAnswers(Exception):
    """An answers file that says something this package does not understand, and where."""


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a rule waits for. None means that it does not matter."""

    message: str | None = None
    """A part of the message; of a permission, of its title or description."""
    mode: Literal["form", "url"] | None = None
    property: str | None = None
    permission: bool = False


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer, and the question that it is for."""

    when: When = When()
    action: _Action | None = None
    content: dict[str, Any] | None = None
    option: str | None = None
    open: bool | None = None
    repeat: bool = False

    def fits(self, prompt: Prompt) -> bool:
        """Whether this is an answer to `prompt`."""
        when = self.when
        match prompt:
            case FormPrompt(message=message):
                properties = prompt.request.schema.properties
                return (
                    not when.permission
                    and when.mode in (None, "form")
                    and (when.property is None or when.property in properties)
                    and (when.message is None or when.message in message)
                )
            case LinkPrompt(message=message):
                return (
                    not when.permission
                    and when.mode in (None, "url")
                    and when.property is None
                    and (when.message is None or when.message in message)
                )
            case PermissionPrompt(request=request):
                texts = (request.title, request.description or "")
                return when.permission and (
                    when.message is None or any(when.message in text for text in texts)
                )
            case _ as never:
                assert_never(never)


def read_answers(path: Path) -> list[Rule]:
    """Return the rules of an answers file.

    Raises:
        BadAnswers: it cannot be read, or a rule says what it should not; the message names the
            file, the rule by its number, and the key.
    """
    try:
        return read_rules(parse_file(path))
    except (BadAnswers, NotReadable) as error:
        raise BadAnswers(f"{path}: {error}") from None


def read_rules(document: object) -> list[Rule]:
    """Return the rules that a parsed file holds. Raises `BadAnswers` as `read_answers`."""
    if isinstance(document, dict) and list(document) == ["rules"]:
        document = document["rules"]
    if not isinstance(document, list):
        raise BadAnswers("expected a list of rules")
    return [_read_rule(member, number) for number, member in enumerate(document, 1)]


def _read_rule(member: object, number: int) -> Rule:
    try:
        rule = msgspec.convert(dates_as_text(member), Rule)
    except msgspec.ValidationError as error:
        raise BadAnswers(f"rule {number}: {_reworded(str(error))}") from None
    if (reason := _contradiction(rule)) is not None:
        raise BadAnswers(f"rule {number}: {reason}")
    return rule


def _contradiction(rule: Rule) -> str | None:
    """Return what does not go together in `rule`, or None."""
    when = rule.when
    if when.permission:
        return _contradiction_of_permission(rule)
    checks = {
        "`option` needs `when: {permission: true}`": rule.option is not None,
        "`action` is missing: accept, decline or cancel": rule.action is None,
        "`content` needs `action: accept`": rule.content is not None and rule.action != "accept",
        "`content` needs a form, not `mode: url`": rule.content is not None and when.mode == "url",
        "`open` needs `action: accept`": rule.open is not None and rule.action != "accept",
        "`open` needs a link, not `mode: form`": rule.open is not None and when.mode == "form",
        "`when.property` needs a form, not `mode: url`": when.property is not None
        and when.mode == "url",
    }
    return next((reason for reason, holds in checks.items() if holds), None)


def _contradiction_of_permission(rule: Rule) -> str | None:
    checks = {
        "a permission has no `when.mode`": rule.when.mode is not None,
        "a permission has no `when.property`": rule.when.property is not None,
        "a permission has no `content`": rule.content is not None,
        "a permission has no `open`": rule.open is not None,
        "a permission needs `option`, or `action: cancel`": rule.option is None
        and rule.action != "cancel",
        "`option` and `action` contradict each other": rule.option is not None
        and rule.action not in (None, "accept"),
    }
    return next((reason for reason, holds in checks.items() if holds), None)


def _reworded(reason: str) -> str:
    """Return msgspec's message in the words of an answers file: place, expectation, finding."""
    text, _, place = reason.partition("`$")
    is_key = text.endswith(_OF_KEY)
    text = text.removesuffix(_OF_KEY).removesuffix(" - at ")
    place = place.rstrip("`").lstrip(".")
    if is_key:
        text = "expected texts as keys: put what is none into quotes"
    elif place in _CHOICES:
        text = f"expected {_CHOICES[place]}"
    elif found := _UNKNOWN.fullmatch(text):
        known = When if place == "when" else Rule
        names = ", ".join(f"`{name}`" for name in known.__struct_fields__)
        text = f"no such key: `{found[1]}`; there are {names}"
    elif found := _TYPES.fullmatch(text):
        expected, given = (_NAMES.get(name, name) for name in found.groups())
        text = f"expected {expected}, not {given}"
    return f"{place}: {text}" if place else text


_OF_KEY = " - at `key` in "
_CHOICES = {"action": "accept, decline or cancel", "when.mode": "form or url"}
_UNKNOWN = re.compile("Object contains unknown field `(.*)`")
_TYPES = re.compile(r"Expected `(\w+)(?: \| null)?`, got `(\w+)`")
_NAMES = {
    "object": "keys with values",
    "str": "a text",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "array": "a list",
    "null": "nothing",
}
