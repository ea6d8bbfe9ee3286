"""Updates of both versions as lines."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.cli.view import View
from acp_elicitation.text.terminal import visible


def shown(*updates: dict[str, Any]) -> str:
    out = io.StringIO()
    view = View(out)
    for update in updates:
        view.take(update)
    view.end()
    return out.getvalue()


def chunk(text: str, kind: str = "agent_message_chunk", **members: Any) -> dict[str, Any]:
    return {"sessionUpdate": kind, "content": {"type": "text", "text": text}, **members}


def message(text: str, kind: str = "agent_message", id: str = "m1") -> dict[str, Any]:
    return {"sessionUpdate": kind, "messageId": id, "content": [{"type": "text", "text": text}]}


def test_chunks_of_one_message_run_on_and_another_kind_begins_anew() -> None:
    assert shown(
        chunk("Hm. ", "agent_thought_chunk"),
        chunk("One "),
        chunk("two. "),
        chunk("Hm. ", "agent_thought_chunk"),
    ) == ("Thought:\n| Hm. \nAgent:\n| One two. \nThought:\n| Hm. \n")


def test_another_message_begins_anew() -> None:
    assert shown(chunk("One ", messageId="a"), chunk("two ", messageId="b")) == (
        "Agent:\n| One \nAgent:\n| two \n"
    )


def test_a_whole_message_is_shown() -> None:
    assert shown(message("Hello"), message("Hm", "agent_thought", "m2")) == (
        "Agent:\n| Hello\nThought:\n| Hm\n"
    )


def test_a_whole_message_that_repeats_its_chunks_adds_only_what_is_new() -> None:
    assert shown(chunk("Hello ", messageId="m1"), message("Hello world")) == (
        "Agent:\n| Hello world\n"
    )
    assert shown(chunk("Hello", messageId="m1"), message("Hello")) == "Agent:\n| Hello\n"


def test_a_whole_message_that_replaces_its_chunks_is_shown_anew() -> None:
    assert shown(chunk("Helo", messageId="m1"), message("Hello")) == (
        "Agent:\n| Helo\nAgent:\n| Hello\n"
    )


def test_content_that_is_no_text_goes_by_its_type() -> None:
    update = {
        "sessionUpdate": "agent_message",
        "messageId": "m",
        "content": [
            {"type": "text", "text": "See "},
            {"type": "resource_link", "uri": "file:///x", "name": "x"},
            {"type": "image", "data": "..."},
            {},
        ],
    }
    assert shown(update) == "Agent:\n| See [resource_link file:///x][image][content]\n"


def test_a_tool_call_is_shown_whenever_its_title_or_status_changes() -> None:
    start = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Read\nit"}
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t"}
    assert shown(
        start, {**update, "status": "in_progress"}, update, {**update, "status": "completed"}
    ) == ("Tool: Read it (pending)\nTool: Read it (in_progress)\nTool: Read it (completed)\n")


def test_a_tool_call_that_was_never_announced_is_shown_too() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "paused"}
    assert shown(update) == "Tool: unnamed (paused)\n"


ENTRIES = [
    {"content": "Think", "status": "completed", "priority": "high"},
    {"content": "Act", "status": "in_progress", "priority": "high"},
    {"content": "Rest", "status": "pending", "priority": "low"},
    {"content": "Dream", "status": "_odd", "priority": "low"},
    "nonsense",
    {"status": "pending"},
]
PLAN = "Plan:\n  done: Think\n  now: Act\n  later: Rest\n  _odd: Dream\n"


def test_a_plan_is_shown_in_both_shapes() -> None:
    assert shown({"sessionUpdate": "plan", "entries": ENTRIES}) == PLAN
    plan = {"type": "items", "planId": "p", "entries": ENTRIES}
    assert shown({"sessionUpdate": "plan_update", "plan": plan}) == PLAN


def test_a_plan_that_has_not_changed_is_not_repeated() -> None:
    update = {"sessionUpdate": "plan", "entries": ENTRIES}
    assert shown(update, update) == PLAN
    assert shown({"sessionUpdate": "plan", "entries": []}) == ""


def test_a_turn_that_failed_says_why() -> None:
    update = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "error"}
    assert shown({**update, "error": {"code": 1, "message": "No\x1b[2J luck"}}) == (
        "The agent failed: No<U+001B>[2J luck\n"
    )
    assert shown(update) == ""


@pytest.mark.parametrize(
    "kind", ["available_commands_update", "user_message", "user_message_chunk", "_vendor/x", 7]
)
def test_what_is_not_known_is_not_shown(kind: object) -> None:
    assert shown(chunk("unseen", sessionUpdate=kind)) == ""


def test_what_interrupts_a_running_text_starts_on_a_line_of_its_own() -> None:
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Read"}
    assert shown(chunk("One"), tool, chunk("two")) == (
        "Agent:\n| One\nTool: Read (pending)\nAgent:\n| two\n"
    )


def test_only_so_many_tools_and_messages_are_remembered() -> None:
    out = io.StringIO()
    view = View(out)
    for number in range(1_100):
        id = str(number)
        view.take({"sessionUpdate": "tool_call", "toolCallId": id, "title": id})
        view.take(chunk("x ", messageId=id))
    assert len(view._updates._tools) == len(view._updates._said) == 1_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["content", "type", "text", "messageId", "title", "status", "entries", "plan",
                 "toolCallId", "error", "message", "uri"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)  # fmt: skip
KINDS = st.sampled_from(
    ["agent_message_chunk", "agent_thought_chunk", "agent_message", "agent_thought", "tool_call",
     "tool_call_update", "plan", "plan_update", "state_update", "other"]
)  # fmt: skip


@given(st.lists(st.tuples(KINDS, st.dictionaries(st.text(max_size=3), JSON) | JSON), max_size=5))
def test_no_update_whatsoever_raises_or_reaches_the_terminal_as_it_is(
    updates: list[tuple[str, Any]],
) -> None:
    members = [
        {**(body if isinstance(body, dict) else {"content": body}), "sessionUpdate": kind}
        for kind, body in updates
    ]
    text = shown(*members)
    assert visible(text) == text
