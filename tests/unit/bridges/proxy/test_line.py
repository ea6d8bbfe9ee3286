"""What a line is taken for, what is read of it, and how a changed one is spelled."""

import json
from typing import Any

import pytest

from acp_elicitation.bridges.proxy.line import Line, Opaque, encode, look_into, with_params


def looked_into(raw: bytes) -> Line:
    line = look_into(Opaque(raw))
    assert isinstance(line, Line)
    return line


def test_a_message_has_the_members_that_json_rpc_names() -> None:
    line = looked_into(b'{"id": 1, "method": "m", "params": {"a": [1]}, "other": 2}\n')
    assert (line["id"], line.get("method"), line["params"]) == (1, "m", {"a": [1]})
    assert "result" not in line
    assert line.get("result", 7) == 7
    assert "other" not in line


def test_a_member_is_read_once_and_then_kept() -> None:
    line = looked_into(b'{"params": {"a": 1}}')
    assert line["params"] is line["params"]


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n", b"[]", b"7", b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'{"a":' * 100_000],
)
def test_what_is_no_message_stays_as_it_is(raw: bytes) -> None:
    assert look_into(Opaque(raw)) is not None
    assert isinstance(look_into(Opaque(raw)), Opaque)


def test_a_member_that_cannot_be_read_is_none() -> None:
    assert looked_into(b'{"params": "\xff"}')["params"] is None


def test_a_member_that_stands_twice_is_the_last_one() -> None:
    assert looked_into(b'{"method": "a", "method": "b"}')["method"] == "b"


def test_a_text_that_was_cut_within_an_emoji_can_be_read() -> None:
    line = looked_into(b'{"method": "m", "params": {"message": "\\ud83d"}}')
    assert line["params"] == {"message": "\ud83d"}


def test_members_that_are_repeated_or_nested_without_end_cost_no_memory() -> None:
    many = b",".join(b'"m%d":[[],[]]' % number for number in range(1_000))
    line = looked_into(b'{"params": {%s}, %s}' % (many, many))
    assert len(line) == 1


@pytest.mark.requirement("FWD-7", "FWD-8", "FWD-9")
def test_what_was_not_changed_is_spelled_as_it_was() -> None:
    raw = (
        b'{ "zz": 1.0, "params" : {"protocolVersion":1e0,"_meta":{"n":12345678901234567890.10, '
        b'"e":1e999,"\\u00e9":"\\u0041"}, "caps": {"fs": {"x":1.50},"old":1}},"id":7.0}'
    )
    params = {"protocolVersion": 1, "_meta": looked_into(raw)["params"]["_meta"]}
    changed = with_params(looked_into(raw), {**params, "caps": {"fs": {"x": 1.5}, "new": {}}})
    assert encode(changed) == (
        b'{"zz":1.0,"params":{"protocolVersion":1e0,"_meta":{"n":12345678901234567890.10, '
        b'"e":1e999,"\\u00e9":"\\u0041"},"caps":{"fs":{"x":1.50},"new":{}}},"id":7.0}'
    )


@pytest.mark.parametrize(
    ("was", "becomes"),
    [({"a": 1}, {"a": {"b": 2}}), ({"a": {"b": 1}}, {"a": 3}), ({"a": 1}, {}), ({}, {"a": {}})],
)
def test_a_value_may_change_its_kind_go_or_come(was: Any, becomes: Any) -> None:
    line = looked_into(json.dumps({"params": was}).encode())
    assert json.loads(encode(with_params(line, becomes))) == {"params": becomes}


def test_half_a_surrogate_pair_survives_a_change_elsewhere() -> None:
    line = looked_into(b'{"x":"\\ud800","params":{"a":1}}')
    assert encode(with_params(line, {"a": 2})) == b'{"x":"\\ud800","params":{"a":2}}'


def test_half_a_surrogate_pair_may_come_new_beside_what_was_kept() -> None:
    line = looked_into(b'{"x":1,"params":{"a":{"b":1}}}')
    changed = with_params(line, {"a": {"b": 1}, "c": "\ud800"})
    assert json.loads(encode(changed)) == {"x": 1, "params": {"a": {"b": 1}, "c": "\ud800"}}
