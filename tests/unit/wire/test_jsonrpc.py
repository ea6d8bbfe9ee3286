"""The JSON-RPC peer: what each line means, and what is answered to what cannot be taken."""

import json
from typing import Any

import pytest

from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.wire.events import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    TOO_MANY_REQUESTS,
    CancelReceived,
    ErrorReceived,
    Event,
    Limits,
    MessageRefused,
    NoiseReceived,
    NotificationReceived,
    RequestReceived,
    ResultReceived,
)
from acp_elicitation.wire.jsonrpc import Peer


def line(value: object = None, /, **members: Any) -> bytes:
    """A line with this JSON value, or with this message."""
    return json.dumps(value or {"jsonrpc": "2.0", **members}).encode() + b"\n"


def one(peer: Peer, data: bytes) -> Event:
    """The only event that comes of `data`."""
    (event,) = peer.receive(data)
    return event


def refusal(peer: Peer, data: bytes) -> tuple[int, Any]:
    """Code and id of the error that `data` is answered with."""
    event = one(peer, data)
    assert isinstance(event, MessageRefused)
    reply = json.loads(event.reply)
    assert event.reply.endswith(b"\n")
    assert event.reply.count(b"\n") == 1
    assert reply["jsonrpc"] == "2.0"
    assert reply["error"] == {"code": event.code, "message": event.message}
    assert reply["id"] == event.id
    return event.code, event.id


def ended(peer: Peer, data: bytes) -> tuple[Any, int, str]:
    """Id, code and message of the error that one call ended with."""
    event = one(peer, data)
    assert isinstance(event, ErrorReceived)
    return event.id, event.code, event.message


def calling(count: int = 1, **options: Any) -> Peer:
    """A peer with calls 0, 1, ... without an answer."""
    peer = Peer(**options)
    for _ in range(count):
        peer.request("m")
    return peer


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


# --- calls in, bytes out ---


def test_own_ids_count_from_zero_and_stand_first() -> None:
    peer = Peer()
    assert peer.request("a") == (0, b'{"id":0,"method":"a","jsonrpc":"2.0"}\n')
    assert peer.request("b", {"x": [1]}) == (
        1,
        b'{"id":1,"method":"b","params":{"x":[1]},"jsonrpc":"2.0"}\n',
    )


def test_own_ids_with_a_prefix_are_strings() -> None:
    peer = Peer(id_prefix="bridge-")
    assert [peer.request("a")[0], peer.request("a")[0]] == ["bridge-0", "bridge-1"]
    event = one(peer, line(id="bridge-1", result=True))
    assert event == ResultReceived(id="bridge-1", result=True)


def test_a_notification_has_no_id() -> None:
    peer = Peer()
    assert json.loads(peer.notify("n", {"a": 1})) == {
        "jsonrpc": "2.0",
        "method": "n",
        "params": {"a": 1},
    }
    assert json.loads(peer.notify("n")) == {"jsonrpc": "2.0", "method": "n"}


def test_text_with_newlines_stays_on_one_line() -> None:
    data = Peer().notify("n", {"text": "one\ntwo\r\n\u2028three"})
    assert data.count(b"\n") == 1
    assert json.loads(data)["params"]["text"] == "one\ntwo\r\n\u2028three"


@pytest.mark.parametrize("value", [{"a": object()}, ["\ud800"], {("a",): 1}])
def test_what_json_cannot_say_is_misuse_and_takes_no_id(value: object) -> None:
    peer = Peer()
    with pytest.raises(MisuseError) as raised:
        peer.request("ask", value)
    assert "ask" in str(raised.value)
    assert raised.value.__cause__ is None
    with pytest.raises(MisuseError):
        peer.notify("tell", value)
    assert peer.request("ask")[0] == 0


def test_a_value_without_end_is_misuse() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(MisuseError):
        Peer().request("ask", endless)


def test_one_call_too_many_is_misuse_until_one_has_its_answer() -> None:
    peer = calling(2, limits=Limits(outgoing=2))
    with pytest.raises(MisuseError, match=r"Limits\.outgoing"):
        peer.request("c")
    peer.receive(line(id=0, result=1))
    assert peer.request("c")[0] == 2


# --- requests and notifications of the other side ---


