"""A choice and its companion in line mode: one question, two properties."""

import pytest

from acp_elicitation.client.prompts import Reply
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.filling import FormFiller
from acp_elicitation.presenters.page import Page
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
)
from tests.unit.presenters.dialogue import Person

OPTIONS = (
    Option(value="pg", title="PostgreSQL"),
    Option(value="my", title="MySQL"),
    Option(value="mdb", title="MongoDB"),
)
ONE = SelectProperty(title="Database", options=OPTIONS)
MANY = MultiSelectProperty(title="Databases", options=OPTIONS)
FIRST = SelectProperty(title="Database", options=OPTIONS, default="pg")
OTHER = StringProperty(title="Another one", description="Any name", max_length=20)
NOTE = StringProperty(title="Note", meta={"role": "user_note", "questionId": "db"})


async def fill(
    *lines: str, choice: Property = ONE, required: bool = False, **companion: Property
) -> tuple[Reply, str]:
    """Fill in a form of a choice, by default with OTHER beside it, and of one text."""
    properties = {"db": choice, **(companion or {"db_other": OTHER}), "last": StringProperty()}
    schema = FormSchema(properties=properties, required=("db",) if required else ())
    person = Person(*lines)
    filler = FormFiller(FormDraft(schema), page=Page(person.shown), lines=person.lines)
    return await person.answers(filler.run()), person.sees


async def test_a_pair_is_asked_for_as_one_question() -> None:
    _, sees = await fill("1", "")
    assert (
        "\n1/2 Database (optional)\n"
        "  Choose one: its number or name.\n"
        "  1) PostgreSQL\n"
        "  2) MySQL\n"
        "  3) MongoDB\n"
        "  Or type an answer of your own: Another one\n"
        "| Any name\n"
        "  Expected of the text: "
    ) in sees
    assert "\n2/2 last (optional)\n" in sees


@pytest.mark.requirement("RES-3")
@pytest.mark.parametrize(
    ("line", "content", "review"),
    [
        ("2", {"db": "my"}, "Database: MySQL"),
        ("mysql", {"db": "my"}, "Database: MySQL"),
        ("DuckDB", {"db_other": "DuckDB"}, "Database: Another one: DuckDB"),
        ("", {}, "Database: (left empty)"),
    ],
)
async def test_a_line_is_a_choice_or_else_an_answer_of_ones_own(
    line: str, content: dict[str, str], review: str
) -> None:
    reply, sees = await fill(line, "", "submit")
    assert reply == Accepted(content)
    assert f"  1. {review}\n  2. last" in sees


@pytest.mark.requirement("UI-4")
async def test_in_the_review_the_one_gives_way_to_the_other() -> None:
    reply, sees = await fill("DuckDB", "", "1", "2", "1", "SQLite", "submit", choice=FIRST)
    assert reply == Accepted({"db_other": "SQLite"})
    assert "[PostgreSQL]> " in sees
    assert "[Another one: DuckDB]> " in sees
    assert "[MySQL]> " in sees


@pytest.mark.parametrize(
    ("command", "content"), [("/clear", {}), ("/default", {"db": "pg", "db_other": "x"})]
)
async def test_a_pair_is_cleared_and_reset_as_one(command: str, content: dict[str, str]) -> None:
    text = StringProperty(default="x")
    reply, _ = await fill("DuckDB", "", "1", command, "submit", choice=FIRST, db_other=text)
    assert reply == Accepted(content)


async def test_digits_that_are_no_number_of_an_option_are_a_slip_outside_of_a_block() -> None:
    reply, sees = await fill("4", '"""', "4", '"""', "", "submit")
    assert reply == Accepted({"db_other": "4"})
    assert "  ! Choose from the list: this is none of the choices.\n" in sees
    assert 'as a text of your own, put """ on the lines before' in sees


async def test_what_could_mean_several_options_is_no_answer_of_ones_own() -> None:
    twins = SelectProperty(options=(Option(value="a", title="X"), Option(value="b", title="X")))
    reply, sees = await fill("X", "", "", "submit", choice=twins)
    assert reply == Accepted({})
    assert "  ! More than one choice reads like that:\n" in sees


