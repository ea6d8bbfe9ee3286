"""The elicitation capability of MCP, written for servers and read from clients."""

from typing import Any

import pytest

from acp_elicitation.bridges.mcp.capabilities import (
    mcp_capability,
    narrowed_capability,
    read_mcp_capability,
)
from acp_elicitation.protocol.capabilities import Capabilities, Mode


@pytest.mark.requirement("CAP-3")
@pytest.mark.parametrize(
    ("modes", "written"),
    [
        (["form", "url"], {"form": {}, "url": {}}),
        (["form"], {"form": {}}),
        (["url"], {"url": {}}),
        ([], None),
    ],
)
def test_each_mode_is_advertised_by_its_name_and_none_by_an_empty_object(
    modes: list[Mode], written: object
) -> None:
    assert mcp_capability(modes) == written


def test_one_text_is_no_list_of_modes() -> None:
    with pytest.raises(ValueError, match="not one text"):
        mcp_capability("form")  # type: ignore[arg-type]


@pytest.mark.requirement("CAP-3")
@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({}, Capabilities(form=True)),
        ({"form": None, "url": None}, Capabilities(form=True)),
        ({"form": {}}, Capabilities(form=True)),
        ({"url": {}}, Capabilities(url=True)),
        ({"form": {}, "url": {}}, Capabilities(form=True, url=True)),
        ({"later": {}}, Capabilities(form=True)),
        ({"form": 3}, Capabilities()),
        (None, Capabilities()),
        (True, Capabilities()),
        ([], Capabilities()),
    ],
)
def test_an_empty_object_of_an_mcp_client_means_form(value: object, read: Capabilities) -> None:
    assert read_mcp_capability(value) == read


@pytest.mark.requirement("CAP-4")
@pytest.mark.parametrize(
    ("value", "modes", "left"),
    [
        ({"form": {}, "url": {}}, ["form"], {"form": {}}),
        ({"form": {}, "url": {}}, ["url"], {"url": {}}),
        ({"form": {}, "url": {}}, [], None),
        ({"form": {}}, ["form", "url"], {"form": {}}),
        ({}, ["url"], None),
        (None, ["form"], None),
    ],
)
def test_no_more_is_advertised_than_both_the_host_and_the_acp_client_have(
    value: Any, modes: list[Mode], left: object
) -> None:
    assert narrowed_capability(value, modes) == left
