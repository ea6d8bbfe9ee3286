"""Message catalogues: nothing missing, nothing stale, nothing fuzzy, placeholders alike."""

import gettext
import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from tools.catalogues import collect, faults, main, read, render, render_compiled
from tools.pages import PROJECT

FOLDER = PROJECT / "src/acp_elicitation/text/catalogues"


def catalogue(**translations: str) -> Catalog:
    catalog = Catalog(locale="zh_CN", fuzzy=False)
    for source, translation in translations.items():
        catalog.add(source, translation)
    return catalog


def project_that_says(source: str, folder: Path) -> Path:
    for layer in ("text", "presenters", "cli"):
        (folder / "src/acp_elicitation" / layer).mkdir(parents=True, exist_ok=True)
    (folder / "src/acp_elicitation/cli/said.py").write_text(source, encoding="utf-8")
    return folder


def test_the_catalogues_are_up_to_date_and_fit() -> None:
    assert main(["--check"]) == 0


def test_every_sentence_of_the_catalogue_has_a_translation() -> None:
    catalog = read(FOLDER / "zh_CN.po")
    assert faults(catalog) == []
    assert len(catalog) > 150
    assert not catalog.obsolete


def test_what_is_compiled_is_what_the_source_of_the_catalogue_says() -> None:
    catalog = read(FOLDER / "zh_CN.po")
    compiled = (FOLDER / "zh_CN.mo").read_bytes()
    assert compiled == render_compiled(catalog)
    spoken = gettext.GNUTranslations(io.BytesIO(compiled))
    assert spoken.gettext("Submitted.") == catalog["Submitted."].string


def test_sentences_are_collected_from_every_way_to_say_one(tmp_path: Path) -> None:
    source = (
        'tr("one {a}", a=1); tr_later("two " "halves")\n'
        'tr_count("{count} cat", "{count} cats", 3); other("never")\n'
    )
    found = collect("zh_CN", project=project_that_says(source, tmp_path))
    ids = [message.id for message in found if message.id]
    assert ids == ["one {a}", "two halves", ("{count} cat", "{count} cats")]


@pytest.mark.parametrize(
    ("source", "translation", "fault"),
    [
        ("Yes.", "是。", []),
        ("{} of {name}", "{name} 的 {}", []),
        ("Yes.", "", ["not translated: Yes."]),
        ("{} of {name}", "{} 的 {nam}", ["other placeholders: {} of {name}"]),
        ("{} of {name}", "{}", ["other placeholders: {} of {name}"]),
    ],
)
def test_a_translation_that_is_unfit_is_named(
    source: str, translation: str, fault: list[str]
) -> None:
    assert faults(catalogue(**{source: translation})) == fault


def test_a_fuzzy_translation_is_unfit() -> None:
    catalog = catalogue()
    catalog.add("Yes.", "是。", flags=["fuzzy"])
    assert faults(catalog) == ["fuzzy: Yes."]


def test_a_translation_outlives_what_is_said_around_it(tmp_path: Path) -> None:
    before = catalogue(Yes="是", No="否")
    project = project_that_says('tr("Yes"); tr("Perhaps")', tmp_path)
    rendered = render(collect("zh_CN", project=project), before).decode()
    assert 'msgid "Yes"\nmsgstr "是"' in rendered
    assert 'msgid "Perhaps"\nmsgstr ""' in rendered
    assert "No" not in rendered.partition("#: ")[2]


def test_writing_and_checking_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = project_that_says('tr("Yes")', tmp_path)
    assert main(["--check"], project=project) == 1
    assert "not up to date" in capsys.readouterr().err
    assert main([], project=project) == 1  # written, and the sentence waits for its translation
    file = project / "src/acp_elicitation/text/catalogues/zh_CN.po"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"Yes"\nmsgstr ""', '"Yes"\nmsgstr "是"'), encoding="utf-8")
    assert main([], project=project) == 0
    assert main(["--check"], project=project) == 0
