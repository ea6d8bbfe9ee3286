"""The proxy's memory does not grow with what passes through it; `make soak` has a million pass."""

from pathlib import Path

import pytest

from benchmarks.proxy import flood

_NOISE_KIB = 2_048
"""What the allocator may take more, whatever passes. A line that is kept costs half a KiB."""


@pytest.mark.parametrize("is_logged", [False, True], ids=["", "log"])
def test_memory_does_not_grow_with_the_number_of_messages(is_logged: bool, tmp_path: Path) -> None:
    options = ("--log", str(tmp_path / "log.jsonl")) if is_logged else ()
    few, many = flood((5_000, 50_000), options)
    assert many.peak_kib - few.peak_kib < _NOISE_KIB
