"""The public face of the package."""

import subprocess
import sys

import pytest

import acp_elicitation


@pytest.mark.parametrize("name", acp_elicitation.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(acp_elicitation, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="ghost"):
        _ = acp_elicitation.ghost


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, acp_elicitation; print([m for m in sys.modules if 'acp_elicitation.' in m])"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"
