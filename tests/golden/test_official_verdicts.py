"""What the newest official SDK reads and refuses, case by case, in both versions.

`tests/cases/wire.jsonl` holds one value a line with the verdict for v1 and for v2.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from acp_elicitation.protocol.capabilities import read_capabilities
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.requests import (
    read_completion,
    read_request,
    write_completion,
    write_request,
)
from acp_elicitation.protocol.responses import read_response, write_response
from acp_elicitation.protocol.version import V1, V2, Version

_LINES = (Path(__file__).parent.parent / "cases" / "wire.jsonl").read_text(encoding="utf-8")
CASES = [json.loads(line) for line in _LINES.splitlines()]

VERDICTS = [
    pytest.param(version, case, id=f"v{version.number}: {case['kind']}: {case['case']}")
    for case in CASES
    for version in (V1, V2)
]


def _read(kind: str, value: object, version: Version) -> tuple[Any, Callable[[Any], Any]]:
    """What was read, and how it is written again."""
    match kind:
        case "elicitation/create params":
            return read_request(value, version), write_request
        case "elicitation/create result":
            return read_response(value, version), write_response
        case "elicitation/complete params":
            return read_completion(value), write_completion
        case _:
            assert kind == "client capabilities.elicitation"
            return read_capabilities(value), lambda _: value


@pytest.mark.requirement("FWD-1", "FWD-2", "FWD-3", "FWD-4", "FWD-5", "FWD-6", "FWD-7", "FWD-8")
@pytest.mark.parametrize(("version", "case"), VERDICTS)
def test_a_value_is_read_or_refused_as_by_the_official_sdk(
    version: Version, case: dict[str, Any]
) -> None:
    value = copy.deepcopy(case["value"])
    if case[f"v{version.number}"] == "error":
        with pytest.raises(MalformedMessage):
            _read(case["kind"], value, version)
        return
    read, write = _read(case["kind"], value, version)
    assert write(read) is value
    assert msgspec.json.encode(value) == msgspec.json.encode(case["value"])


def test_every_kind_of_case_is_there_with_both_verdicts() -> None:
    assert len(CASES) == 87
    verdicts = {(case["kind"], case["v1"]) for case in CASES}
    assert len(verdicts) == 6  # completions are only refused, capabilities only read
    assert {case["v1"] for case in CASES} == {case["v2"] for case in CASES} == {"reads", "error"}
