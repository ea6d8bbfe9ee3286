"""The table of versions, and the choice of one at `initialize`."""

import msgspec
import pytest

from acp_elicitation.protocol.version import (
    ALL_VERSIONS,
    V1,
    V2,
    Version,
    negotiate,
    version_numbered,
)


def test_every_row_of_the_table_is_a_difference_between_the_versions() -> None:
    for field in msgspec.structs.fields(Version):
        assert getattr(V1, field.name) != getattr(V2, field.name), field.name


def test_the_versions_are_numbered_as_protocol_version_numbers_them() -> None:
    assert [version.number for version in ALL_VERSIONS] == [1, 2]
    assert version_numbered(1) is V1
    assert version_numbered(2) is V2


@pytest.mark.parametrize("number", [0, 3, -1, None, "1", True, [1], 1.5])
def test_what_is_no_number_of_ours_names_no_version(number: object) -> None:
    assert version_numbered(number) is None


@pytest.mark.parametrize(
    ("offered", "answered"), [(1, V1), (2, V2), (3, V2), (65535, V2), (0, None), (-1, None)]
)
def test_an_agent_answers_the_highest_version_at_or_below_the_offered(
    offered: int, answered: Version | None
) -> None:
    assert negotiate(offered) is answered


@pytest.mark.parametrize(
    ("offered", "supported", "answered"),
    [
        (2, (V1,), V1),
        (1, (V2,), None),
        (2, (V2, V1), V2),
        (2, (), None),
    ],
)
def test_an_agent_answers_no_version_that_it_does_not_support(
    offered: int, supported: tuple[Version, ...], answered: Version | None
) -> None:
    assert negotiate(offered, supported) is answered


@pytest.mark.parametrize("offered", [None, "1", True, 1.5, [2], {}])
def test_what_is_no_version_number_gets_no_version(offered: object) -> None:
    assert negotiate(offered) is None
