"""The tables from Unicode, held to what must be in them and to what other libraries have."""

import unicodedata

from idna import idnadata

from acp_elicitation.links.unicode_tables import LOOKALIKES, SCRIPTS


def label_characters() -> list[str]:
    return [
        chr(point)
        for kind in ("PVALID", "CONTEXTJ", "CONTEXTO")
        for packed in idnadata.codepoint_classes[kind]
        for point in range(packed >> 32, packed & 0xFFFFFFFF)
    ]


def test_the_runs_of_scripts_are_in_order_and_name_scripts_by_four_letters() -> None:
    runs = [run.split(":") for run in SCRIPTS.split()]
    starts = [int(start, 16) for start, _ in runs]
    assert starts == sorted(set(starts))
    assert starts[0] == ord("-")
    names = {name for _, joined in runs for name in joined.split("+") if name}
    assert all(len(name) == 4 and name.istitle() for name in names)
    assert {"Latn", "Cyrl", "Grek", "Hani", "Hira", "Kana", "Hang", "Bopo", "Arab"} <= names


def test_lookalikes_read_as_latin_and_are_characters_of_a_label() -> None:
    allowed = set(label_characters())
    sources = [character for found in LOOKALIKES.values() for character in found]
    assert len(sources) == len(set(sources))
    assert set(sources) <= allowed
    for reading in LOOKALIKES:
        bare = [it for it in reading if not unicodedata.combining(it)]
        assert all(it.isascii() and (it.isalnum() or it == "-") for it in bare)


def test_the_best_known_lookalikes_are_there() -> None:
    readings = {it: reading for reading, found in LOOKALIKES.items() for it in found}
    cyrillic = {"а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "ӏ": "l"}
    greek = {"ο": "o", "α": "a", "ν": "v", "ρ": "p"}
    latin = {"ɡ": "g", "ı": "i", "ɑ": "a"}
    for character, reading in (cyrillic | greek | latin).items():
        assert readings[character] == reading
