"""Is each module of the pure core covered fully, branches too, by the tests of its mirror file?

Owns: which modules that holds for, and the measuring. `src/acp_elicitation/forms/check.py` is run
by `tests/unit/forms/test_check.py` alone, in a process of its own, so that what other tests happen
to reach does not count. Knows nothing of: the coverage of the whole, asked of `coverage report`.
Above it: `make test`; by hand `python -m tools.mirror src/acp_elicitation/forms/check.py ...`.
"""

import json
import multiprocessing
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import coverage
import pytest

from tools.pages import PROJECT

__all__ = ["main", "mirror_of", "strict_modules"]

_PACKAGE = "src/acp_elicitation"
_STRICT = ("protocol/*.py", "forms/*.py", "links/*.py", "wire/jsonrpc.py")


def strict_modules(project: Path = PROJECT) -> list[str]:
    """The modules that must be covered fully, as paths relative to the project."""
    found = (path for pattern in _STRICT for path in (project / _PACKAGE).glob(pattern))
    return sorted(p.relative_to(project).as_posix() for p in found if p.name != "__init__.py")


def mirror_of(module: str) -> str:
    """The path of the test file that has to cover `module`."""
    path = Path(module)
    folder = path.parent.relative_to(_PACKAGE)
    return (Path("tests/unit") / folder / f"test_{path.stem.lstrip('_')}.py").as_posix()


def main(modules: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Measure the given modules, or all; returns the exit status."""
    modules = modules or strict_modules(project)
    fresh = multiprocessing.get_context("spawn")
    with fresh.Pool(initializer=os.chdir, initargs=(project,), maxtasksperchild=1) as pool:
        complaints = [found for found in pool.imap(_complaint, modules) if found]
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"mirror files: {len(modules) - len(complaints)} of {len(modules)} modules covered fully")
    return 1 if complaints else 0


def _complaint(module: str) -> str | None:
    test = mirror_of(module)
    if not Path(test).exists():
        return f"{module}: its test file {test} does not exist"
    status, output, file = _measure(module, test)
    if status != 0:
        return f"{output}\n{module}: {test} does not pass alone"
    missing = [f"line {line}" for line in file["missing_lines"]]
    missing += [f"branch {start} -> {end}" for start, end in file["missing_branches"]]
    return f"{module}: {test} does not reach {', '.join(missing)}" if missing else None


def _measure(module: str, test: str) -> tuple[int, str, dict[str, Any]]:
    """Run one test file under coverage of one module: exit status, output, what coverage says."""
    measured = coverage.Coverage(data_file=None, config_file="pyproject.toml")
    measured.set_option("run:source", None)
    measured.set_option("run:include", [module])
    measured.set_option("run:patch", [])
    measured.set_option("run:parallel", False)
    measured.set_option("run:sigterm", False)
    with tempfile.TemporaryDirectory() as folder:
        report, output = Path(folder, "report.json"), Path(folder, "output")
        with output.open("w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        with measured.collect():
            status = pytest.main(["-q", "-x", "--no-header", "-p", "no:cacheprovider", test])
        sys.stdout.flush()
        measured.json_report([module], outfile=str(report))
        return int(status), output.read_text(), json.loads(report.read_text())["files"][module]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
