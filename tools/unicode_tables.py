"""Writes src/acp_elicitation/links/unicode_tables.py from data files of the Unicode Consortium.

Owns: what is taken from these files: only what a label of IDNA 2008 can hold. Scripts are kept
with their extensions, in runs; of the confusables of UTS 39 those that read as Latin letters,
digits or a hyphen, with or without marks.
Knows nothing of: how links are judged. Above it: a person, when there is a new version of Unicode;
the tests compare what is committed with libraries that have tables of their own.

    python -m tools.unicode_tables FOLDER

FOLDER holds `confusables.txt` (of the security data) and `Scripts.txt`, `ScriptExtensions.txt` and
`PropertyValueAliases.txt` (of the character database), all of one version of Unicode; version
17.0.0 is at https://www.unicode.org/Public/17.0.0/.
"""

import argparse
import hashlib
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from idna import idnadata

from tools.pages import PROJECT, write

__all__ = ["lookalikes", "main", "module", "scripts"]

_TARGET = "src/acp_elicitation/links/unicode_tables.py"
_FILES = ("confusables.txt", "Scripts.txt", "ScriptExtensions.txt", "PropertyValueAliases.txt")
_WIDTH = 90
_ANY_SCRIPT = frozenset({"Zyyy", "Zinh"})
_UNKNOWN = "Zzzz"

_OPENING = '''\
"""Scripts and lookalikes of the characters that a host name can hold, from Unicode {version}.

Owns: the tables. Written by `python -m tools.unicode_tables`, which says from what; do not edit.
Above it: `scripts`, `lookalikes`. Below it: nothing.

Copyright (c) 1991-2025 Unicode, Inc. The tables are derived from Unicode data files, under the
Unicode License v3: LICENSES/Unicode-3.0.txt. Sources, by SHA-256:

{sources}
"""

__all__ = ["LOOKALIKES", "SCRIPTS"]

'''


def main(arguments: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the module; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the Unicode data files are")
    write(project / _TARGET, module(parser.parse_args(arguments).folder))
    return 0


def module(folder: Path) -> str:
    """The whole text of the module."""
    texts = {name: (folder / name).read_text(encoding="utf-8-sig") for name in _FILES}
    version = re.search(r"Version: ([\d.]+)", texts["confusables.txt"])
    if version is None:
        raise ValueError("confusables.txt names no version")
    sums = (
        f"    {hashlib.sha256((folder / name).read_bytes()).hexdigest()}\n        {name}"
        for name in _FILES
    )
    return (
        _OPENING.format(version=version[1], sources="\n".join(sums))
        + f"SCRIPTS = (\n{_wrapped(_runs(scripts(texts)))})\n"
        + '"""Where a run begins, and the scripts of its characters; none where any."""\n\n'
        + f"LOOKALIKES = {{\n{_entries(lookalikes(texts['confusables.txt']))}}}\n"
        + '"""What reads as Latin, and the characters that read so."""\n'
    )


def scripts(texts: dict[str, str]) -> dict[int, frozenset[str]]:
    """The scripts in which each code point is used, by their four-letter codes."""
    rows = _rows(texts["PropertyValueAliases.txt"])
    short = {fields[2]: fields[1] for fields in rows if fields[0] == "sc"}
    found: dict[int, frozenset[str]] = {}
    for fields in _rows(texts["Scripts.txt"]):
        found |= dict.fromkeys(_code_points(fields[0]), frozenset({short[fields[1]]}))
    for fields in _rows(texts["ScriptExtensions.txt"]):
        found |= dict.fromkeys(_code_points(fields[0]), frozenset(fields[1].split()))
    return found


def lookalikes(text: str) -> dict[str, list[int]]:
    """What each character of a label beyond ASCII looks like, where that is Latin."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    allowed = set(_label_characters())
    for fields in _rows(text):
        source = int(fields[0], 16)
        looks = unicodedata.normalize("NFD", "".join(chr(int(it, 16)) for it in fields[1].split()))
        if source > 0x7F and source in allowed and _reads_as_latin(looks):
            found[looks].append(source)
    return {looks: sorted(sources) for looks, sources in sorted(found.items())}


def _reads_as_latin(text: str) -> bool:
    bare = [character for character in text if not unicodedata.combining(character)]
    return all(it.isascii() and (it.isalnum() or it == "-") for it in bare) and bool(bare)


def _label_characters() -> Iterator[int]:
    for kind in ("PVALID", "CONTEXTJ", "CONTEXTO"):
        for packed in idnadata.codepoint_classes[kind]:
            yield from range(packed >> 32, packed & 0xFFFFFFFF)


def _runs(found: dict[int, frozenset[str]]) -> Iterator[str]:
    last: frozenset[str] | None = None
    for character in sorted(_label_characters()):
        names = found.get(character, frozenset({_UNKNOWN}))
        if names != last:
            yield f"{character:x}:{'+'.join(sorted(names - _ANY_SCRIPT))}"
        last = names


def _rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) > 1:
            yield fields


def _code_points(field: str) -> range:
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def _wrapped(words: Iterable[str]) -> str:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f"{word} "
    return "".join(f'    "{line}"\n' for line in lines)


def _entries(found: dict[str, list[int]]) -> str:
    return "".join(_entry(looks, sources) for looks, sources in found.items())


def _entry(looks: str, sources: list[int]) -> str:
    key, escapes = _escaped(map(ord, looks)), list(map(_escape, sources))
    if len(key) + sum(map(len, escapes)) < _WIDTH:
        return f'    "{key}": "{"".join(escapes)}",\n'
    lines = [""]
    for escape in escapes:
        if len(lines[-1]) + len(escape) > _WIDTH:
            lines.append("")
        lines[-1] += escape
    return f'    "{key}": (\n' + "".join(f'        "{line}"\n' for line in lines) + "    ),\n"


def _escaped(characters: Iterable[int]) -> str:
    return "".join(map(_escape, characters))


def _escape(character: int) -> str:
    if character < 0x7F:
        return chr(character)
    return f"\\u{character:04x}" if character <= 0xFFFF else f"\\U{character:08x}"


if __name__ == "__main__":
    sys.exit(main())
