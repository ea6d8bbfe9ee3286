"""What a person may type, and the reason for each refusal."""

import pytest

from acp_elicitation.forms.parse import (
    Refusal,
    boolean_text,
    number_text,
    parse_boolean,
    parse_choice,
    parse_choices,
    parse_integer,
    parse_number,
)
from acp_elicitation.protocol.schema import Option

INT64_MAX, INT64_MIN = 2**63 - 1, -(2**63)


# --- numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        (" 42 ", 42),
        ("\t42\n", 42),
        ("\u00a042", 42),
        ("-42", -42),
        ("0", 0),
        ("-0", 0),
        ("007", 7),
        ("1.0", 1),
        ("1.", 1),
        ("-1.000", -1),
        (".0", 0),
        ("-.0", 0),
        ("9007199254740993", 2**53 + 1),
        ("9007199254740993.0", 2**53 + 1),
        (str(INT64_MAX), INT64_MAX),
        (str(INT64_MIN), INT64_MIN),
        ("0" * 399 + "1", 1),
    ],
)
def test_a_whole_number_is_read_exactly(text: str, value: int) -> None:
    read = parse_integer(text)
    assert read == value
    assert type(read) is int


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        (" -42 ", -42),
        ("9007199254740993", 2**53 + 1),
        (str(INT64_MAX), INT64_MAX),
        ("1.5", 1.5),
        ("1.0", 1.0),
        (".5", 0.5),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("0.1", 0.1),
        ("1" + "0" * 300, 1e300),
        ("1" + "0" * 300 + ".5", 1e300),
    ],
)
def test_a_number_is_an_int_without_a_point_and_else_a_float(text: str, value: float) -> None:
    read = parse_number(text)
    assert read == value
    assert type(read) is type(value)


REFUSED = {
    "exponent": ["1e3", "1E3", "1.5e-3", "+1e+3", "-1e3"],
    "prefix": ["0x10", "0X1F", "0b1", "0o7", "-0x1", "0xdead_beef"],
    "digits": ["１２", "١٢", "-१", "1२", "१,५"],
    "separator": [
        "1,000",
        "1,5",
        "-1,000",
        "1,000.50",
        "1.000,50",
        "1.000.000",
        "1_000",
        "1 000",
        "1\u00a0000",
        "1'000",
        "1\u2019000",
    ],
    "plus": ["+5", "+5.5", "+.5"],
    "not-finite": ["nan", "NaN", "inf", "-inf", "Infinity", "+infinity", "∞"],
    "too-long": ["1" * 401, "0." + "1" * 400],
    "other": [
        "x",
        "5 MB",
        "10%",
        "--5",
        "5-",
        "-",
        ".",
        "-.",
        "1/2",
        "\u22125",
        "\ud800",
        "$5",
        "½",
    ],
}


@pytest.mark.parametrize(
    ("why", "text"), [(why, text) for why, texts in REFUSED.items() for text in texts]
)
def test_what_could_mean_something_else_is_refused_with_the_reason(why: str, text: str) -> None:
    assert parse_integer(text) == Refusal("not-a-number", {"why": why, "integer": True})
    assert parse_number(text) == Refusal("not-a-number", {"why": why, "integer": False})


@pytest.mark.parametrize("text", ["1.5", "-0.1", ".5", "1.0000001"])
def test_a_fraction_is_no_whole_number(text: str) -> None:
    assert parse_integer(text) == Refusal("not-a-number", {"why": "fraction", "integer": True})


def test_a_whole_number_that_does_not_fit_into_64_bits_is_refused_with_the_bound() -> None:
    assert parse_integer(str(INT64_MAX + 1)) == Refusal("too-big", {"maximum": INT64_MAX})
    assert parse_integer(str(INT64_MIN - 1)) == Refusal("too-small", {"minimum": INT64_MIN})


def test_a_number_that_does_not_fit_into_64_bits_becomes_the_nearest_float() -> None:
    read = parse_number(str(INT64_MAX + 1))
    assert type(read) is float
    assert read == float(2**63)


