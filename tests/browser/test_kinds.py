"""Each kind of property, filled in by keyboard alone, arrives as the agent defined it."""

from typing import Any

import pytest

from tests.browser.chat import Meeting, button
from tests.browser.keyboard import press_to, types


def options(*names: str) -> list[dict[str, str]]:
    return [{"const": name, "title": name.title()} for name in names]


FRUIT = ("apple", "pear", "plum")
MANY = tuple(f"city number {number}" for number in range(40))

# What stands in the form, which control is filled in, by which keys, and what arrives.
KINDS: dict[str, tuple[dict[str, Any], tuple[str, str], tuple[str, ...], Any]] = {
    "line": ({"maxLength": 40}, ("textbox", "Q (required)"), ("Ada",), "Ada"),
    "lines": ({}, ("textbox", "Q (required)"), ("one", "<Enter>", "two"), "one\ntwo"),
    "code points": (
        {"minLength": 3, "maxLength": 3},
        ("textbox", "Q (required)"),
        ("👩🏽é",),
        "👩🏽é",
    ),
    "email": ({"format": "email"}, ("textbox", "Q (required)"), ("a@b.example",), "a@b.example"),
    "uri": ({"format": "uri"}, ("textbox", "Q (required)"), ("https://a.b/",), "https://a.b/"),
    "date": ({"format": "date"}, ("", "Q (required)"), ("03042027",), "2027-03-04"),
    "date-time": (
        {"format": "date-time"},
        ("textbox", "Q (required)"),
        ("2027-03-04T05:06:07Z",),
        "2027-03-04T05:06:07Z",
    ),
    "number": ({"type": "number"}, ("textbox", "Q (required)"), (" -0.5 ",), -0.5),
    "integer": ({"type": "integer"}, ("textbox", "Q (required)"), ("12",), 12),
    "yes": ({"type": "boolean"}, ("radio", "Yes"), ("<Space>",), True),
    "no": ({"type": "boolean", "default": True}, ("radio", "Yes"), ("<ArrowDown>",), False),
    "one of few": (
        {"oneOf": options(*FRUIT)},
        ("radio", "Apple"),
        ("<Space>", "<ArrowDown>"),
        "pear",
    ),
    "several": (
        {"type": "array", "items": {"anyOf": options(*FRUIT)}},
        ("checkbox", "Apple"),
        ("<Space>", "<Tab>", "<Tab>", "<Space>"),
        ["apple", "plum"],
    ),
    "one of many": (
        {"enum": list(MANY)},
        ("searchbox", "Search 40 choices"),
        ("number 31", "<Tab>", "<Space>"),
        MANY[31],
    ),
    "several of many": (
        {"type": "array", "items": {"enum": list(MANY), "type": "string"}},
        ("searchbox", "Search 40 choices"),
        ("number 31", "<Tab>", "<Space>"),
        [MANY[31]],
    ),
}


@pytest.mark.requirement("UI-3", "UI-4", "FORM-1")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_property_is_filled_in_by_keyboard_alone(long_meeting: Meeting, kind: str) -> None:
    schema, (role, name), keys, expected = KINDS[kind]
    schema = {"type": "string", "title": "Q", **schema}
    async with long_meeting.tab() as page:
        asked = long_meeting.agent.form("A question?", {"q": schema}, required=["q"])
        control = (
            page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
            if role
            else page.get_by_label(name, exact=True)
        )
        await press_to(page, control)
        await types(page, *keys)
        await press_to(page, button(page, "submit"))
        await page.keyboard.press("Enter")
        assert await asked.result() == {"action": "accept", "content": {"q": expected}}
        assert await long_meeting.visit.notes(page) == []
