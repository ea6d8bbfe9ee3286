"""The public names of the layer, and what they cost."""

import subprocess
import sys

import pytest

from acp_elicitation import links


def test_each_public_name_is_there() -> None:
    assert [name for name in links.__all__ if not callable(getattr(links, name))] == []


def test_any_other_name_is_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'open_link'"):
        links.open_link  # noqa: B018


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("import acp_elicitation.links", set()),
        ("import acp_elicitation.links.inspect", set()),
        (
            "from acp_elicitation.links import inspect_link; inspect_link('https://example.com/')",
            {"ada_url", "publicsuffixlist"},
        ),
        (
            "from acp_elicitation.links import inspect_link; inspect_link('https://xn--fa-hia.de/')",
            {"ada_url", "publicsuffixlist", "idna"},
        ),
    ],
)
def test_what_judges_a_link_is_loaded_with_the_first_that_needs_it(
    statement: str, loaded: set[str]
) -> None:
    program = f"import sys; {statement}; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    finished = subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)
    assert set(finished.stdout.split()) & {"ada_url", "publicsuffixlist", "idna"} == loaded
