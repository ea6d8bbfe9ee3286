"""Session or request: the two scopes, as they stand flattened in the params."""

from typing import Any

import pytest

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.scope import (
    RequestScope,
    Scope,
    SessionId,
    SessionScope,
    ToolCallId,
    read_scope,
    write_scope,
)
from acp_elicitation.protocol.version import V1, V2, Version

both_versions = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])

SESSION = SessionScope(session_id=SessionId("s"))


@pytest.mark.requirement("REQ-2")
@both_versions
@pytest.mark.parametrize(
    ("params", "scope"),
    [
        ({"sessionId": "s"}, SESSION),
        (
            {"sessionId": "s", "toolCallId": "t"},
            SessionScope(session_id=SessionId("s"), tool_call_id=ToolCallId("t")),
        ),
        ({"sessionId": "s", "toolCallId": None}, SESSION),
        ({"requestId": 7}, RequestScope(request_id=7)),
        ({"requestId": "7"}, RequestScope(request_id="7")),
        ({"requestId": 7.0}, RequestScope(request_id=7)),
        ({"requestId": 7, "toolCallId": "t"}, RequestScope(request_id=7)),
    ],
)
def test_a_scope_is_read_from_the_members_that_stand_for_it(
    version: Version, params: dict[str, Any], scope: Scope
) -> None:
    assert read_scope(params, version) == scope


@pytest.mark.requirement("FWD-6")
@both_versions
def test_a_malformed_tool_call_reads_as_absent(version: Version) -> None:
    assert read_scope({"sessionId": "s", "toolCallId": 5}, version) == SESSION


@pytest.mark.requirement("REQ-2")
@pytest.mark.parametrize("request_id", [7, None, 1.5])
def test_in_v1_the_session_wins_over_a_request_beside_it(request_id: object) -> None:
    assert read_scope({"sessionId": "s", "requestId": request_id}, V1) == SESSION


@pytest.mark.requirement("REQ-2")
@pytest.mark.parametrize("session_id", [None, 5])
def test_in_v1_a_malformed_session_leaves_the_request_beside_it(session_id: object) -> None:
    params = {"sessionId": session_id, "requestId": 7}
    assert read_scope(params, V1) == RequestScope(request_id=7)


@pytest.mark.requirement("REQ-2")
@pytest.mark.parametrize(
    ("session_id", "request_id"), [("s", 7), (None, 7), ("s", None), (5, 7), (None, None)]
)
def test_in_v2_two_scopes_are_refused_whatever_they_hold(
    session_id: object, request_id: object
) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_scope({"sessionId": session_id, "requestId": request_id}, V2)
    expected = "exactly one of sessionId and requestId"
    assert (caught.value.path, caught.value.expected) == ("", expected)


@pytest.mark.requirement("REQ-2")
@both_versions
@pytest.mark.parametrize("params", [{}, {"sessionId": 5}, {"sessionId": None}, {"toolCallId": "t"}])
def test_no_scope_at_all_is_refused(version: Version, params: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_scope(params, version)
    exclusive = "exactly one of sessionId and requestId"
    alone = "a sessionId (a string) or a requestId"
    expected = exclusive if version is V2 and "sessionId" not in params else alone
    assert (caught.value.path, caught.value.expected) == ("", expected)


def test_a_null_request_id_names_a_request_in_v1_alone() -> None:
    assert read_scope({"requestId": None}, V1) == RequestScope(request_id=None)
    with pytest.raises(MalformedMessage) as caught:
        read_scope({"requestId": None}, V2)
    assert (caught.value.path, caught.value.expected) == ("/requestId", "a string or an integer")


@both_versions
@pytest.mark.parametrize("request_id", [1.5, True, [], {}])
def test_a_request_id_of_another_type_is_refused(version: Version, request_id: object) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_scope({"requestId": request_id}, version)
    assert caught.value.path == "/requestId"


@pytest.mark.requirement("REQ-2")
@pytest.mark.parametrize(
    ("scope", "members"),
    [
        (SESSION, {"sessionId": "s"}),
        (
            SessionScope(session_id=SessionId("s"), tool_call_id=ToolCallId("t")),
            {"sessionId": "s", "toolCallId": "t"},
        ),
        (RequestScope(request_id=7), {"requestId": 7}),
        (RequestScope(request_id="r"), {"requestId": "r"}),
    ],
)
def test_a_scope_is_written_as_the_members_that_stand_for_it(
    scope: Scope, members: dict[str, Any]
) -> None:
    assert write_scope(scope) == members
