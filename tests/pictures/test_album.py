"""Every picture of the documentation can be made, is there, and is shown with words for it."""

import re
from pathlib import Path

import pytest

from tests.pictures.album import FOLDER, PICTURES, PROJECT

KINDS = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<svg "}
SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


@pytest.mark.parametrize("name", PICTURES)
async def test_a_picture_can_be_made_and_is_small(name: str) -> None:
    drawn = await PICTURES[name]()
    assert drawn.startswith(KINDS[Path(name).suffix])
    assert len(drawn) < 200_000
    assert b"@font-face" not in drawn, "it loads a font from somewhere"


def shown() -> list[tuple[Path, str, Path]]:
    """Each picture in a page of the documentation: the page, the words for it, the file."""
    pages = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md")]
    return [
        (page, words, (page.parent / target).resolve())
        for page in pages
        for words, target in SHOWN.findall(page.read_text(encoding="utf-8"))
    ]


def test_every_picture_that_is_shown_is_there_and_has_words() -> None:
    assert [(page, file) for page, words, file in shown() if not file.is_file() or not words] == []


def test_every_picture_is_shown_and_can_be_made_again() -> None:
    there = {file.name for file in FOLDER.iterdir()}
    assert there == set(PICTURES)
    assert there == {file.name for _, _, file in shown() if file.parent == FOLDER}
