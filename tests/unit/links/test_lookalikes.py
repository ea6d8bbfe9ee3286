"""What a label looks like, where that is not what it is."""

import pytest

from acp_elicitation.links.known_names import KNOWN_NAMES
from acp_elicitation.links.lookalikes import imitated_by_dress, imitated_name, latin_reading


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("label", "reading"),
    [
        ("\u0430\u0440\u0440\u04cf\u0435", "apple"),
        ("ex\u0430mple", "example"),
        ("\u0455\u0441\u043e\u0440\u0435-2", "scope-2"),
        ("\u03bf\u03bd\u03b1", "ova"),
        ("\u0261oogle", "google"),
        ("\u3007\u3007x", "oox"),
    ],
)
def test_letters_that_all_look_latin_are_read_so(label: str, reading: str) -> None:
    assert latin_reading(label) == reading


@pytest.mark.parametrize(
    "label",
    [
        "apple",
        "\u043f\u0440\u0438\u043c\u0435\u0440",
        "m\xfcnchen",
        "fa\xdf",
        "\u65e5\u672c\u8a9e",
        "\u044fndex",
        "k\u0131rm\u0131z\u0131",
        "c\u0153ur",
        "l\xe6ge",
        "\u0451",
    ],
)
def test_letters_that_do_not_or_are_everyday_latin_are_not(label: str) -> None:
    assert latin_reading(label) is None


def test_a_label_in_the_script_of_its_top_level_domain_is_what_it_is() -> None:
    assert latin_reading("\u0441\u043e\u0440", top="\u0440\u0444") is None
    assert latin_reading("\u0441\u043e\u0440", top="com") == "cop"
    assert latin_reading("\u0441op", top="\u0440\u0444") == "cop"  # not all of it is


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("paypa1", "paypal"),
        ("rnicrosoft", "microsoft"),
        ("micros0ft", "microsoft"),
        ("g00gle", "google"),
        ("googie", "google"),  # as written: googIe
        ("9oogle", "google"),
        ("g1thub", "github"),
        ("gitlhub", None),
        ("twvitter", None),
        ("tvvitter", "twitter"),
        ("clocker", "docker"),
        ("s1ack", "slack"),
        ("5lack", "slack"),
        ("paypa1-login", "paypal"),
        ("login-arnazon", "amazon"),
        ("1pas5word", "1password"),
        ("\u0430\u0440\u0440\u04cf\u0435", "apple"),
        ("g\u0131thub", "github"),
        ("g\xf2\xf2gle", "google"),
        ("faceb\u043e\u043e\u043a", "facebook"),
        ("\u0442witter", "twitter"),
        ("\u0451bay", "ebay"),
        ("\u0142inkedin", "linkedin"),
    ],
)
def test_a_lookalike_of_a_known_name_is_told(label: str, name: str | None) -> None:
    assert imitated_name(label) == name


@pytest.mark.parametrize(
    "label",
    [
        "github",
        "my-github",
        "github-paypal",
        "example",
        "com-secure",
        "goggle",
        "apples",
        "e",
        "163",
        "",
        "münchen",
        "пример",
        "日本語",
        "zo",
    ],
)
def test_the_name_itself_and_other_names_are_no_lookalikes(label: str) -> None:
    assert imitated_name(label) is None


@pytest.mark.parametrize("name", sorted(KNOWN_NAMES))
def test_each_known_name_is_told_from_its_lookalike(name: str) -> None:
    swapped = name.translate(str.maketrans("aeoil", "\u0430\u0435\u043e\u04561"))
    assert swapped == name or imitated_name(swapped) == name


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("github-login", "github"),
        ("secure-paypal", "paypal"),
        ("my-secure-paypal-account", "paypal"),
        ("pay-pal", "paypal"),
        ("git-hub", "github"),
    ],
)
def test_a_known_name_beside_a_lure_or_torn_apart_is_told(label: str, name: str) -> None:
    assert imitated_by_dress(label) == name


@pytest.mark.parametrize(
    "label", ["github", "google-analytics", "com-secure", "login", "my-login", "pay-later", "a-b"]
)
def test_other_hyphens_are_harmless(label: str) -> None:
    assert imitated_by_dress(label) is None