def test_a_request_waits_for_its_result() -> None:
    peer = Peer()
    event = one(peer, line(id=7, method="m", params={"a": [1, None]}))
    assert event == RequestReceived(id=7, method="m", params={"a": [1, None]})
    assert peer.result(7, {"ok": True}) == b'{"id":7,"result":{"ok":true},"jsonrpc":"2.0"}\n'


@pytest.mark.parametrize("id", [0, -1, 2**53 + 1, 2**70, "0", "", "ü"])
def test_an_id_comes_back_as_it_came(id: int | str) -> None:
    peer = Peer()
    assert one(peer, line(id=id, method="m")) == RequestReceived(id=id, method="m", params=None)
    assert json.loads(peer.result(id, None)) == {"jsonrpc": "2.0", "id": id, "result": None}


def test_an_id_with_an_empty_fraction_is_an_integer() -> None:
    event = one(Peer(), b'{"jsonrpc":"2.0","id":3.0,"method":"m"}\n')
    assert event == RequestReceived(id=3, method="m", params=None)


def test_ids_are_per_direction() -> None:
    peer = calling()
    assert isinstance(one(peer, line(id=0, method="m")), RequestReceived)
    assert one(peer, line(id=0, result="theirs")) == ResultReceived(id=0, result="theirs")
    assert json.loads(peer.result(0, "ours"))["result"] == "ours"


def test_an_answer_goes_out_once() -> None:
    peer = Peer()
    assert peer.result(1, "never asked") == b""
    assert peer.error(1, -1, "never asked") == b""
    peer.receive(line(id=1, method="m"))
    assert peer.result(1, 1) != b""
    assert peer.result(1, 1) == b""
    assert peer.error(1, -1, "m") == b""


def test_an_error_is_answered_with_code_message_and_data() -> None:
    peer = Peer()
    peer.receive(line(id=1, method="m") + line(id=2, method="m"))
    assert json.loads(peer.error(1, -32602, "no", {"path": "/a"})) == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32602, "message": "no", "data": {"path": "/a"}},
    }
    assert json.loads(peer.error(2, -32602, "no"))["error"] == {"code": -32602, "message": "no"}


def test_an_error_that_json_cannot_say_is_an_internal_error() -> None:
    peer = Peer()
    peer.receive(line(id=1, method="m"))
    reply = json.loads(peer.error(1, -1, "no", object()))
    assert reply["error"] == {"code": INTERNAL_ERROR, "message": "internal error"}


def test_a_result_that_json_cannot_say_leaves_the_request_unanswered() -> None:
    peer = Peer()
    peer.receive(line(id=1, method="m"))
    with pytest.raises(MisuseError):
        peer.result(1, object())
    assert peer.error(1, INTERNAL_ERROR, "internal error") != b""


@pytest.mark.parametrize("params", [{}, [], {"a": {"b": 1}}, [1, "x"]])
def test_params_are_objects_or_arrays(params: object) -> None:
    peer = Peer()
    assert one(peer, line(id=1, method="m", params=params)) == RequestReceived(
        id=1, method="m", params=params
    )
    assert one(peer, line(method="n", params=params)) == NotificationReceived(
        method="n", params=params
    )


def test_params_that_are_null_are_absent() -> None:
    peer = Peer()
    assert one(peer, line(method="n", params=None)) == NotificationReceived(method="n", params=None)
    assert one(peer, line(method="n")) == NotificationReceived(method="n", params=None)


@pytest.mark.parametrize("params", ["x", 1, True, 1.5])
def test_other_params_are_refused_and_never_answered_in_a_notification(params: object) -> None:
    peer = Peer()
    assert refusal(peer, line(id=1, method="m", params=params)) == (INVALID_PARAMS, 1)
    event = one(peer, line(method="n", params=params))
    assert isinstance(event, MessageRefused)
    assert (event.code, event.reply) == (INVALID_PARAMS, b"")


def test_a_request_may_have_members_that_nobody_knows() -> None:
    event = one(Peer(), line(id=1, method="m", result=1, error=2, extra={"a": 1}))
    assert event == RequestReceived(id=1, method="m", params=None)


@pytest.mark.requirement("FWD-9")
def test_the_order_of_members_is_kept() -> None:
    event = one(Peer(), b'{"jsonrpc":"2.0","method":"n","params":{"z":1,"a":2,"m":3}}\n')
    assert isinstance(event, NotificationReceived)
    assert isinstance(event.params, dict)
    assert list(event.params) == ["z", "a", "m"]


