"""The one tree of exceptions: its shape as drawn, its fields, and what its messages say."""

import re
from types import ModuleType
from typing import Any

import msgspec
import pytest

from acp_elicitation.protocol import errors
from acp_elicitation.protocol.errors import (
    AnswerError,
    AnswerTimeout,
    ConnectionLost,
    DuplicateLink,
    ElicitationError,
    ErrorReply,
    IllegalTransition,
    InvalidAnswer,
    InvalidQuestion,
    MalformedMessage,
    MisuseError,
    ModeNotAdvertised,
    NotAccepted,
    NotPossible,
    NotStarted,
    PeerError,
    RemoteError,
    SecretInForm,
    UnknownLink,
    UnsafeLink,
    UnsupportedType,
    VersionNotSupported,
)


def _drawn(module: ModuleType) -> dict[str, str]:
    """Each class of the drawing at the top of the module, with the class that it hangs on."""
    parents, stack = {}, ["ElicitationError"]
    for line in (module.__doc__ or "").splitlines():
        if found := re.match(r"    ([│ ]*)[├└]── (\w+)", line):
            depth = len(found[1]) // 4 + 1
            parents[found[2]] = stack[depth - 1]
            stack[depth:] = [found[2]]
    return parents


def test_the_tree_is_as_it_is_drawn_at_the_top_of_the_module() -> None:
    classes = {
        name: found
        for name, found in vars(errors).items()
        if isinstance(found, type) and issubclass(found, ElicitationError)
    }
    base = {name: found.__base__.__name__ for name, found in classes.items() if found.__base__}
    assert base.pop("ElicitationError") == "Exception"
    assert _drawn(errors) == base
    assert set(errors.__all__) == set(classes)


class _Problem(msgspec.Struct, frozen=True):
    property: str
    code: str


PROBLEMS = [_Problem("name", "required"), _Problem("port", "too-big")]

CASES: list[tuple[ElicitationError, dict[str, Any], str]] = [
    (
        ModeNotAdvertised("url"),
        {"mode": "url"},
        "the client did not advertise elicitation mode 'url' at initialize; "
        "check elicitor.modes first, or take another way to ask",
    ),
    (
        UnsupportedType(where="Plan.steps", reason="nested", instead="ask twice"),
        {"where": "Plan.steps", "reason": "nested", "instead": "ask twice"},
        "Plan.steps: nested; ask twice",
    ),
    (
        InvalidQuestion(where="message", reason="it is empty", instead="say it"),
        {"where": "message", "reason": "it is empty", "instead": "say it"},
        "message: it is empty; say it",
    ),
    (
        NotPossible(way="permission", reason="it has no room for text"),
        {"way": "permission", "reason": "it has no room for text"},
        "permission: it has no room for text; give another fallback after it",
    ),
    (
        UnsafeLink(where="parameter token", reason="a credential", instead="send an opaque id"),
        {"where": "parameter token", "reason": "a credential", "instead": "send an opaque id"},
        "parameter token: a credential; send an opaque id",
    ),
    (
        SecretInForm(property="db", rule="password", where="title"),
        {"property": "db", "rule": "password", "where": "title"},
        "the title of property 'db' asks for a secret or holds one (password), which no form may: "
        "ask for it with a link (url mode), or with reviewed=['db'] where it is none",
    ),
    (
        SecretInForm(property="", rule="token", where="message"),
        {"property": "", "rule": "token", "where": "message"},
        "the form's message asks for a secret or holds one (token), which no form may: "
        "ask for it with a link (url mode), or with reviewed=[''] ('' stands for the message and "
        "the form's own words) where it is none",
    ),
    (
        UnknownLink("e"),
        {"elicitation_id": "e"},
        "no outstanding link 'e' on this connection; complete a link once, "
        "with the elicitor that created it",
    ),
    (
        DuplicateLink("e"),
        {"elicitation_id": "e"},
        "link id 'e' is outstanding on this connection already; "
        "leave the id out to get a fresh one",
    ),
    (
        IllegalTransition(state="SHOWN", event="SHOW"),
        {"state": "SHOWN", "event": "SHOW"},
        "event 'SHOW' cannot happen in state 'SHOWN'",
    ),
    (
        MalformedMessage(path="/mode", expected="a string"),
        {"path": "/mode", "expected": "a string"},
        "/mode: expected a string",
    ),
    (MalformedMessage(path="", expected="an object"), {"path": ""}, "/: expected an object"),
    (
        RemoteError(code=-32602, message="Invalid params", data={"path": "/mode"}),
        {"code": -32602, "message": "Invalid params", "data": {"path": "/mode"}},
        "the other side answered with error -32602: Invalid params",
    ),
    (
        RemoteError(
            code=-32602, message="Invalid params", data={"path": "/a", "reason": "expected b"}
        ),
        {"data": {"path": "/a", "reason": "expected b"}},
        "the other side answered with error -32602: Invalid params (/a: expected b)",
    ),
    (
        RemoteError(code=-32603, message="Internal error", data="what the user typed"),
        {"data": "what the user typed"},
        "the other side answered with error -32603: Internal error",
    ),
    (
        VersionNotSupported(offered=7, supported=[1, 2]),
        {"offered": 7, "supported": (1, 2)},
        "the other side speaks protocol version 7; supported here: 1, 2",
    ),
    (
        ConnectionLost("exit status 1"),
        {"reason": "exit status 1"},
        "exit status 1",
    ),
    (
        ConnectionLost(),
        {"reason": "the other side closed the connection"},
        "the other side closed the connection",
    ),
    (
        NotStarted("painter", "not found; check the command"),
        {"program": "painter", "why": "not found; check the command"},
        "could not start 'painter': not found; check the command",
    ),
    (
        InvalidAnswer(PROBLEMS),
        {"problems": tuple(PROBLEMS)},
        "the accepted content does not fit the form: name: required; port: too-big",
    ),
    (NotAccepted("declined"), {"action": "declined"}, "the user did not accept: declined"),
    (
        AnswerTimeout(1.50),
        {"seconds": 1.5},
        "no answer within 1.5 s; the question was withdrawn",
    ),
    (
        AnswerTimeout(300, awaited="completion"),
        {"seconds": 300, "awaited": "completion"},
        "no completion within 300 s; the consent stays: await completed() again, "
        "or withdraw() the link",
    ),
    (
        ErrorReply(-32602, "Invalid params", {"path": "/mode"}),
        {"code": -32602, "message": "Invalid params", "data": {"path": "/mode"}},
        "-32602: Invalid params",
    ),
]


@pytest.mark.parametrize(
    ("error", "fields", "text"), CASES, ids=[type(case[0]).__name__ for case in CASES]
)
def test_an_error_carries_its_fields_and_says_what_is_wrong(
    error: ElicitationError, fields: dict[str, Any], text: str
) -> None:
    assert {name: getattr(error, name) for name in fields} == fields
    assert str(error) == text


def test_data_of_an_error_of_the_wire_is_optional() -> None:
    assert RemoteError(code=1, message="m").data is None
    assert ErrorReply(1, "m").data is None


@pytest.mark.requirement("RES-5")
def test_misuse_the_peers_fault_and_the_users_answer_are_different_branches() -> None:
    branches = (MisuseError, PeerError, AnswerError)
    for error, _, _ in CASES:
        kinds = [branch for branch in branches if isinstance(error, branch)]
        assert len(kinds) == (0 if isinstance(error, ErrorReply) else 1)


def test_a_wrong_argument_is_a_value_error_as_everywhere_in_python() -> None:
    assert issubclass(InvalidQuestion, ValueError)
