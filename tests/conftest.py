"""What all tests share: how hypothesis runs, and that every requirement mark names a real id."""

import os

import pytest
from hypothesis import HealthCheck, settings

from acp_elicitation.conformance.manifest import find

# The commands speak the language of the environment, and the tests read English.
os.environ["LC_ALL"] = "C.UTF-8"

# Examples are the same in every CI run, so that a red run can be repeated; at home they vary.
settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "home")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a mark that names an id which the manifest does not have."""
    for item in items:
        for mark in item.iter_markers("requirement"):
            for id in mark.args:
                if find(id) is None:
                    raise pytest.UsageError(f"{item.nodeid}: no requirement has the id {id!r}")
