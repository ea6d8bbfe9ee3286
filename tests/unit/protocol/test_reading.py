"""The kinds of value, the three rules, and the loop that applies a table of them."""

from typing import Any

import msgspec
import pytest

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import (
    BOOLEAN,
    COUNT,
    INTEGER,
    MALFORMED,
    NUMBER,
    OBJECT,
    TEXT,
    TEXTS,
    UINT32,
    Field,
    Kind,
    Rule,
    Table,
    malformed_under,
    object_at,
    read_fields,
    read_texts,
    text_at,
    write_fields,
)


def _same(left: object, right: object) -> bool:
    """Equal and of one type: 3 is not 3.0, and 1 is not True."""
    return left == right and type(left) is type(right)


@pytest.mark.parametrize(
    ("kind", "value", "converted"),
    [
        *((TEXT, "", ""), (TEXT, "a", "a")),
        *((BOOLEAN, True, True), (BOOLEAN, False, False)),
        *((OBJECT, {}, {}), (OBJECT, {"a": 1}, {"a": 1})),
        *((NUMBER, 3, 3), (NUMBER, -1.5, -1.5), (NUMBER, 2**64, 2**64), (NUMBER, 0, 0)),
        *((INTEGER, 3, 3), (INTEGER, 3.0, 3), (INTEGER, -7, -7), (INTEGER, 2**64, 2**64)),
        *((COUNT, 0, 0), (COUNT, 3.0, 3), (COUNT, 2**64, 2**64)),
        *((UINT32, 0, 0), (UINT32, 3.0, 3), (UINT32, 2**32 - 1, 2**32 - 1)),
        *((TEXTS, [], ()), (TEXTS, ["a", "a"], ("a", "a"))),
    ],
)
def test_a_value_of_its_kind_is_converted(kind: Kind, value: object, converted: object) -> None:
    assert _same(kind.convert(value), converted)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *((TEXT, 5), (TEXT, None), (TEXT, ["a"])),
        *((BOOLEAN, 1), (BOOLEAN, 0), (BOOLEAN, "true"), (BOOLEAN, None)),
        *((OBJECT, []), (OBJECT, "{}"), (OBJECT, None)),
        *((NUMBER, "1"), (NUMBER, True), (NUMBER, float("inf")), (NUMBER, float("nan"))),
        (NUMBER, None),
        *((INTEGER, 1.5), (INTEGER, True), (INTEGER, "1"), (INTEGER, float("inf"))),
        *((INTEGER, float("nan")), (INTEGER, None)),
        *((COUNT, -1), (COUNT, 0.5), (COUNT, True), (COUNT, "1")),
        *((UINT32, -1), (UINT32, 2**32), (UINT32, 0.5), (UINT32, True)),
        *((TEXTS, "a"), (TEXTS, [1]), (TEXTS, ["a", None]), (TEXTS, {}), (TEXTS, ("a",))),
    ],
)
def test_a_value_of_another_kind_is_malformed(kind: Kind, value: object) -> None:
    assert kind.convert(value) is MALFORMED


def test_a_number_with_more_digits_than_a_double_holds_is_malformed() -> None:
    digits = msgspec.json.decode(b"1" + b"0" * 400)
    assert NUMBER.convert(digits) is MALFORMED
    assert NUMBER.convert(-digits) is MALFORMED
    assert INTEGER.convert(digits) == digits


def test_every_kind_says_what_it_expects_in_words_of_its_own() -> None:
    kinds = TEXT, BOOLEAN, OBJECT, NUMBER, INTEGER, COUNT, UINT32, TEXTS
    assert [kind.expected for kind in kinds] == [
        "a string",
        "a boolean",
        "an object",
        "a number within the range of a double",
        "an integer",
        "an integer from 0",
        "an integer from 0 to 2**32 - 1",
        "a list of strings",
    ]


TABLE: Table = {
    "wireName": Field("strict", TEXT),
    "soft": Field("soft", TEXT, Rule.DEFAULT),
    "list": Field("items", TEXTS, Rule.SKIP),
}
REQUIRED: Table = {"wireNeeded": Field("needed", TEXT, Rule.DEFAULT, required=True)}


def test_members_are_read_by_their_python_names() -> None:
    value = {"wireName": "a", "soft": "b", "list": ["c"]}
    assert read_fields(TABLE, value) == {"strict": "a", "soft": "b", "items": ("c",)}


