"""What can be known of a message that is refused unread."""

import pytest
from msgspec import UNSET

from acp_elicitation.wire.salvage import (
    Glimpse,
    glimpse,
    glimpse_broken,
    glimpse_ends,
    nesting,
    read_leniently,
)


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (b"", 0),
        (b"1", 0),
        (b"[]", 1),
        (b'{"a":[{"b":[]}]}', 4),
        (b"[[],[[]],[]]", 3),
        (rb'["[[[[","\"[[[[","\\",["x\\\\\"[[["]]', 2),
        (b'{"a":"}","b":{"[":"["}}', 2),
    ],
)
def test_nesting_counts_what_is_open_at_once_outside_of_strings(text: bytes, depth: int) -> None:
    assert nesting(text) == depth


def ends(text: str, edge: int = 60) -> Glimpse:
    data = text.encode()
    return glimpse_ends(data[:edge], data[-edge:])


LONG = "y" * 200


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (f'{{"id":1,"method":"m","params":["{LONG}"]}}', Glimpse(id=1, asks=True)),
        (f'{{"method":"m","params":["{LONG}"],"id":"a"}}', Glimpse(id="a", asks=True)),
        (f'{{"result":["{LONG}"],"id":12,"x":null}}', Glimpse(id=12, answers=True)),
        (f'{{"id":1,"error":{{"data":"{LONG}"}}}}', Glimpse(id=1, answers=True)),
        (f'{{"params":{{"id":1}},"a":"{LONG}"}}', Glimpse(asks=True)),
        (f'{{"a":"{LONG}","params":{{"id":1}}}}', Glimpse(asks=True)),
        (f'{{"a":"{LONG}","b":["id",1]}}', Glimpse()),
        (f'{{"a":"\\"id\\":1,{LONG},\\"id\\":1"}}', Glimpse()),
        (f'{{"a":"{LONG}\\",\\"id\\":1}}"}}', Glimpse()),
        (f'{{"a":"{LONG}","\\"id":1}}', Glimpse()),
        (f'["id",1,"{LONG}",{{"id":1}}]', Glimpse()),
        (f'"{LONG}"', Glimpse()),
        (f'{{"id":"{LONG * 2}","b":"{LONG}"}}', Glimpse()),
        (f'{{"id":[1],"b":"{LONG}"}}', Glimpse()),
        (f'{{"id":1.5,"b":"{LONG}"}}', Glimpse(id=1.5)),
        (f'{{"id":1,"b":"{LONG}","id":2}}', Glimpse(id=1)),
        (f'{{ "id" : 5 , "b":"{LONG}"}}', Glimpse(id=5)),
        (f'{{"b":"{LONG}" , "id" : 5 , "method" : "m" }} ', Glimpse(id=5, asks=True)),
        (f'{{"a":"{LONG}","id":7,"result":[[{{"id":1}}]],"b":{{}}}}', Glimpse(id=7, answers=True)),
        (f'{{"a":"{LONG}","id":"\\"\\\\","b":"\\\\\\""}}', Glimpse(id='"\\')),
        (f'{{"a":"{LONG}","b":{{"id":1}},"c":2}}', Glimpse()),
        (f'{{"a":"{LONG}","b":["id",1,"id"]}}', Glimpse()),
        (f'{{"a":"{LONG}","id":true,"b":-1.5e3}}', Glimpse(id=True)),
        (f'{{"a":"{LONG}","result":0,"b":[[1],2],"id":[3]}}', Glimpse(answers=True)),
        (f'{{"id":{"1" * 100},"b":"{LONG}"}}', Glimpse()),
        (f'{{"id":1e999,"b":"{LONG}"}}', Glimpse()),
    ],
)
def test_the_ends_of_a_message_show_its_envelope_and_nothing_else(text: str, seen: Glimpse) -> None:
    assert ends(text) == seen


def test_a_message_shorter_than_its_ends_is_seen_whole() -> None:
    text = '{"jsonrpc":"2.0","id":3,"result":{"id":9,"deep":[[1]]}}'
    assert ends(text) == Glimpse(id=3, answers=True)


def test_the_beginning_of_a_broken_text_counts_and_its_end_does_not() -> None:
    assert glimpse_broken(b'{"id":1,"result":{"id":2,"x":') == Glimpse(id=1, answers=True)
    assert glimpse_broken(b'{"result":{"x":1},"id":2}') == Glimpse(id=2, answers=True)
    assert glimpse_broken(b'{"result":{"id":2}') == Glimpse(answers=True)
    assert glimpse_broken(b'{"id":1]') == Glimpse(id=1)
    assert glimpse_broken(b'{"id":12') == Glimpse()
    assert glimpse_broken(b"{id:1}") == Glimpse()


def test_an_id_that_no_answer_can_carry_is_unseen() -> None:
    assert glimpse({"id": "\ud800", "method": 1}) == Glimpse(asks=True)
    assert glimpse({"id": "ok"}) == Glimpse(id="ok")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a":NaN,"b":-Infinity,"c":2}', {"a": None, "b": None, "c": 2}),
        (b"[1e999]", [float("inf")]),
        (b"[" + b"9" * 300 + b"]", [None]),
        (rb'"\ud800"', "\ud800"),
        (b'"\xff"', "\ufffd"),
        (b'"a\tb"', "a\tb"),
        (b"{", UNSET),
        (b"{'a':1}", UNSET),
        (b"[" * 100_000, UNSET),
        (b"", UNSET),
    ],
)
def test_lenient_reading_takes_odd_values_and_no_broken_structure(
    text: bytes, value: object
) -> None:
    assert read_leniently(text) == value


def test_an_id_too_long_to_be_one_is_unseen() -> None:
    text = b'{"id":"' + b"x" * 300 + b'","method":"m"}'
    assert glimpse_broken(text) == Glimpse(asks=True)


@pytest.mark.parametrize("unit", [b'{"":', b',"":1', b'"', b"\\", b'{"a":"', b"[", b" ", b',"":"'])
def test_a_hostile_text_is_looked_at_in_bounded_time(unit: bytes) -> None:
    """Each look takes under a millisecond. If one were quadratic, the limit of the test would end
    this: a hundred looks at about a thousand bytes, and one at a million."""
    text = b'{"id":1,' + unit * (1000 // len(unit)) + b"}"
    for _ in range(100):
        assert glimpse_ends(text, text).id == 1
    assert nesting(unit * 1_000_000) >= 0
