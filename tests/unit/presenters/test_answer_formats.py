"""The formats of an answers file: no key twice, and a reason for what cannot be read."""

from pathlib import Path

import pytest

from acp_elicitation.presenters.answer_formats import NotReadable, parse_file


def parse(folder: Path, name: str, text: str) -> object:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return parse_file(path)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.yaml", "a: 1\nb: 2\na: 3\n", "line 3: the key 'a' stands here twice"),
        ("a.yaml", "- {x: {a: 1, 'a': 2}}", "line 1: the key 'a' stands here twice"),
        ("a.json", '[{"a": 1, "b": 2, "a": 3}]', "the key 'a' stands twice in one object"),
        ("a.toml", "a = 1\na = 2\n", "Cannot overwrite a value"),
    ],
)
def test_a_key_that_stands_twice_is_refused(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    with pytest.raises(NotReadable, match=f"not readable as {name[2:]}: .*{reason}"):
        parse(tmp_path, name, text)


def test_the_same_key_may_stand_in_two_places(tmp_path: Path) -> None:
    expected = [{"a": 1}, {"a": {"a": 2}}]
    assert parse(tmp_path, "a.yaml", "- {a: 1}\n- {a: {a: 2}}\n") == expected
    assert parse(tmp_path, "a.json", '[{"a": 1}, {"a": {"a": 2}}]') == expected


def test_a_byte_order_mark_is_no_part_of_json(tmp_path: Path) -> None:
    assert parse(tmp_path, "a.json", "\ufeff[]") == []


@pytest.mark.parametrize(("name", "deep"), [("a.json", "[" * 100_000), ("a.yaml", "[" * 5_000)])
def test_what_is_nested_too_deeply_is_refused(tmp_path: Path, name: str, deep: str) -> None:
    with pytest.raises(NotReadable, match="not readable as"):
        parse(tmp_path, name, deep)


def test_what_is_nested_deeply_is_read_up_to_a_hundred_brackets(tmp_path: Path) -> None:
    assert parse(tmp_path, "a.yaml", "[" * 100 + "]" * 100)
    with pytest.raises(NotReadable, match="nested too deeply"):
        parse(tmp_path, "a.yaml", "{a: " * 101 + "1" + "}" * 101)


def test_keys_that_are_no_texts_are_read(tmp_path: Path) -> None:
    assert parse(tmp_path, "a.yaml", "{1: a, '1': b}") == {1: "a", "1": "b"}
    with pytest.raises(NotReadable, match="unhashable key"):
        parse(tmp_path, "a.yaml", "{[x]: b}")
