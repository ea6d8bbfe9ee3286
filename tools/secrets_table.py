"""Writes the numbers of docs/secrets.md: how well secrets in forms are told from other fields.

Owns: what stands after `MARK` on that page, the reading of tests/cases/secrets.jsonl, and which
part of it a row belongs to.
Knows nothing of: how a form is judged.
Above it: `make docs` (writes the page) and `make check` (fails where it is stale). Below it:
`acp_elicitation.forms.secrets`.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from acp_elicitation.forms.secrets import find_secrets
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.schema_wire import read_schema
from acp_elicitation.protocol.version import V2
from tools.pages import PROJECT, is_current, write

__all__ = [
    "MARK",
    "Part",
    "Row",
    "Verdict",
    "judge",
    "main",
    "page",
    "part_of",
    "read_rows",
    "schema_of",
]

MARK = "<!-- Written by `make docs` from tests/cases/secrets.jsonl from here on; do not edit. -->\n"
"""The line of the page that ends what is written by hand."""

_PAGE = "docs/secrets.md"
_CASES = "tests/cases/secrets.jsonl"

Verdict: TypeAlias = Literal["secret", "fine"]
Part: TypeAlias = Literal["tuned on", "held out", "second batch"]


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One labelled field, with the message of the form that it stands in.

    `kind` is the kind of secret that is asked for, or that the wording could be mistaken for.
    `default` may be in pieces: then no scanner of repositories takes the example for a leak.
    """

    case: str
    message: str
    name: str
    type: str
    kind: str
    verdict: Verdict
    title: str | None = None
    description: str | None = None
    format: str | None = None
    options: list[str] | None = None
    default: str | int | float | list[str] | None = None
    meta: dict[str, Any] | None = None
    raw: dict[str, Any] | None = None
    note: str = ""
    batch: int = 1


def read_rows(project: Path = PROJECT) -> list[Row]:
    """Every labelled field, in the order of the file."""
    decoder = msgspec.json.Decoder(Row)
    return decoder.decode_lines((project / _CASES).read_bytes())


def part_of(row: Row) -> Part:
    """The half that a row belongs to is decided by its name alone; nobody can move it."""
    if row.batch > 1:
        return "second batch"
    return "tuned on" if hashlib.sha256(row.case.encode()).digest()[-1] % 2 else "held out"


def schema_of(row: Row) -> FormSchema:
    """The form with this one field, read as if it had come over the wire."""
    default = "".join(row.default) if isinstance(row.default, list) else row.default
    choices = {"enum": row.options} if row.options else {}
    found = {
        "type": row.type,
        "title": row.title,
        "description": row.description,
        "format": row.format,
        "default": default,
        "_meta": row.meta,
        **({"items": {"type": "string", **choices}} if row.type == "array" else choices),
        **(row.raw or {}),
    }
    member = {key: value for key, value in found.items() if value is not None}
    return read_schema({"type": "object", "properties": {row.name: member}}, V2)


def judge(row: Row) -> Verdict:
    """What `find_secrets` says of it."""
    return "secret" if find_secrets(row.message, schema_of(row)) else "fine"


def page(by_hand: str, rows: Sequence[Row]) -> str:
    """The whole text of the page: what `by_hand` has before the mark, and the numbers."""
    return by_hand.partition(MARK)[0] + MARK + "".join(_sections(rows))


def main(arguments: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the page, or with `--check` say whether it is current; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where stale")
    target = project / _PAGE
    text = page(target.read_text(encoding="utf-8"), read_rows())
    if not parser.parse_args(arguments).check:
        write(target, text)
    elif not is_current(target, text):
        print(f"{_PAGE} is not up to date: run `make docs` and commit it", file=sys.stderr)
        return 1
    return 0


def _sections(rows: Sequence[Row]) -> Iterator[str]:
    judged = [(row, judge(row)) for row in rows]
    yield "\n## By part of the collection\n\n"
    yield from _matrix("part", ((part_of(row), row, verdict) for row, verdict in judged))
    yield "\n## By kind of secret\n\n"
    yield (
        "A field that is fine counts for the kind that its wording could be mistaken for, and "
        "for *none* where there is no such kind.\n\n"
    )
    yield from _matrix("kind", ((row.kind, row, verdict) for row, verdict in judged))
    yield "\n## By language\n\n"
    yield from _matrix("language", ((_language(row), row, verdict) for row, verdict in judged))
    yield "\n## Judged wrongly\n\n"
    wrong = [_wrong(row) for row, verdict in judged if verdict != row.verdict]
    yield from wrong or ["None.\n"]


def _matrix(by: str, counted: Iterable[tuple[str, Row, Verdict]]) -> Iterator[str]:
    count = Counter((group, row.verdict, verdict) for group, row, verdict in counted)
    groups = list(dict.fromkeys(group for group, _, _ in count))
    yield f"| {by} | secrets | found | missed | fine | left alone | refused wrongly |\n"
    yield "|---|---:|---:|---:|---:|---:|---:|\n"
    for group in groups:
        yield _line(group, count, [group])
    yield _line("**all**", count, groups)


def _line(title: str, count: Counter[tuple[str, Verdict, Verdict]], groups: list[str]) -> str:
    def total(label: Verdict, verdict: Verdict) -> int:
        return sum(count[group, label, verdict] for group in groups)

    found, missed = total("secret", "secret"), total("secret", "fine")
    left, refused = total("fine", "fine"), total("fine", "secret")
    share = f" ({refused / (left + refused):.1%})" if refused else ""
    return (
        f"| {title} | {found + missed} | {found} | {missed} "
        f"| {left + refused} | {left} | {refused}{share} |\n"
    )


def _language(row: Row) -> str:
    return row.case.rpartition("-")[0]


def _wrong(row: Row) -> str:
    what = "missed" if row.verdict == "secret" else "refused, though fine"
    return f"- `{row.name}`, titled {row.title!r}, in a form that says {row.message!r}: {what}\n"


if __name__ == "__main__":
    sys.exit(main())
