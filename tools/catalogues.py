"""Writes the message catalogues: what the program says, and how it says it in other languages.

Owns: collecting the sentences from the source, bringing each `.po` up to date with them, compiling
it to the `.mo` beside it, and what makes a catalogue unfit: a sentence without a translation, a
fuzzy one, other placeholders than those of the English.
Knows nothing of: languages. A translation is written by hand into the `.po`.
Above it: `make catalogues` (writes) and `make check` (fails where something is stale or unfit).
Below it: Babel.

Both files are committed, so that neither building the package nor running it needs Babel.
"""

import argparse
import datetime
import io
import string
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tools.pages import PROJECT

__all__ = ["collect", "faults", "main", "read", "render", "render_compiled"]

_PACKAGE = "src/acp_elicitation"
_LAYERS = ("text", "presenters", "connect", "bridges", "cli")
"""Where something is said to the user."""

_KEYWORDS: dict[str, tuple[int, ...] | None] = {"tr": None, "tr_later": None, "tr_count": (1, 2)}
_LOCALES = ("zh_CN",)
_THEN = datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC)
"""The date in every header: what does not change is written the same."""


def collect(locale: str, *, project: Path = PROJECT) -> Catalog:
    """Return what the source says, without translations, each with the files that say it."""
    catalog = Catalog(
        locale=locale,
        project="acp-elicitation",
        version="1",
        copyright_holder="the authors of acp-elicitation",
        msgid_bugs_address="",
        last_translator="the authors of acp-elicitation",
        language_team="",
        creation_date=_THEN,
        revision_date=_THEN,
        fuzzy=False,
    )
    catalog.header_comment = "# How acp-elicitation speaks to its user; `make catalogues` keeps it."
    for layer in _LAYERS:
        for path in sorted((project / _PACKAGE / layer).rglob("*.py")):
            name = path.relative_to(project).as_posix()
            for line, message, _, _ in extract_from_file("python", str(path), keywords=_KEYWORDS):
                catalog.add(message, locations=[(name, line)])
    return catalog


def read(path: Path) -> Catalog:
    """Return the catalogue in a `.po` file."""
    with path.open("rb") as file:
        return read_po(file)


def render(catalog: Catalog, translated: Catalog) -> bytes:
    """Return `catalog` as a `.po` file, with the translations that `translated` has for it."""
    for message in _sentences(catalog):
        known = translated.get(message.id)
        if known is not None and isinstance(known.id, str) == isinstance(message.id, str):
            message.string = known.string
            message.flags |= known.flags & {"fuzzy"}
    file = io.BytesIO()
    write_po(file, catalog, width=100, sort_by_file=True, include_lineno=False)
    return file.getvalue()


def render_compiled(catalog: Catalog) -> bytes:
    """Return `catalog` as a `.mo` file."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def faults(catalog: Catalog) -> list[str]:
    """Return what is wrong with the translations, one line for each."""
    return [
        f"{fault}: {_forms(message.id)[0]}"
        for message in _sentences(catalog)
        if (fault := _fault(message)) is not None
    ]


def _fault(message: Message) -> str | None:
    if message.fuzzy:
        return "fuzzy"
    translations = _forms(message.string or "")
    if not all(translations):
        return "not translated"
    sources = [_placeholders(form) for form in _forms(message.id)]
    if any(_placeholders(form) not in sources for form in translations):
        return "other placeholders"
    return None


def _sentences(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def _forms(texts: str | Sequence[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _placeholders(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def main(arguments: Sequence[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the catalogues, or with `--check` say what is wrong with them; the exit status."""
    parser = argparse.ArgumentParser(description="bring the message catalogues up to date")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where needed")
    check = parser.parse_args(arguments).check
    status = 0
    for locale in _LOCALES:
        for complaint in _bring_up_to_date(locale, project, check=check):
            print(f"{locale}.po: {complaint}", file=sys.stderr)
            status = 1
    return status


def _bring_up_to_date(locale: str, project: Path, *, check: bool) -> Iterator[str]:
    source = project / _PACKAGE / "text" / "catalogues" / f"{locale}.po"
    compiled = source.with_suffix(".mo")
    before = source.read_bytes() if source.exists() else b""
    rendered = render(collect(locale, project=project), read_po(io.BytesIO(before), locale=locale))
    catalog = read_po(io.BytesIO(rendered), locale=locale)
    binary = render_compiled(catalog)
    if check:
        if before != rendered or not compiled.exists() or compiled.read_bytes() != binary:
            yield "not up to date: run `make catalogues` and commit both files"
    else:
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(rendered)
        compiled.write_bytes(binary)
    yield from faults(catalog)


if __name__ == "__main__":
    sys.exit(main())
