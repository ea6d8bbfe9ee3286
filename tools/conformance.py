"""Writes docs/conformance.md: each requirement, the code that keeps it, the tests that show it.

Owns: the page, and what is wrong with it. Knows nothing of: how evidence is found in source text.
Above it: `make docs` (writes the page) and `make check` (fails where the page is stale, where an id
lacks code or tests, and where code or a mark names an id that does not
exist). Below it: `tools/evidence.py`, `tools/pages.py` and the manifest.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from acp_elicitation.conformance.manifest import GROUPS, REQUIREMENTS, Requirement, find
from tools.evidence import CodeEvidence, TestEvidence, scan_code, scan_tests
from tools.pages import PROJECT, is_current, write

__all__ = ["complaints", "main", "page"]

_PAGE = "docs/conformance.md"
_SIDES = {"agent": "A", "client": "C"}
_OPENING = """\
# What the protocol demands, and where it is kept

<!-- Written by `make docs`; do not edit. -->

Every normative statement of ACP elicitation, in the project's own words. The rows are those of
`src/acp_elicitation/conformance/manifest.py`; the code of a row is each module in which a comment
or a docstring quotes its id, the tests are those that carry `@pytest.mark.requirement` with it.
`make check` fails where a row has no code or no test.

Who: A = agent side, C = client side.
"""


def page(code: CodeEvidence, tests: TestEvidence) -> str:
    """The whole text of the page."""
    return _OPENING + "".join(_sections(code, tests))


def complaints(code: CodeEvidence, tests: TestEvidence) -> list[str]:
    """What is missing or misspelt, one sentence each, empty when all is well."""
    found = list(tests.problems)
    for id, files in sorted(code.files.items()):
        if find(id) is None:
            found.append(f"{', '.join(sorted(files))}: quotes {id}, which no requirement has")
    for id, where in sorted(tests.first_mark.items()):
        if find(id) is None:
            found.append(f"{where}: the mark names {id!r}, which no requirement has")
    for requirement in REQUIREMENTS:
        if not code.files.get(requirement.id):
            found.append(f"{requirement.id}: no comment or docstring in src/ quotes it")
        if not tests.tests.get(requirement.id):
            found.append(f"{requirement.id}: no test carries its mark")
    return found


def main(arguments: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the page, or with `--check` report what is wrong; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where not in order"
    )
    options = parser.parse_args(arguments)
    code, tests = scan_code(project), scan_tests(project)
    target = project / _PAGE
    text = page(code, tests)
    found = complaints(code, tests)
    if not options.check:
        write(target, text)
    elif not is_current(target, text):
        found.append(f"{_PAGE} is not up to date: run `make docs` and commit it")
    for complaint in found:
        print(complaint, file=sys.stderr)
    return 1 if options.check and found else 0


def _sections(code: CodeEvidence, tests: TestEvidence) -> Iterator[str]:
    for group, title in GROUPS.items():
        yield f"\n## {title}\n\n| id | who | level | statement | code | tests |\n"
        yield "|---|---|---|---|---|---|\n"
        for requirement in REQUIREMENTS:
            if requirement.group == group:
                yield _row(requirement, code, tests)


def _row(requirement: Requirement, code: CodeEvidence, tests: TestEvidence) -> str:
    cells = (
        requirement.id,
        ", ".join(_SIDES[side] for side in requirement.sides),
        requirement.level,
        requirement.statement,
        "<br>".join(_code(requirement, code)),
        "<br>".join(_tests(requirement, tests)),
    )
    return f"| {' | '.join(cells)} |\n"


def _code(requirement: Requirement, code: CodeEvidence) -> Iterator[str]:
    for path in sorted(code.files.get(requirement.id, ())):
        yield f"`{path}`"


def _tests(requirement: Requirement, tests: TestEvidence) -> Iterator[str]:
    """Each file with the names of the tests, or alone where all of its tests carry the id."""
    for path, names in sorted(tests.tests.get(requirement.id, {}).items()):
        if len(names) == tests.count[path]:
            yield f"`{path}`"
        else:
            yield f"`{path}`: {', '.join(f'`{name}`' for name in names)}"


if __name__ == "__main__":
    sys.exit(main())