@pytest.mark.parametrize(
    "digits", ["9007199254740993", "9223372036854775808", "-18446744073709551617", "1" + "0" * 200]
)
def test_whole_numbers_of_any_size_keep_their_value(digits: str) -> None:
    peer = Peer()
    event = one(peer, f'{{"jsonrpc":"2.0","method":"n","params":[{digits}]}}\n'.encode())
    assert event == NotificationReceived(method="n", params=[int(digits)])
    assert f"[{digits}]".encode() in peer.notify("n", [int(digits)])


def test_of_two_members_with_one_name_the_last_counts() -> None:
    event = one(Peer(), b'{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}\n')
    assert event == RequestReceived(id=2, method="m", params=None)


def test_a_request_whose_id_is_still_unanswered_is_refused_under_that_id() -> None:
    peer = Peer()
    peer.receive(line(id=1, method="first"))
    assert refusal(peer, line(id=1, method="second")) == (INVALID_REQUEST, 1)
    assert json.loads(peer.result(1, "first"))["result"] == "first"
    assert isinstance(one(peer, line(id=1, method="third")), RequestReceived)


def test_one_request_too_many_is_refused_until_one_is_answered() -> None:
    peer = Peer(limits=Limits(incoming=2))
    peer.receive(line(id=1, method="m") + line(id=2, method="m"))
    assert refusal(peer, line(id=3, method="m")) == (TOO_MANY_REQUESTS, 3)
    peer.result(1, None)
    assert isinstance(one(peer, line(id=3, method="m")), RequestReceived)


# --- cancellation ---


@pytest.mark.requirement("REQ-6")
def test_a_cancellation_names_an_unanswered_request_which_is_still_answered() -> None:
    peer = Peer()
    peer.receive(line(id="q", method="m"))
    cancel = line(method="$/cancel_request", params={"requestId": "q"})
    assert one(peer, cancel) == CancelReceived(id="q")
    assert json.loads(peer.error("q", -32800, "cancelled"))["id"] == "q"
    assert peer.receive(cancel) == []


@pytest.mark.parametrize(
    "params", [None, [], [1], {}, {"requestId": None}, {"requestId": {}}, {"requestId": 9}]
)
def test_a_cancellation_of_nothing_is_ignored(params: object) -> None:
    peer = Peer()
    peer.receive(line(id=1, method="m"))
    assert peer.receive(line(method="$/cancel_request", params=params)) == []


@pytest.mark.requirement("REQ-5")
def test_a_call_that_was_given_up_says_so_and_drops_its_late_response() -> None:
    peer = calling()
    assert json.loads(peer.cancel(0)) == {
        "jsonrpc": "2.0",
        "method": "$/cancel_request",
        "params": {"requestId": 0},
    }
    assert peer.cancel(0) == b""
    assert peer.receive(line(id=0, result="late")) == []
    assert peer.receive(line(id=0, error={"code": -32800, "message": "cancelled"})) == []


# --- responses ---


@pytest.mark.parametrize("result", [None, False, 0, "", [], {}, {"error": 1}])
def test_a_result_ends_its_call_once(result: object) -> None:
    peer = calling()
    assert one(peer, line(id=0, result=result)) == ResultReceived(id=0, result=result)
    assert peer.receive(line(id=0, result=result)) == []


def test_an_error_ends_its_call_with_code_message_and_data() -> None:
    peer = calling(2)
    error = {"code": -32000, "message": "log in", "data": [1]}
    assert one(peer, line(id=0, error=error)) == ErrorReceived(
        id=0, code=-32000, message="log in", data=[1]
    )
    assert one(peer, line(id=1, error={"code": 1, "message": ""}, result=None)) == ErrorReceived(
        id=1, code=1, message=""
    )


def test_a_null_error_beside_a_result_is_no_error() -> None:
    assert one(calling(), line(id=0, result=1, error=None)) == ResultReceived(id=0, result=1)


def test_a_response_may_write_its_id_with_an_empty_fraction() -> None:
    event = one(calling(), b'{"jsonrpc":"2.0","id":0.0,"result":1}\n')
    assert event == ResultReceived(id=0, result=1)


