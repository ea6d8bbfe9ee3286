"""The answers file: rules that answer questions in a person's place, read strictly.

Owns: what a rule may say, reading it from YAML, JSON or TOML, and which question a rule fits.
Knows nothing of: presenters, and whether content fits a form. Above it: `script`.
Below it: `client.prompts`.

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

import datetime
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, assert_never

import msgspec

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, PermissionPrompt, Prompt

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
        parse = _PARSERS[path.suffix.lower()]
    except KeyError:
        raise BadAnswers(f"{path}: the name has to end in {', '.join(_PARSERS)}") from None
    try:
        document = parse(path.read_bytes())
    except OSError as error:
        raise BadAnswers(f"{path}: {error.strerror}") from None
    except Exception as error:  # three parsers, three families of exceptions
        reason = " ".join(str(error).split())
        raise BadAnswers(f"{path}: not readable as {path.suffix[1:]}: {reason}") from None
    try:
        return read_rules(document)
    except BadAnswers as error:
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
        rule = msgspec.convert(_plain(member), Rule)
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
    """Return msgspec's message with the place in front: `$.when.mode` becomes `when.mode`."""
    text, _, place = reason.partition(" - at `$")
    place = place.rstrip("`").lstrip(".")
    if place in _CHOICES:
        text = f"expected {_CHOICES[place]}"
    return f"{place}: {text}" if place else text


_CHOICES = {"action": "accept, decline or cancel", "when.mode": "form or url"}


def _plain(value: object) -> object:
    """Return `value` with dates as the text that a form expects: YAML and TOML read them."""
    match value:
        case dict():
            return {name: _plain(member) for name, member in value.items()}
        case list():
            return [_plain(member) for member in value]
        case datetime.date():  # and datetime.datetime, which is one
            return value.isoformat()
        case _:
            return value


def _parse_yaml(text: bytes) -> object:
    import yaml

    return yaml.safe_load(text)


def _parse_toml(text: bytes) -> object:
    import tomllib

    return tomllib.loads(text.decode())


_PARSERS: Mapping[str, Callable[[bytes], object]] = {
    ".yaml": _parse_yaml,
    ".yml": _parse_yaml,
    ".json": msgspec.json.decode,
    ".toml": _parse_toml,
}
