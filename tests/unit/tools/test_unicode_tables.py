"""The generator of the Unicode tables, on files of a few lines."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from tools.unicode_tables import lookalikes, main, module, scripts

ALIASES = "sc ; Cyrl ; Cyrillic\nsc ; Latn ; Latin\nsc ; Zyyy ; Common\nscx; Latn ; Other\n"
SCRIPTS = "0061..007A ; Latin # L&\n002D ; Common # Pd\n0430..044F ; Cyrillic\n0301 ; Common\n"
EXTENSIONS = "0301 ; Cyrl Latn # Mn\n"
CONFUSABLES = """\
# Version: 17.0.0
0430 ; 0061 ; MA # a
04CF ; 006C ; MA
00F8 ; 006F 0338 ; MA # a mark
0031 ; 006C ; MA # ASCII itself
043F ; 043F ; MA # not Latin
1D41A ; 0061 ; MA # not of a label
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "confusables.txt": "\ufeff" + CONFUSABLES,
        "Scripts.txt": SCRIPTS,
        "ScriptExtensions.txt": EXTENSIONS,
        "PropertyValueAliases.txt": ALIASES,
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_lookalikes_are_those_of_labels_that_read_as_latin() -> None:
    assert lookalikes(CONFUSABLES) == {"a": [0x430], "l": [0x4CF], "o\u0338": [0xF8]}


def test_extensions_take_the_place_of_the_script() -> None:
    found = scripts(
        {
            "Scripts.txt": SCRIPTS,
            "ScriptExtensions.txt": EXTENSIONS,
            "PropertyValueAliases.txt": ALIASES,
        }
    )
    assert found[ord("a")] == {"Latn"}
    assert found[0x301] == {"Cyrl", "Latn"}
    assert found[ord("-")] == {"Zyyy"}


def test_the_module_is_python_with_both_tables_and_its_sources(folder: Path) -> None:
    (folder / "made.py").write_text(module(folder), encoding="utf-8")
    made: dict[str, Any] = runpy.run_path(str(folder / "made.py"))
    assert made["LOOKALIKES"] == {"a": "\u0430", "l": "\u04cf", "o\u0338": "\xf8"}
    runs = made["SCRIPTS"].split()
    assert runs[:3] == ["2d:", "30:Zzzz", "61:Latn"]
    assert {"301:Cyrl+Latn", "430:Cyrl"} <= set(runs)
    assert "Unicode 17.0.0" in made["__doc__"]
    assert "confusables.txt" in made["__doc__"]


def test_long_entries_are_wrapped(folder: Path) -> None:
    rows = "".join(f"{point:04X} ; 0061 ; MA\n" for point in range(0x450, 0x470))
    with (folder / "confusables.txt").open("a", encoding="utf-8") as file:
        file.write(rows)
    assert max(map(len, module(folder).splitlines())) <= 100


def test_the_program_writes_the_module_into_the_project(folder: Path) -> None:
    assert main([str(folder)], project=folder) == 0
    written = folder / "src/acp_elicitation/links/unicode_tables.py"
    assert written.read_text(encoding="utf-8") == module(folder)


def test_a_file_without_a_version_is_refused(folder: Path) -> None:
    (folder / "confusables.txt").write_text("0430 ; 0061 ; MA\n", encoding="utf-8")
    with pytest.raises(ValueError, match="names no version"):
        module(folder)
