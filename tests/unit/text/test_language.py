"""The language of the process: which one is meant, and what it makes of a sentence."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from acp_elicitation.text.language import (
    LANGUAGES,
    current_language,
    language_of,
    match_language,
    tr,
    tr_count,
    tr_later,
    use_language,
)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("en_US.UTF-8", "en"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("zh-CN", "zh-CN"),
        ("zh", "zh-CN"),
        ("ZH_cn", "zh-CN"),
        ("zh_CN.GB18030", "zh-CN"),
        ("zh_SG@pinyin", "zh-CN"),
        ("zh-Hans", "zh-CN"),
        ("zh-Hans-TW", "zh-CN"),
        ("zh-TW", None),
        ("zh_HK.UTF-8", None),
        ("zh-Hant", None),
        ("de", None),
        ("", None),
    ],
)
def test_a_tag_names_a_language_or_none(tag: str, language: str | None) -> None:
    assert match_language(tag) == language


def test_the_language_that_is_spoken_has_its_tag() -> None:
    assert current_language() == "en"
    use_language("zh_SG")
    assert current_language() == "zh-CN"
    with pytest.raises(ValueError):
        use_language("de")
    assert current_language() == "zh-CN"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "en", "LC_ALL": "zh_CN"}, "zh-CN"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN"}, "zh-CN"),
        ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_CTYPE": "zh_CN.UTF-8"}, "en"),
    ],
)
def test_the_environment_asks_for_a_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_english_is_what_the_source_says() -> None:
    assert tr("An answer is required here.") == "An answer is required here."
    assert tr_later("An answer is required here.") == "An answer is required here."


def test_a_sentence_is_translated_from_the_moment_on_that_a_language_is_chosen() -> None:
    use_language("zh-CN")
    assert tr("An answer is required here.") == "此项为必填项。"
    use_language("en")
    assert tr("An answer is required here.") == "An answer is required here."


def test_what_has_no_translation_stays_english() -> None:
    use_language("zh-CN")
    assert tr("Nobody says this, {name}.", name="Ada") == "Nobody says this, Ada."


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_are_put_in_as_they_are(language: str) -> None:
    use_language(language)
    assert tr("Enter a valid {format}.", format="{x} {0} %s").count("{x} {0} %s") == 1


def test_a_slot_for_untrusted_text_is_left_open() -> None:
    assert tr("Question from {}") == "Question from {}"


def test_a_count_chooses_the_form() -> None:
    forms = ("Enter at least {count} character.", "Enter at least {count} characters.")
    assert tr_count(*forms, 1) == "Enter at least 1 character."
    assert tr_count(*forms, 2) == "Enter at least 2 characters."
    use_language("zh-CN")
    assert tr_count(*forms, 1) == "请至少输入 1 个字符。"


def test_a_language_without_a_catalogue_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no such language: tlh; there are en, zh-CN"):
        use_language("tlh")


def test_english_loads_no_gettext() -> None:
    program = (
        "import sys; from acp_elicitation.text.language import tr, use_language\n"
        "use_language('en'); tr('x'); print(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert "gettext" not in run.stdout.split()