@pytest.mark.parametrize("id", [1, "0", False, None, 0.5, [0], {"0": 0}])
def test_a_response_to_no_call_of_ours_is_dropped(id: object) -> None:
    peer = calling()
    assert peer.receive(line(id=id, result=1)) == []
    assert one(peer, line(id=0, result=2)) == ResultReceived(id=0, result=2)


def test_an_error_of_no_call_is_reported_and_ends_none() -> None:
    peer = calling()
    error = {"code": -32700, "message": "Parse error"}
    assert one(peer, line(id=None, error=error)) == ErrorReceived(
        id=None, code=-32700, message="Parse error"
    )
    assert peer.receive(line(id=None, error="odd")) == []
    assert one(peer, line(id=0, result=1)) == ResultReceived(id=0, result=1)


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"error": None},
        {"error": "broken"},
        {"error": {}},
        {"error": {"code": "x", "message": "m"}},
        {"error": {"code": True, "message": "m"}},
        {"error": {"code": 1, "message": None}},
        {"result": 1, "error": {"code": 1, "message": "m"}},
        {"result": 1, "error": "broken"},
    ],
)
def test_a_malformed_response_ends_its_call_with_an_error(members: dict[str, Any]) -> None:
    peer = calling()
    id, code, message = ended(peer, line(id=0, **members))
    assert (id, code) == (0, INVALID_REQUEST)
    assert "response" in message
    assert peer.receive(line(id=0, result=1)) == []


# --- envelopes that cannot be taken ---


@pytest.mark.parametrize("version", [{}, {"jsonrpc": "1.0"}, {"jsonrpc": 2.0}, {"jsonrpc": None}])
def test_another_version_of_json_rpc_is_refused_under_its_own_id(version: dict[str, Any]) -> None:
    peer = calling(1)
    assert refusal(peer, line({"id": 5, "method": "m", **version})) == (INVALID_REQUEST, 5)
    assert refusal(peer, line({"id": [], "method": "m", **version})) == (INVALID_REQUEST, None)
    assert refusal(peer, line({"method": "n", **version})) == (INVALID_REQUEST, None)
    assert ended(peer, line({"id": 0, "result": 1, **version}))[:2] == (0, INVALID_REQUEST)
    late = one(peer, line({"id": 0, "result": 1, **version}))
    assert isinstance(late, MessageRefused)
    assert late.reply == b""


def test_a_request_of_another_version_ends_no_call_of_the_same_id() -> None:
    peer = calling()
    assert refusal(peer, line({"id": 0, "method": "m"})) == (INVALID_REQUEST, 0)
    assert one(peer, line(id=0, result=1)) == ResultReceived(id=0, result=1)


@pytest.mark.parametrize("id", [None, True, 1.5, 1e300, [], {}, [1]])
def test_an_id_that_is_none_is_refused_under_null(id: object) -> None:
    assert refusal(Peer(), line(id=id, method="m")) == (INVALID_REQUEST, None)


@pytest.mark.parametrize("method", [None, 1, {}, ["m"]])
def test_a_method_that_is_no_string_is_refused(method: object) -> None:
    assert refusal(Peer(), line(id=1, method=method)) == (INVALID_REQUEST, 1)
    assert refusal(Peer(), line(method=method)) == (INVALID_REQUEST, None)


@pytest.mark.parametrize("members", [{}, {"id": 3}, {"id": 3, "params": {}}, {"foo": "boo"}])
def test_a_message_without_method_and_answer_is_refused(members: dict[str, Any]) -> None:
    assert refusal(Peer(), line(**members)) == (INVALID_REQUEST, members.get("id"))


def test_a_message_with_params_ends_no_call() -> None:
    peer = calling()
    assert refusal(peer, line(id=0, params={})) == (INVALID_REQUEST, 0)


@pytest.mark.parametrize("array", [b"[]", b"[1,2]", b'[{"jsonrpc":"2.0","id":1,"method":"m"}]'])
@pytest.mark.parametrize("answer_noise", [True, False])
def test_a_batch_is_refused_once_under_null(array: bytes, answer_noise: bool) -> None:
    peer = Peer(answer_noise=answer_noise)
    assert refusal(peer, array + b"\n") == (INVALID_REQUEST, None)


@pytest.mark.parametrize("scalar", [b"1", b'"text"', b"true", b"null", b"-1.5e3"])
def test_a_scalar_is_refused_by_an_agent_and_is_noise_to_a_client(scalar: bytes) -> None:
    assert refusal(Peer(), scalar + b"\n") == (INVALID_REQUEST, None)
    assert one(Peer(answer_noise=False), scalar + b"\n") == NoiseReceived(text=scalar)


