"""The manifest: every id once, well-formed, findable."""

import re
from collections import Counter

import msgspec
import pytest

from acp_elicitation.conformance.manifest import GROUPS, REQUIREMENTS, find


def test_every_id_stands_in_the_manifest_once() -> None:
    repeated = [id for id, count in Counter(r.id for r in REQUIREMENTS).items() if count > 1]
    assert repeated == []


def test_every_group_numbers_its_requirements_from_one_without_a_gap() -> None:
    for group in GROUPS:
        numbers = [int(r.id.partition("-")[2]) for r in REQUIREMENTS if r.group == group]
        assert numbers == list(range(1, len(numbers) + 1)), group


def test_every_requirement_belongs_to_a_known_group_and_names_a_side() -> None:
    for requirement in REQUIREMENTS:
        assert re.fullmatch(r"[A-Z]+-[1-9][0-9]*", requirement.id)
        assert requirement.group in GROUPS
        assert requirement.sides
        assert requirement.statement == requirement.statement.strip() != ""


def test_the_groups_have_as_many_requirements_as_the_protocol_page() -> None:
    counts = Counter(r.group for r in REQUIREMENTS)
    assert counts == {"UI": 6, "CAP": 7, "REQ": 6, "FORM": 9, "URL": 14, "RES": 6, "FWD": 9}


def test_a_requirement_is_found_by_its_id() -> None:
    found = find("CAP-4")
    assert found is not None
    assert (found.id, found.sides, found.level) == ("CAP-4", ("agent",), "MUST NOT")


def test_an_unknown_id_finds_nothing() -> None:
    assert find("CAP-99") is None


def test_a_requirement_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        REQUIREMENTS[0].statement = "anything goes"  # type: ignore[misc]
    assert isinstance(REQUIREMENTS[0], msgspec.Struct)
