"""The answers file: what it may say, in three formats, and what is said about the rest."""

from pathlib import Path

import pytest

from acp_elicitation.presenters.answers import BadAnswers, Rule, When, read_answers, read_rules
from acp_elicitation.protocol.schema import StringProperty
from tests.contract.presenters import form_prompt, link_prompt, permission_prompt

YAML = """
- when: {message: colour, mode: form, property: name}
  action: accept
  content: {name: Ada, day: 2026-12-31, at: 2026-12-31T18:00:00Z, many: [a, b], none: null}
- when: {mode: url}
  action: accept
  open: false
  repeat: true
- when: {permission: true}
  option: allow_once
- action: decline
"""
JSON = """
[
  {"when": {"message": "colour", "mode": "form", "property": "name"}, "action": "accept",
   "content": {"name": "Ada", "day": "2026-12-31", "at": "2026-12-31T18:00:00+00:00",
               "many": ["a", "b"], "none": null}},
  {"when": {"mode": "url"}, "action": "accept", "open": false, "repeat": true},
  {"when": {"permission": true}, "option": "allow_once"},
  {"action": "decline"}
]
"""
TOML = """
[[rules]]
when = {message = "colour", mode = "form", property = "name"}
action = "accept"
content = {name = "Ada", day = 2026-12-31, at = 2026-12-31T18:00:00Z, many = ["a", "b"]}

[[rules]]
when = {mode = "url"}
action = "accept"
open = false
repeat = true

[[rules]]
when = {permission = true}
option = "allow_once"

[[rules]]
action = "decline"
"""
CONTENT = {
    "name": "Ada",
    "day": "2026-12-31",
    "at": "2026-12-31T18:00:00+00:00",
    "many": ["a", "b"],
    "none": None,
}


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.yaml", YAML), ("a.yml", YAML), ("a.JSON", JSON), ("a.toml", TOML)],
)
def test_a_file_reads_the_same_in_every_format(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    first, *others = read_answers(path)
    assert first.when == When(message="colour", mode="form", property="name")
    assert first.action == "accept"
    expected = {**CONTENT} if name != "a.toml" else {k: v for k, v in CONTENT.items() if v}
    assert first.content == expected
    assert others == [
        Rule(when=When(mode="url"), action="accept", open=False, repeat=True),
        Rule(when=When(permission=True), option="allow_once"),
        Rule(action="decline"),
    ]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("accept", "rule 2: expected keys with values, not a text"),
        ({}, "rule 2: `action` is missing: accept, decline or cancel"),
        ({"action": "agree"}, "rule 2: action: expected accept, decline or cancel"),
        (
            {"action": "accept", "contents": {}},
            "rule 2: no such key: `contents`; there are `when`, `action`, `content`, `option`, ",
        ),
        (
            {"action": "accept", "when": {"mesage": "x"}},
            "rule 2: when: no such key: `mesage`; there are `message`, `mode`, `property`, ",
        ),
        ({"action": "accept", "when": {"mode": "uri"}}, "rule 2: when.mode: expected form or url"),
        (
            {"action": "accept", "repeat": "yes"},
            "rule 2: repeat: expected true or false, not a text",
        ),
        (
            {"action": "accept", "content": ["a"]},
            "rule 2: content: expected keys with values, not a list",
        ),
        (
            {"action": "accept", "content": {1: "a"}},
            "rule 2: content: expected texts as keys: put what is none into quotes",
        ),
        ({1: "a"}, "rule 2: expected texts as keys: put what is none into quotes"),
        (
            {"action": "accept", "when": {"message": 3}},
            "rule 2: when.message: expected a text, not a number",
        ),
        ({"action": "decline", "content": {}}, "rule 2: `content` needs `action: accept`"),
        ({"action": "cancel", "open": True}, "rule 2: `open` needs `action: accept`"),
        (
            {"action": "accept", "content": {}, "when": {"mode": "url"}},
            "rule 2: `content` needs a form, not `mode: url`",
        ),
        (
            {"action": "accept", "open": True, "when": {"mode": "form"}},
            "rule 2: `open` needs a link, not `mode: form`",
        ),
        (
            {"action": "accept", "when": {"mode": "url", "property": "x"}},
            "rule 2: `when.property` needs a form, not `mode: url`",
        ),
        (
            {"action": "accept", "option": "allow_once"},
            "rule 2: `option` needs `when: {permission: true}`",
        ),
        (
            {"when": {"permission": True}},
            "rule 2: a permission needs `option`, or `action: cancel`",
        ),
        (
            {"when": {"permission": True, "mode": "form"}, "option": "x"},
            "rule 2: a permission has no `when.mode`",
        ),
        (
            {"when": {"permission": True, "property": "p"}, "option": "x"},
            "rule 2: a permission has no `when.property`",
        ),
        (
            {"when": {"permission": True}, "option": "x", "content": {}},
            "rule 2: a permission has no `content`",
        ),
        (
            {"when": {"permission": True}, "option": "x", "open": True},
            "rule 2: a permission has no `open`",
        ),
        (
            {"when": {"permission": True}, "option": "x", "action": "cancel"},
            "rule 2: `option` and `action` contradict each other",
        ),
    ],
)
def test_a_rule_that_makes_no_sense_is_named_by_its_number_and_key(
    rule: object, reason: str
) -> None:
    with pytest.raises(BadAnswers) as caught:
        read_rules([{"action": "cancel"}, rule])
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("document", [None, {}, "x", {"rules": 1}, {"rules": [], "more": 1}])
def test_a_file_that_is_no_list_of_rules_is_refused(document: object) -> None:
    with pytest.raises(BadAnswers, match="expected a list of rules"):
        read_rules(document)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.yaml", "- {", "not readable as yaml"),
        ("a.json", "[", "not readable as json"),
        ("a.toml", "= 1", "not readable as toml"),
        ("a.toml", b"a = '\xff'", "not readable as toml"),
        ("a.txt", "", "the name has to end in .yaml, .yml, .json, .toml"),
        ("a.yaml", "- {}", "rule 1: `action` is missing"),
        ("missing.yaml", None, "No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    tmp_path: Path, name: str, text: str | bytes | None, reason: str
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadAnswers) as caught:
        read_answers(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


FORM = form_prompt({"name": StringProperty()}, message="Which colour?")
LINK = link_prompt(message="Please connect.")
PERMISSION = permission_prompt(title="Paint the wall", description="With a brush")


@pytest.mark.parametrize(
    ("when", "form", "link", "permission"),
    [
        (When(), True, True, False),
        (When(mode="form"), True, False, False),
        (When(mode="url"), False, True, False),
        (When(property="name"), True, False, False),
        (When(property="colour"), False, False, False),
        (When(message="colour"), True, False, False),
        (When(message="connect"), False, True, False),
        (When(message="Colour"), False, False, False),
        (When(message="colour", mode="url"), False, False, False),
        (When(permission=True), False, False, True),
        (When(permission=True, message="wall"), False, False, True),
        (When(permission=True, message="brush"), False, False, True),
        (When(permission=True, message="colour"), False, False, False),
    ],
)
def test_a_rule_fits_where_everything_in_when_holds(
    when: When, form: bool, link: bool, permission: bool
) -> None:
    rule = Rule(when=when, action="cancel")
    assert (rule.fits(FORM), rule.fits(LINK), rule.fits(PERMISSION)) == (form, link, permission)