# --- text that is not JSON ---


BROKEN = [
    b"{",
    b"{}}",
    b'{"jsonrpc":"2.0","id":1,"method":"m"',
    b'{"jsonrpc":"2.0","id":1,"method":"m",}',
    b'{"jsonrpc":"2.0" "id":1}',
    b"{'jsonrpc': '2.0'}",
    b'{"a":01}',
    b'{"a":"\\x"}',
    b"[1,",
    b"[" * 200,
    b"[\x00]",
]


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("answer_noise", [True, False])
def test_bad_json_is_answered_with_a_parse_error_and_the_connection_goes_on(
    text: bytes, answer_noise: bool
) -> None:
    peer = Peer(answer_noise=answer_noise)
    assert refusal(peer, text + b"\n") == (PARSE_ERROR, None)
    assert isinstance(one(peer, line(id=1, method="m")), RequestReceived)


@pytest.mark.parametrize("text", [b"Hello", b"DEBUG {1}", b"\xff\xfe", b"nul", b"-", b"\x1b[0m{}"])
def test_noise_is_a_parse_error_to_an_agent_and_skipped_by_a_client(text: bytes) -> None:
    assert refusal(Peer(), text + b"\n") == (PARSE_ERROR, None)
    assert one(Peer(answer_noise=False), text + b"\n") == NoiseReceived(text=text)


def test_noise_is_reported_by_its_beginning_only() -> None:
    event = one(Peer(answer_noise=False), b"x" * 100_000 + b"\n")
    assert event == NoiseReceived(text=b"x" * 500)


def test_only_a_client_shows_what_it_refused() -> None:
    shown = one(Peer(answer_noise=False), b"{'a': 1}\n")
    kept = one(Peer(), b"{'a': 1}\n")
    assert isinstance(shown, MessageRefused)
    assert isinstance(kept, MessageRefused)
    assert (shown.excerpt, kept.excerpt) == (b"{'a': 1}", b"")


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"  \t\n", b"\n\n\n", b"\xef\xbb\xbf\n"])
def test_an_empty_line_is_nothing(blank: bytes) -> None:
    assert Peer().receive(blank) == []
    assert Peer(answer_noise=False).receive(blank) == []


def test_lines_may_end_in_carriage_returns_and_begin_with_blanks() -> None:
    event = one(Peer(), b'  {"jsonrpc":"2.0","method":"n"}\r\n')
    assert event == NotificationReceived(method="n", params=None)


def test_a_byte_order_mark_is_skipped() -> None:
    marked = b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"n"}\n'
    event = one(Peer(), marked)
    assert event == NotificationReceived(method="n", params=None)
    assert one(Peer(answer_noise=False), b"\xef\xbb\xbf" * 50_000 + b" hi\n") == NoiseReceived(
        text=b"hi"
    )


@pytest.mark.parametrize(
    "value",
    [
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"1" * 5000,
        rb'"\ud800"',
        rb'"\udc00x"',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'"\xc3"',
        b'"a\tb"',
    ],
)
def test_a_value_that_cannot_be_read_is_refused_under_the_id_of_its_message(value: bytes) -> None:
    peer = calling(1)
    request = b'{"jsonrpc":"2.0","id":"q","method":"m","params":[%s]}\n' % value
    assert refusal(peer, request) == (PARSE_ERROR, "q")
    notification = b'{"jsonrpc":"2.0","method":"m","params":[%s]}\n' % value
    assert refusal(peer, notification) == (PARSE_ERROR, None)
    response = b'{"jsonrpc":"2.0","result":[%s],"id":0}\n' % value
    assert ended(peer, response)[:2] == (0, PARSE_ERROR)


@pytest.mark.parametrize("id", [rb'"\ud800"', b"1" * 5000, b"NaN"])
def test_an_id_that_cannot_be_read_is_null_in_the_answer(id: bytes) -> None:
    request = b'{"jsonrpc":"2.0","id":%s,"method":"m"}\n' % id
    assert refusal(Peer(), request) == (PARSE_ERROR, None)