@pytest.mark.parametrize("text", ["1" + "0" * 309, "-1" + "0" * 309, "9" * 400])
def test_a_number_beyond_every_float_is_refused(text: str) -> None:
    assert parse_number(text) == Refusal("not-a-number", {"why": "too-long", "integer": False})


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3, "3"),
        (-3, "-3"),
        (3.0, "3.0"),
        (0.1, "0.1"),
        (1e16, "10000000000000000"),
        (1e-7, "0.0000001"),
        (-1.5e-10, "-0.00000000015"),
        (2**63, "9223372036854775808"),
    ],
)
def test_a_number_is_written_without_an_exponent(number: float, text: str) -> None:
    assert number_text(number) == text
    assert parse_number(text) == number


# --- yes or no


@pytest.mark.parametrize("text", ["yes", "y", "true", "1", "YES", "Yes", " y ", "TRUE", "True\n"])
def test_yes_is_said_in_several_ways(text: str) -> None:
    assert parse_boolean(text) is True


@pytest.mark.parametrize("text", ["no", "n", "false", "0", "NO", "No", " n ", "FALSE", "False"])
def test_no_is_said_in_several_ways(text: str) -> None:
    assert parse_boolean(text) is False


@pytest.mark.parametrize("text", ["", "maybe", "yess", "01", "2", "1.0", "ｙ", "yes no", "-", "on"])
def test_anything_else_is_neither_yes_nor_no(text: str) -> None:
    assert parse_boolean(text) == Refusal("not-yes-or-no")


@pytest.mark.parametrize("value", [True, False])
def test_the_text_of_a_boolean_reads_back(value: bool) -> None:
    assert parse_boolean(boolean_text(value)) is value


# --- choices

OPTIONS = (
    Option(value="pg", title="PostgreSQL"),
    Option(value="sqlite", title="SQLite, the small one"),
    Option(value="none"),
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pg", "pg"),
        ("PostgreSQL", "pg"),
        (" pg ", "pg"),
        ("SQLite, the small one", "sqlite"),
        ("none", "none"),
    ],
)
def test_a_choice_is_typed_as_the_value_or_the_title(text: str, value: str) -> None:
    assert parse_choice(text, OPTIONS) == value


@pytest.mark.parametrize("text", ["PG", "postgresql", "Postgre", "1", "pg,none", "x"])
def test_what_is_neither_value_nor_title_is_no_choice(text: str) -> None:
    assert parse_choice(text, OPTIONS) == Refusal("not-a-choice")


def test_text_that_fits_two_options_is_ambiguous() -> None:
    crossed = (Option(value="a", title="b"), Option(value="b", title="a"))
    same = (Option(value="1", title="Yes"), Option(value="2", title="Yes"))
    ambiguous = Refusal("not-a-choice", {"ambiguous": True})
    assert parse_choice("a", crossed) == ambiguous
    assert parse_choice("Yes", same) == ambiguous
    assert parse_choice("2", same) == "2"


def test_an_option_that_is_its_own_title_is_not_ambiguous() -> None:
    assert parse_choice("a", (Option(value="a", title="a"), Option(value="b"))) == "a"


def test_spaces_around_a_value_do_not_keep_it_from_being_chosen() -> None:
    assert parse_choice("a", (Option(value=" a "), Option(value="b"))) == " a "


@pytest.mark.parametrize("option", [Option(value="a"), Option(value="", title="Nothing")])
def test_empty_text_chooses_nothing(option: Option) -> None:
    assert parse_choice(" ", (option,)) == Refusal("not-a-choice")
    assert parse_choices(" ", (option,)) == ()
    assert parse_choice("Nothing", (Option(value="", title="Nothing"),)) == ""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", ()),
        (" , ", ()),
        ("pg", ("pg",)),
        ("none, pg", ("none", "pg")),
        ("none,PostgreSQL,", ("none", "pg")),
        ("pg, pg", ("pg", "pg")),
        ("SQLite, the small one", ("sqlite",)),
        ("SQLite, the small one\nnone", ("sqlite", "none")),
        ("\npg\n\nnone\n", ("pg", "none")),
        ("pg\n", ("pg",)),
    ],
)
def test_several_choices_are_typed_with_commas_or_one_per_line(
    text: str, values: tuple[str, ...]
) -> None:
    assert parse_choices(text, OPTIONS) == values


@pytest.mark.parametrize("text", ["pg, x", "x", "pg none", "pg;none", "SQLite, the small one, pg"])
def test_one_unknown_choice_refuses_them_all(text: str) -> None:
    assert parse_choices(text, OPTIONS) == Refusal("not-a-choice")
