"""The answers of a client, read from and written as the result of `elicitation/create`."""

from typing import Any

import pytest

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.responses import (
    Accept,
    Cancel,
    Decline,
    Reason,
    Response,
    UnknownAction,
    read_response,
    write_response,
)
from acp_elicitation.protocol.version import V1, V2, Version

both_versions = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])

JsonObject = dict[str, Any]

REASONS: list[Reason] = ["withdrawn", "expired", "policy", "not-shown"]


@pytest.mark.requirement("RES-1")
@both_versions
def test_each_action_is_read_as_its_own_response(version: Version) -> None:
    values: list[JsonObject] = [{"action": name} for name in ("accept", "decline", "cancel")]
    assert [read_response(value, version) for value in values] == [
        Accept(raw=values[0]),
        Decline(raw=values[1]),
        Cancel(raw=values[2]),
    ]


@pytest.mark.requirement("RES-2")
@both_versions
def test_content_that_is_omitted_and_content_that_is_null_are_the_same(version: Version) -> None:
    for value in ({"action": "accept"}, {"action": "accept", "content": None}):
        assert read_response(value, version) == Accept(content=None, raw=value)


@both_versions
def test_the_content_of_an_accept_is_read_as_it_came(version: Version) -> None:
    content = {"t": "x", "i": 3, "f": 1.0, "b": False, "l": [], "m": ["x"], "big": 2**63}
    value = {"action": "accept", "content": content}
    response = read_response(value, version)
    assert isinstance(response, Accept)
    assert response.content is content


@both_versions
@pytest.mark.parametrize("content", ["x", [], 5, True])
def test_an_accept_with_content_that_is_no_object_is_refused(
    version: Version, content: object
) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_response({"action": "accept", "content": content}, version)
    assert (caught.value.path, caught.value.expected) == ("/content", "an object")


@pytest.mark.parametrize("value", [None, {}, [1], ["a", None], [[]], {"lat": 1}])
def test_any_other_value_of_content_is_carried_in_v2_and_refused_in_v1(value: object) -> None:
    result = {"action": "accept", "content": {"ok": "x", "a/b": value}}
    response = read_response(result, V2)
    assert isinstance(response, Accept)
    assert response.content == {"ok": "x", "a/b": value}
    with pytest.raises(MalformedMessage) as caught:
        read_response(result, V1)
    assert caught.value.path == "/content/a~1b"
    assert caught.value.expected == "a string, a number, a boolean or a list of strings"


@pytest.mark.requirement("RES-2")
@both_versions
@pytest.mark.parametrize("action", ["decline", "cancel", "_defer"])
@pytest.mark.parametrize("content", [{"a": 1}, {"a": None}, "x", 5])
def test_a_response_that_is_no_accept_has_no_content_whatever_stands_there(
    version: Version, action: str, content: object
) -> None:
    response = read_response({"action": action, "content": content}, version)
    assert not isinstance(response, Accept)
    assert "content" not in response.__struct_fields__


@pytest.mark.requirement("RES-6")
@both_versions
@pytest.mark.parametrize("action", ["_defer", "later", "Accept", ""])
def test_an_unknown_action_is_never_an_accept_and_is_forwarded_as_it_came(
    version: Version, action: str
) -> None:
    value = {"retryAfterMs": 1000, "action": action, "content": {"a": 1}}
    response = read_response(value, version)
    assert response == UnknownAction(action=action, raw=value)
    assert write_response(response) is value


@both_versions
@pytest.mark.parametrize("result", [None, [], "accept", 5])
def test_a_result_that_is_no_object_is_refused(version: Version, result: object) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_response(result, version)
    assert (caught.value.path, caught.value.expected) == ("", "an object")


@both_versions
@pytest.mark.parametrize("result", [{}, {"action": None}, {"action": 5}, {"content": {}}])
def test_a_result_without_an_action_is_refused_and_never_an_accept(
    version: Version, result: JsonObject
) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_response(result, version)
    assert (caught.value.path, caught.value.expected) == ("/action", "a string")


@pytest.mark.requirement("FWD-7")
@both_versions
@pytest.mark.parametrize("action", ["accept", "decline", "cancel", "_defer"])
@pytest.mark.parametrize(("meta", "read"), [({"a": 1}, {"a": 1}), (None, None), (5, None)])
def test_meta_is_carried_and_reads_as_absent_when_null_or_malformed(
    version: Version, action: str, meta: object, read: object
) -> None:
    value = {"action": action, "_meta": meta}
    response = read_response(value, version)
    assert response.meta == read
    assert write_response(response) is value


@both_versions
@pytest.mark.parametrize("reason", REASONS)
def test_a_cancel_that_was_not_the_users_says_why(version: Version, reason: Reason) -> None:
    meta = {"acp-elicitation": {"reason": reason}, "a": 1}
    value = {"action": "cancel", "_meta": meta}
    assert read_response(value, version) == Cancel(reason=reason, meta=meta, raw=value)


@both_versions
@pytest.mark.parametrize(
    "meta",
    [
        *({}, {"reason": "policy"}, {"acp-elicitation": None}, {"acp-elicitation": "policy"}),
        *({"acp-elicitation": {}}, {"acp-elicitation": {"reason": "tired"}}),
        *({"acp-elicitation": {"reason": None}}, {"acp-elicitation": {"reason": ["policy"]}}),
    ],
)
def test_a_cancel_without_a_reason_that_we_know_is_the_users(
    version: Version, meta: JsonObject
) -> None:
    response = read_response({"action": "cancel", "_meta": meta}, version)
    assert isinstance(response, Cancel)
    assert response.reason is None


@both_versions
def test_a_reason_beside_another_action_means_nothing(version: Version) -> None:
    meta = {"acp-elicitation": {"reason": "policy"}}
    value = {"action": "decline", "_meta": meta}
    assert read_response(value, version) == Decline(meta=meta, raw=value)


OURS: list[tuple[Response, JsonObject]] = [
    (Accept(), {"action": "accept"}),
    (Accept(content={}), {"action": "accept", "content": {}}),
    (Accept(content={"a": 1}, meta={"m": 1}),
     {"action": "accept", "content": {"a": 1}, "_meta": {"m": 1}}),
    (Decline(), {"action": "decline"}),
    (Decline(meta={"m": 1}), {"action": "decline", "_meta": {"m": 1}}),
    (Cancel(), {"action": "cancel"}),
    (Cancel(meta={"m": 1}), {"action": "cancel", "_meta": {"m": 1}}),
    (UnknownAction(action="_x"), {"action": "_x"}),
]  # fmt: skip


@pytest.mark.requirement("RES-1", "FWD-7", "FWD-8")
@pytest.mark.parametrize(("response", "result"), OURS)
def test_a_response_of_our_own_is_written_with_what_it_says_and_no_more(
    response: Response, result: JsonObject
) -> None:
    assert write_response(response) == result


@pytest.mark.requirement("FWD-8")
@pytest.mark.parametrize("reason", REASONS)
def test_the_reason_of_a_cancel_is_written_below_meta_beside_what_stands_there(
    reason: Reason,
) -> None:
    ours = {"acp-elicitation": {"reason": reason}}
    assert write_response(Cancel(reason=reason)) == {"action": "cancel", "_meta": ours}
    meta = {"m": 1}
    assert write_response(Cancel(reason=reason, meta=meta))["_meta"] == {"m": 1, **ours}
    assert meta == {"m": 1}