def test_a_response_that_is_cut_off_ends_its_call() -> None:
    peer = calling(2)
    assert ended(peer, b'{"id":1,"jsonrpc":"2.0","result":{"id":0,"acti\n')[:2] == (1, PARSE_ERROR)
    assert one(peer, line(id=0, result=1)) == ResultReceived(id=0, result=1)


@pytest.mark.parametrize(
    "text",
    [
        b'{"id":0,"jsonrpc":"2.0"',
        b'{"id":0,"method":"m","result":1',
        b'{"result":{"id":0}',
        b'{"id":9,"result":1',
    ],
)
def test_a_cut_off_text_that_may_be_something_else_ends_no_call(text: bytes) -> None:
    peer = calling()
    assert refusal(peer, text + b"\n") == (PARSE_ERROR, None)
    assert one(peer, line(id=0, result=1)) == ResultReceived(id=0, result=1)


# --- too long, too deep ---


SMALL = Limits(message_bytes=100)


def test_a_message_of_exactly_the_limit_is_read() -> None:
    text = line(method="n", params=["x" * 60]).rstrip()
    peer = Peer(limits=Limits(message_bytes=len(text)))
    assert isinstance(one(peer, text + b"\n"), NotificationReceived)
    assert isinstance(one(peer, text + b"\n" + b"\n"), NotificationReceived)
    assert refusal(peer, text + b" \n")[0] == INVALID_REQUEST


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"jsonrpc":"2.0","id":8,"method":"m","params":["', '"]}'),
        ('{"method":"m","id":8,"params":{"id":1,"t":"', '"}}'),
        ('{"jsonrpc":"2.0","method":"m","params":{"id":1,"t":"', '"},"id":8}'),
        ('{"params":["', '"],"id":8,"method":"m","jsonrpc":"2.0"}'),
        ('{"method":"m","params":["\\"id\\":1,', '\\"id\\":2}"], "id" : 8 }'),
    ],
)
@pytest.mark.parametrize("limits", [SMALL, None])
def test_a_request_that_is_too_long_is_refused_under_its_own_id(
    before: str, after: str, limits: Limits | None
) -> None:
    peer = Peer(limits=limits)
    length = (limits or Limits()).message_bytes
    message = (before + "x" * length + after).encode() + b"\n"
    assert refusal(peer, message) == (INVALID_REQUEST, 8)
    assert isinstance(one(peer, line(id=8, method="m")), RequestReceived)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"jsonrpc":"2.0","id":1,"result":{"id":0,"t":"', '"}}'),
        ('{"jsonrpc":"2.0","result":{"id":0,"t":"', '"},"id":1}'),
        ('{"jsonrpc":"2.0","error":{"code":1,"message":"', '"},"id":1}'),
        ('{"result":"{\\"id\\":0,', '\\"id\\":0}","id":1}'),
    ],
)
def test_a_response_that_is_too_long_ends_its_call(before: str, after: str) -> None:
    peer = calling(2, limits=SMALL)
    message = (before + "x" * 3000 + after).encode() + b"\n"
    id, code, text = ended(peer, message)
    assert (id, code) == (1, INVALID_REQUEST)
    assert "100 bytes" in text
    assert one(peer, line(id=0, result=1)) == ResultReceived(id=0, result=1)


def test_what_is_too_long_and_has_no_id_is_refused_under_null() -> None:
    peer = calling(limits=SMALL)
    for text in (
        '{"method":"m","params":["' + "x" * 3000 + '"]}',
        '{"a":"' + "x" * 3000 + '","id":0,"b":"' + "x" * 3000 + '"}',
        "[" + "1," * 3000 + '{"id":0}]',
        "x" * 3000,
    ):
        assert refusal(peer, text.encode() + b"\n") == (INVALID_REQUEST, None)


def test_a_long_line_that_is_noise_is_skipped_by_a_client() -> None:
    peer = Peer(answer_noise=False, limits=SMALL)
    assert one(peer, b"x" * 3000 + b"\n") == NoiseReceived(text=b"x" * 500)


def test_a_late_response_that_is_too_long_is_dropped_without_a_reply() -> None:
    event = one(Peer(limits=SMALL), line(id=0, result="x" * 200))
    assert isinstance(event, MessageRefused)
    assert event.reply == b""


