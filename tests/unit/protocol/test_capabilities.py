"""Which modes the `elicitation` capability of a client advertises."""

from typing import Any

import pytest

from acp_elicitation.protocol.capabilities import (
    Capabilities,
    capabilities_for,
    read_capabilities,
    write_capabilities,
)

NOTHING = Capabilities(form=False, url=False)


@pytest.mark.requirement("CAP-1")
def test_a_missing_or_null_capability_advertises_nothing() -> None:
    assert read_capabilities(None) == NOTHING


@pytest.mark.requirement("CAP-2")
@pytest.mark.parametrize(
    ("value", "form", "url"),
    [
        ({"form": {}}, True, False),
        ({"url": {}}, False, True),
        ({"form": {}, "url": {}}, True, True),
        ({"form": None, "url": {}}, False, True),
        ({"form": {}, "url": None}, True, False),
        ({"form": {"_meta": 5, "x": 1}}, True, False),
    ],
)
def test_a_mode_is_advertised_by_an_object(value: dict[str, object], form: bool, url: bool) -> None:
    assert read_capabilities(value) == Capabilities(form=form, url=url)


@pytest.mark.requirement("CAP-3")
@pytest.mark.parametrize("value", [{}, {"form": None, "url": None}, {"_meta": {"form": {}}}])
def test_an_empty_capability_does_not_mean_form_as_it_does_in_mcp(
    value: dict[str, object],
) -> None:
    assert read_capabilities(value) == NOTHING


@pytest.mark.requirement("CAP-7")
@pytest.mark.parametrize(
    "value",
    [
        *(3, "form", True, [], ["form"]),
        *({"form": 3}, {"form": True}, {"form": "x", "url": []}, {"url": [{}]}),
    ],
)
def test_a_malformed_capability_reads_as_not_advertised(value: object) -> None:
    assert read_capabilities(value) == NOTHING


@pytest.mark.requirement("CAP-7")
def test_a_malformed_mode_does_not_hide_the_other_one() -> None:
    assert read_capabilities({"form": 3, "url": {}}) == Capabilities(url=True)


def test_the_modes_are_those_that_are_advertised() -> None:
    assert Capabilities().modes == frozenset()
    assert Capabilities(form=True).modes == {"form"}
    assert Capabilities(url=True).modes == {"url"}
    assert Capabilities(form=True, url=True).modes == {"form", "url"}


@pytest.mark.parametrize("modes", [{"form", "link"}, ["form", None]])
def test_what_is_no_mode_is_refused_by_its_name(modes: Any) -> None:
    with pytest.raises(ValueError, match=r"no such mode: .*; the modes are 'form' and 'url'"):
        capabilities_for(modes)


@pytest.mark.parametrize("mode", ["form", "url", ""])
def test_a_single_text_is_no_collection_of_modes(mode: Any) -> None:
    with pytest.raises(ValueError, match="expected a collection of modes"):
        capabilities_for(mode)


def test_capabilities_for_modes_advertise_exactly_those() -> None:
    assert capabilities_for([]) == NOTHING
    assert capabilities_for(["form"]) == Capabilities(form=True)
    assert capabilities_for(["url"]) == Capabilities(url=True)
    assert capabilities_for(["url", "form"]) == Capabilities(form=True, url=True)


def test_a_mode_is_written_as_an_empty_object_and_no_mode_at_all_as_nothing() -> None:
    assert write_capabilities(Capabilities(form=True)) == {"form": {}}
    assert write_capabilities(Capabilities(url=True)) == {"url": {}}
    assert write_capabilities(NOTHING) is None
