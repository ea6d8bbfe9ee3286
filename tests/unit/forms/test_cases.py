"""All of tests/cases/forms.jsonl: a schema, content, and the problems that it has."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from acp_elicitation.forms.check import check
from acp_elicitation.protocol.schema_wire import read_schema
from acp_elicitation.protocol.version import V1, V2, Version

_FILE = Path(__file__).parents[2] / "cases" / "forms.jsonl"
_CASES: list[Any] = [msgspec.json.decode(line) for line in _FILE.read_bytes().splitlines()]

both_versions = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])


def test_the_file_holds_all_of_its_cases() -> None:
    assert len(_CASES) == 44
    assert len({case["case"] for case in _CASES}) == 44


@pytest.mark.requirement("FORM-2", "FORM-3", "FORM-9", "RES-3")
@both_versions
@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["case"])
def test_content_has_the_problems_that_the_case_says(case: Any, version: Version) -> None:
    schema = read_schema(case["schema"], version)
    found = [
        {"property": problem.property, "code": problem.code}
        for problem in check(schema, case["content"])
    ]
    assert found == case["problems"]