@pytest.mark.parametrize("depth", [1, 126, 127, 128, 129, 400, 100_000])
@pytest.mark.parametrize("around", ['"]}\\"[[[', "plain"])
def test_a_message_nested_deeper_than_the_limit_is_refused(depth: int, around: str) -> None:
    value = "[" * (depth - 1) + json.dumps(around) + "]" * (depth - 1)
    text = f'{{"jsonrpc":"2.0","id":4,"method":"m","params":{value}}}\n'.encode()
    peer = Peer()
    if 1 < depth <= 128:
        assert isinstance(one(peer, text), RequestReceived)
    elif depth == 1:
        assert refusal(peer, text) == (INVALID_PARAMS, 4)
    else:
        assert refusal(peer, text) == (INVALID_REQUEST, 4)


def test_a_response_nested_too_deep_ends_its_call() -> None:
    peer = calling()
    text = f'{{"jsonrpc":"2.0","result":{nested(128)},"id":0}}\n'.encode()
    assert ended(peer, text)[:2] == (0, INVALID_REQUEST)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    params = [{"a": [1]}] * 1000 + ["[" * 500]
    event = one(Peer(), line(id=1, method="m", params=params))
    assert event == RequestReceived(id=1, method="m", params=params)


def test_a_limit_of_depth_beyond_the_decoder_is_no_crash() -> None:
    peer = Peer(limits=Limits(depth=200_000))
    text = f'{{"jsonrpc":"2.0","id":4,"method":"m","params":{nested(100_000)}}}\n'.encode()
    assert refusal(peer, text) == (PARSE_ERROR, None)


# --- chunks ---


def test_messages_come_out_whatever_the_chunks_are() -> None:
    peer = Peer()
    data = line(method="a") + line(method="b") + line(method="c")
    assert peer.receive(data[:10]) == []
    assert [e.method for e in peer.receive(data[10:-3])] == ["a", "b"]  # type: ignore[union-attr]
    assert [e.method for e in peer.receive(data[-3:])] == ["c"]  # type: ignore[union-attr]
    assert peer.receive(b"") == []


def test_the_end_of_input_ends_the_last_line() -> None:
    peer = Peer()
    peer.receive(line(method="n").rstrip())
    assert peer.end_of_input() == [NotificationReceived(method="n", params=None)]
    assert peer.end_of_input() == []
    peer.receive(b" ")
    assert peer.end_of_input() == []


def test_a_message_cut_off_by_the_end_of_input_is_a_parse_error() -> None:
    peer = Peer()
    peer.receive(b'{"jsonrpc":"2.0","id":1,"met')
    (event,) = peer.end_of_input()
    assert isinstance(event, MessageRefused)
    assert event.code == PARSE_ERROR


@pytest.mark.requirement("RES-5")
def test_a_response_cut_off_by_the_end_of_input_leaves_its_call_to_the_end_of_the_connection() -> (
    None
):
    peer = calling()
    peer.receive(b'{"jsonrpc":"2.0","id":0,"result":{"a')
    (event,) = peer.end_of_input()
    assert isinstance(event, MessageRefused)
    assert peer.cancel(0) != b""


class _Stopped(Exception):
    pass


def _stop_secrets(message: bytes) -> None:
    if b"hunter2" in message:
        raise _Stopped


@pytest.mark.requirement("URL-2")
def test_a_call_or_notification_that_is_stopped_leaves_nothing_behind() -> None:
    peer = Peer(check_outgoing=_stop_secrets)
    with pytest.raises(_Stopped):
        peer.request("m", {"t": "hunter2"})
    with pytest.raises(_Stopped):
        peer.notify("m", {"t": "hunter2"})
    id, data = peer.request("m", {"t": "fine"})
    assert id == 0
    assert b"hunter2" not in data


@pytest.mark.requirement("URL-2")
def test_an_answer_that_is_stopped_can_still_be_an_error() -> None:
    peer = Peer(check_outgoing=_stop_secrets)
    one(peer, line(id=1, method="m"))
    with pytest.raises(_Stopped):
        peer.result(1, "hunter2")
    reply = json.loads(peer.error(1, 5, "no", {"why": "hunter2"}))
    assert reply["error"] == {"code": INTERNAL_ERROR, "message": "internal error"}
    assert peer.error(1, 5, "again") == b""


def test_what_the_wire_itself_says_is_never_stopped() -> None:
    def stop(message: bytes) -> None:
        raise _Stopped

    peer = Peer(check_outgoing=stop)
    assert refusal(peer, b"[]\n") == (INVALID_REQUEST, None)
