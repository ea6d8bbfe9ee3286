"""Messages as lines: what is read exactly, and what is written."""

import json
from collections.abc import Callable

import pytest
from msgspec import UNSET

from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.wire.messages import (
    Writer,
    read_error,
    read_id,
    read_message,
)


@pytest.mark.parametrize(
    ("value", "id"),
    [
        (0, 0),
        (-5, -5),
        (2**80, 2**80),
        ("", ""),
        ("x", "x"),
        (2.0, 2),
        (-0.0, 0),
        (float(2**53), 2**53),
        (float(2**54), UNSET),
        (1.5, UNSET),
        (float("inf"), UNSET),
        (True, UNSET),
        (None, UNSET),
        ([], UNSET),
        ({}, UNSET),
        (UNSET, UNSET),
    ],
)
def test_ids_are_integers_and_strings(value: object, id: object) -> None:
    assert read_id(value) == id
    assert type(read_id(value)) is type(id)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"code": 1, "message": "m"}, (1, "m", None)),
        ({"code": 2**70, "message": "m", "data": 0, "x": 1}, (2**70, "m", 0)),
        ({"code": 1.0, "message": "m"}, None),
        ({"code": True, "message": "m"}, None),
        ({"code": 1}, None),
        ({"message": "m"}, None),
        (["code", "message"], None),
        ("error", None),
        (None, None),
    ],
)
def test_an_error_has_a_code_and_a_message(value: object, error: object) -> None:
    assert read_error(value) == error


def test_what_is_absent_is_told_from_null() -> None:
    message = read_message(b'{"id":null,"params":null,"other":1}')
    assert (message.id, message.params) == (None, None)
    assert (message.method, message.result, message.error) == (UNSET, UNSET, UNSET)


def test_every_message_is_one_line_with_the_id_first() -> None:
    lines = [
        Writer().call(1, "m", {"t": "a\nb"}),
        Writer().notification("m", ["\n"]),
        Writer().result("x", "\n"),
        Writer().failure(None, 1, "\n", "\n"),
        Writer().failure(2, 1, ""),
    ]
    for line in lines:
        assert line.index(b"\n") == len(line) - 1
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        assert "id" not in message or next(iter(message)) == "id"


@pytest.mark.parametrize("value", [object(), {1j: 1}, "\udfff", [lambda: None]])
def test_a_value_that_json_cannot_say_is_misuse_without_the_value(value: object) -> None:
    writers: list[Callable[[], bytes]] = [
        lambda: Writer().call(1, "m", [value]),
        lambda: Writer().notification("m", [value]),
        lambda: Writer().result(1, [value]),
        lambda: Writer().failure(1, 1, "m", [value]),
    ]
    for write in writers:
        with pytest.raises(MisuseError) as raised:
            write()
        assert raised.value.__suppress_context__
        assert "dfff" not in str(raised.value)


def test_infinities_go_out_as_null() -> None:
    assert json.loads(Writer().result(1, [float("nan"), float("inf")]))["result"] == [None, None]