@pytest.mark.requirement("FWD-7")
def test_null_reads_as_omitted_under_every_rule() -> None:
    assert read_fields(TABLE, {"wireName": None, "soft": None, "list": None}) == {}


@pytest.mark.requirement("FWD-8")
def test_members_that_are_not_in_the_table_are_passed_over() -> None:
    assert read_fields(TABLE, {"strict": 5, "items": 5, "x": {"wireName": 5}}) == {}


@pytest.mark.requirement("FWD-5")
def test_a_malformed_strict_member_is_refused_by_its_place() -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_fields(TABLE, {"soft": "b", "wireName": 5})
    assert (caught.value.path, caught.value.expected) == ("/wireName", "a string")


@pytest.mark.requirement("FWD-6")
@pytest.mark.parametrize("malformed", [5, [], {}, True])
def test_a_malformed_soft_member_reads_as_absent(malformed: object) -> None:
    value = {"wireName": "a", "soft": malformed, "list": ["b"]}
    assert read_fields(TABLE, value) == {"strict": "a", "items": ("b",)}


@pytest.mark.requirement("FWD-6")
def test_malformed_items_of_a_list_are_dropped_one_by_one() -> None:
    value = {"list": ["a", 5, None, ["b"], "c"]}
    assert read_fields(TABLE, value) == {"items": ("a", "c")}


@pytest.mark.requirement("FWD-6")
@pytest.mark.parametrize("malformed", ["ab", 5, {"0": "a"}])
def test_a_list_that_is_none_reads_as_absent(malformed: object) -> None:
    assert read_fields(TABLE, {"list": malformed}) == {}


@pytest.mark.parametrize(
    "value", [{}, {"wireNeeded": None}, {"wireNeeded": 5}, {"needed": "x"}, {"x": 1}]
)
def test_a_required_member_that_is_missing_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_fields(REQUIRED, value)
    assert (caught.value.path, caught.value.expected) == ("/wireNeeded", "a string")


def test_a_required_member_that_is_there_is_read() -> None:
    assert read_fields(REQUIRED, {"wireNeeded": ""}) == {"needed": ""}


def test_a_path_escapes_the_characters_of_a_json_pointer() -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_fields({"a/b~c": Field("x", TEXT)}, {"a/b~c": 5})
    assert caught.value.path == "/a~1b~0c"


class _Thing(msgspec.Struct):
    strict: str | None = None
    soft: str | None = None
    items: tuple[str, ...] | None = None
    other: str = "not in the table"


def test_what_has_a_value_is_written_by_its_wire_name_in_the_order_of_the_table() -> None:
    written = write_fields(TABLE, _Thing(items=("a", "b"), strict=""))
    assert list(written.items()) == [("wireName", ""), ("list", ["a", "b"])]
    assert write_fields(TABLE, _Thing()) == {}
    assert write_fields(TABLE, _Thing(items=())) == {"list": []}


def test_an_object_is_found_under_its_key_or_refused() -> None:
    assert object_at({"k": {"a": 1}}, "k") == {"a": 1}
    values: list[object] = [{}, {"k": None}, {"k": []}, {"other": {}}, [], None, "k"]
    for value in values:
        with pytest.raises(MalformedMessage) as caught:
            object_at(value, "k")
        assert (caught.value.path, caught.value.expected) == ("/k", "an object")


def test_a_string_is_found_under_its_key_or_refused() -> None:
    assert text_at({"k": ""}, "k") == ""
    values: list[dict[str, Any]] = [{}, {"k": None}, {"k": 5}]
    for value in values:
        with pytest.raises(MalformedMessage) as caught:
            text_at(value, "k")
        assert (caught.value.path, caught.value.expected) == ("/k", "a string")


def test_a_list_of_strings_is_found_under_its_key_or_refused() -> None:
    assert read_texts({"k": ["a", "a"]}, "k") == ("a", "a")
    assert read_texts({"k": None}, "k") == read_texts({}, "k") == ()
    values: list[object] = ["a", [1], {}, ["a", None]]
    for malformed in values:
        with pytest.raises(MalformedMessage) as caught:
            read_texts({"k": malformed}, "k")
        assert (caught.value.path, caught.value.expected) == ("/k", "a list of strings")


def test_an_error_moves_under_a_key_with_what_was_expected() -> None:
    error = MalformedMessage(path="/type", expected="a string")
    moved = malformed_under("properties", malformed_under("a/b~c", malformed_under(0, error)))
    assert (moved.path, moved.expected) == ("/properties/a~1b~0c/0/type", "a string")