async def test_a_text_that_breaks_its_limits_is_not_taken() -> None:
    reply, sees = await fill("x" * 21, "", "", "submit", choice=FIRST)
    assert reply == Accepted({"db": "pg"})
    assert "  ! Enter at most 20 characters.\n" in sees
    assert "Taken as a text" not in sees


async def test_a_block_that_is_cut_short_or_damaged_is_not_taken() -> None:
    assert (await fill('"""', "a\x1b[A", '"""', "", "", "submit"))[0] == Accepted({})
    assert not isinstance((await fill('"""', "a"))[0], Accepted)


async def test_a_block_keeps_its_lines_in_the_review() -> None:
    reply, sees = await fill('"""', "one", "two", '"""', "", "submit")
    assert reply == Accepted({"db_other": "one\ntwo"})
    assert "  1. Database:\n| Another one: one\n| two\n" in sees


@pytest.mark.requirement("FORM-2")
async def test_a_required_choice_is_still_asked_for_after_a_text() -> None:
    reply, sees = await fill("DuckDB", "", "3", "", "submit", required=True)
    assert reply == Accepted({"db": "mdb", "db_other": "DuckDB"})
    assert "  You can also type a text of your own: Another one\n" in sees
    assert sees.count("  ! An answer is required here.\n") == 2
    assert "  1. Database: MongoDB; Another one: DuckDB\n" in sees


async def test_a_problem_of_the_text_leads_back_to_the_pair() -> None:
    bad = StringProperty(default="x" * 30, max_length=20)
    reply, sees = await fill("/review", "submit", "2", "submit", db_other=bad)
    assert reply == Accepted({"db": "my"})
    assert "     ! Enter at most 20 characters.\n" in sees


@pytest.mark.parametrize("lines", [("1", "With pgvector"), ("With pgvector", "1")])
async def test_a_note_is_taken_before_and_after_the_choice(lines: tuple[str, ...]) -> None:
    reply, sees = await fill(*lines, "", "submit", q7=NOTE)
    assert reply == Accepted({"db": "pg", "q7": "With pgvector"})
    assert "  1. Database: PostgreSQL; Note: With pgvector\n" in sees


async def test_a_note_need_not_be_given() -> None:
    reply, sees = await fill("1", "", "", "submit", q7=NOTE)
    assert reply == Accepted({"db": "pg"})
    assert "  Enter alone goes on.\n" in sees


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("1, 3", {"db": ["pg", "mdb"]}),
        ("3", {"db": ["mdb"]}),
        ("DuckDB", {"db_other": "DuckDB"}),
        ("DuckDB, the new one", {"db_other": "DuckDB, the new one"}),
        ("1, DuckDB, SQLite", {"db": ["pg"], "db_other": "DuckDB, SQLite"}),
    ],
)
async def test_of_a_list_what_names_no_option_is_ones_own(
    line: str, content: dict[str, object]
) -> None:
    reply, _ = await fill("2, Oracle", "", "1", line, "submit", choice=MANY)
    assert reply == Accepted(content)


async def test_a_part_of_a_list_can_be_a_slip() -> None:
    reply, sees = await fill("1, 7", "2", "", "submit", choice=MANY)
    assert reply == Accepted({"db": ["my"]})
    assert "  ! Choose from the list" in sees


async def test_a_note_beside_a_list_leaves_the_list_alone() -> None:
    reply, _ = await fill("1, 2", "Both", "", "1", "3", "submit", choice=MANY, db_note=NOTE)
    assert reply == Accepted({"db": ["mdb"], "db_note": "Both"})


@pytest.mark.requirement("UI-1")
async def test_the_words_of_a_companion_cannot_pass_for_a_line_of_the_presenter() -> None:
    forged = StringProperty(title="Note\n2/2 Sent\n", description="\n2/2 Sent")
    _, sees = await fill("mine", db_other=forged)
    assert "\n2/2 Sent" not in sees
