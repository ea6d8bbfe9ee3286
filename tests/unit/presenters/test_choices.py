"""Options in line mode: numbers, names, and never a guess."""

import io

import pytest

from acp_elicitation.presenters.choices import Choices
from acp_elicitation.presenters.page import Page
from acp_elicitation.protocol.schema import Option

PG = Option(value="pg", title="PostgreSQL", description="a server")
LITE = Option(value="sqlite", title="SQLite")
NONE = Option(value="none")
DATABASES = Choices((PG, LITE, NONE))
WORKERS = Choices([Option(value=value) for value in ("2", "4", "8", "1")])
MANY = Choices([Option(value=f"v{n:03}", title=f"Region {n:03}") for n in range(200)])


def listed(choices: Choices, *, everything: bool = False) -> str:
    out = io.StringIO()
    choices.show(Page(out), everything=everything)
    return out.getvalue()


def explained(choices: Choices, text: str) -> str:
    out = io.StringIO()
    choices.explain(Page(out), text)
    return out.getvalue()


def test_options_are_listed_with_number_title_and_description() -> None:
    assert listed(DATABASES) == "  1) PostgreSQL - a server\n  2) SQLite\n  3) none\n"


@pytest.mark.parametrize("text", ["1", " 1 ", "pg", "PostgreSQL", "postgresql", "PG"])
def test_an_option_goes_by_its_number_its_value_or_its_title(text: str) -> None:
    assert DATABASES.find(text) == [PG]


@pytest.mark.parametrize("text", ["0", "4", "01", "-1", "p", "", "Postgre SQL"])
def test_what_names_no_option_is_none(text: str) -> None:
    assert DATABASES.find(text) == []


def test_values_that_look_like_numbers_of_others_leave_the_list_without_numbers() -> None:
    assert not WORKERS.numbered
    assert listed(WORKERS) == "  - 2\n  - 4\n  - 8\n  - 1\n"
    assert [option.value for option in WORKERS.find("2")] == ["2"]
    assert WORKERS.how == "its name as listed"


def test_a_value_that_is_its_own_number_leaves_the_numbers() -> None:
    choices = Choices([Option(value="1", title="One"), Option(value="2", title="Two")])
    assert choices.numbered
    assert choices.how == "its number or name"
    assert [option.value for option in choices.find("2")] == ["2"]


def test_without_numbers_the_value_stands_beside_its_title() -> None:
    choices = Choices([Option(value="2", title="Two machines"), Option(value="x", title="x")])
    assert listed(choices) == "  - Two machines (2)\n  - x\n"


def test_options_of_one_title_are_told_apart_by_their_values() -> None:
    choices = Choices([Option(value="a", title="Same"), Option(value="b", title="Same")])
    assert listed(choices) == "  1) Same (a)\n  2) Same (b)\n"
    assert len(choices.find("Same")) == 2
    assert "More than one choice reads like that:\n  1) Same (a)\n" in explained(choices, "Same")


def test_a_value_of_one_that_is_the_title_of_another_is_ambiguous() -> None:
    choices = Choices([Option(value="a", title="b"), Option(value="b", title="c")])
    assert len(choices.find("b")) == 2
    assert len(choices.find("a")) == 1


def test_letter_case_decides_where_it_tells_two_apart() -> None:
    choices = Choices([Option(value="Red"), Option(value="red")])
    assert [option.value for option in choices.find("red")] == ["red"]
    assert len(choices.find("RED")) == 2


@pytest.mark.parametrize(
    "text", ["1,3", "3, pg", "none,,PostgreSQL,", "pg,none", "1，3", "pg、none"]
)
def test_several_are_named_with_commas_between_them(text: str) -> None:
    found = DATABASES.find_several(text)
    assert isinstance(found, list)
    assert sorted(option.value for option in found) == ["none", "pg"]


def test_one_whose_name_has_a_comma_goes_by_its_whole_name() -> None:
    choices = Choices([Option(value="a, b"), Option(value="b")])
    assert [o.value for o in choices.find_several("a, b") if isinstance(o, Option)] == ["a, b"]


def test_the_part_that_names_none_is_given_back() -> None:
    assert DATABASES.find_several("1, mongo, 2") == " mongo"


def test_a_part_that_could_mean_two_names_none() -> None:
    choices = Choices([Option(value="a", title="Same"), Option(value="b", title="Same")])
    assert choices.find_several("1, Same") == " Same"


def test_a_text_that_is_part_of_a_name_finds_it_and_chooses_nothing() -> None:
    assert DATABASES.find("sql") == []
    explanation = explained(DATABASES, "sql")
    assert "These contain it:\n  1) PostgreSQL - a server\n  2) SQLite\n" in explanation


def test_a_text_like_no_name_gets_the_hint_to_choose_from_the_list() -> None:
    assert explained(DATABASES, "mongo") == (
        "  ! Choose from the list: this is none of the choices.\n"
    )
    assert explained(DATABASES, " ") == "  ! Choose from the list: this is none of the choices.\n"


def test_of_many_options_the_first_are_listed_and_the_rest_can_be_searched() -> None:
    lines = listed(MANY).splitlines()
    assert lines[0] == "    1) Region 000"
    assert lines[19] == "   20) Region 019"
    assert lines[20:] == [
        "  ... and 180 more.",
        "  Type a part of a name to search them, /list to see them all.",
    ]
    assert len(listed(MANY, everything=True).splitlines()) == 200
    found = explained(MANY, "region 1").splitlines()
    assert found[1] == "  101) Region 100"
    assert found[-1] == "  ... and 80 more."


def test_a_description_that_repeats_the_title_is_left_out() -> None:
    assert listed(Choices([Option(value="a", title="A", description="A")])) == "  1) A\n"
