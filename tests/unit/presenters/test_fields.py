"""One field in line mode, for every kind: what is shown, and what lines do to it."""

import asyncio

import pytest

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.fields import FieldAsker, Move, judge
from acp_elicitation.presenters.page import Page
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
)
from tests.unit.presenters.dialogue import Person

COLOURS = (Option(value="r", title="Red"), Option(value="g", title="Green"), Option(value="b"))


class Asked:
    """One field that was asked for: the move, what the user saw, what would be sent."""

    def __init__(self, move: Move, sees: str, draft: FormDraft) -> None:
        self.move = move
        self.sees = sees
        self.draft = draft

    @property
    def content(self) -> dict[str, object]:
        return self.draft.content()


async def ask(member: Property, *lines: str, required: bool = False) -> Asked:
    schema = FormSchema(properties={"it": member}, required=("it",) if required else ())
    draft = FormDraft(schema)
    person = Person(*lines)
    asker = FieldAsker(draft, page=Page(person.shown), lines=person.lines)
    move = await person.answers(asker.ask(draft.fields[0], "1/1"))
    return Asked(move, person.sees, draft)


# --- what is shown --------------------------------------------------------------------------------


async def test_a_field_shows_place_title_description_limits_and_whether_it_is_required() -> None:
    member = StringProperty(title="Name", description="Of the dog", min_length=2, max_length=9)
    asked = await ask(member, "Rex", required=True)
    assert asked.sees == (
        "\n"
        "1/1 Name (required)\n"
        "| Of the dog\n"
        '  Text. For several lines, enter """ before and after them.\n'
        "  Expected: 2 to 9 characters\n"
        "> "
    )
    assert asked.content == {"it": "Rex"}


async def test_a_field_without_a_title_goes_by_its_name() -> None:
    asked = await ask(BooleanProperty(), "yes")
    assert asked.sees == "\n1/1 it (optional)\n  Expected: yes or no\n> "


async def test_a_description_that_repeats_the_title_is_shown_once() -> None:
    assert (await ask(BooleanProperty(title="Sure", description="Sure "))).sees.count("Sure") == 1


@pytest.mark.requirement("FORM-4")
@pytest.mark.parametrize(
    ("member", "shown", "value"),
    [
        (StringProperty(default="Rex"), "[Rex]> ", "Rex"),
        (IntegerProperty(default=0), "[0]> ", 0),
        (NumberProperty(default=0.5), "[0.5]> ", 0.5),
        (BooleanProperty(default=False), "[no]> ", False),
        (SelectProperty(options=COLOURS, default="g"), "[Green]> ", "g"),
        (MultiSelectProperty(options=COLOURS, default=("b", "r")), "[Red, b]> ", ["r", "b"]),
        (MultiSelectProperty(options=COLOURS, default=()), "> ", None),
    ],
)
async def test_enter_keeps_the_declared_default_which_stands_in_brackets(
    member: Property, shown: str, value: object
) -> None:
    asked = await ask(member, "")
    assert asked.move is Move.NEXT
    assert asked.sees.endswith(shown)
    assert asked.content == ({} if value is None else {"it": value})


@pytest.mark.requirement("FORM-4")
@pytest.mark.parametrize(
    "member",
    [
        StringProperty(),
        IntegerProperty(),
        BooleanProperty(),
        SelectProperty(options=COLOURS),
        MultiSelectProperty(options=COLOURS),
    ],
)
async def test_nothing_is_preselected_without_a_default(member: Property) -> None:
    optional = await ask(member, "")
    assert optional.move is Move.NEXT
    assert optional.sees.endswith("\n> ")
    assert optional.content == {}
    required = await ask(member, "", required=True)
    assert required.move is Move.CANCEL  # the input ended at the second time of asking
    assert "  ! An answer is required here.\n> " in required.sees


async def test_a_default_that_breaks_a_limit_is_asked_for_again() -> None:
    asked = await ask(StringProperty(default="x", min_length=2), "", "xy")
    assert "  ! Enter at least 2 characters.\n[x]> " in asked.sees
    assert asked.content == {"it": "xy"}


async def test_a_long_value_is_shortened_in_the_brackets() -> None:
    asked = await ask(StringProperty(default="x" * 500), "")
    assert asked.sees.endswith(f"[{'x' * 59}…]> ")


# --- text -----------------------------------------------------------------------------------------


async def test_text_is_taken_as_typed_words_that_act_elsewhere_included() -> None:
    for text in ("decline", "submit", "  spaced  ", "/usr/bin", "1"):
        assert (await ask(StringProperty(), text)).content == {"it": text}


async def test_the_word_of_a_command_is_entered_with_its_slash_doubled() -> None:
    assert (await ask(StringProperty(), "//decline")).content == {"it": "/decline"}


async def test_what_looks_like_a_misspelt_command_is_taken_and_said_so() -> None:
    asked = await ask(StringProperty(), "/declin")
    assert asked.content == {"it": "/declin"}
    assert "Taken as text: it is none of the commands" in asked.sees


async def test_text_can_be_entered_over_several_lines() -> None:
    asked = await ask(StringProperty(), '"""', "one", "", "/cancel", '""', '"""')
    assert asked.content == {"it": 'one\n\n/cancel\n""'}
    assert 'Now the lines, and """ on a line of its own to end them.' in asked.sees


async def test_a_longer_fence_lets_the_shorter_one_into_the_text() -> None:
    asked = await ask(StringProperty(), '""""', 'say """', '"""', '""""')
    assert asked.content == {"it": 'say """\n"""'}


@pytest.mark.requirement("RES-1")
async def test_the_end_of_input_within_several_lines_cancels() -> None:
    assert (await ask(StringProperty(), '"""', "one")).move is Move.CANCEL


async def test_several_lines_with_traces_of_keys_are_refused() -> None:
    asked = await ask(StringProperty(), '"""', "a\x1b[A", '"""', "fine")
    assert "! Those lines were not taken" in asked.sees
    assert asked.content == {"it": "fine"}


async def test_several_lines_are_judged_like_one() -> None:
    asked = await ask(StringProperty(max_length=3), '"""', "one", "two", '"""', "ok")
    assert "! Enter at most 3 characters." in asked.sees
    assert asked.content == {"it": "ok"}


async def test_a_line_with_traces_of_keys_is_refused_and_asked_for_again() -> None:
    asked = await ask(StringProperty(), "Rex\x1b[D", "Rex")
    assert "! That line was not taken: it has control characters" in asked.sees
    assert "\x1b" not in asked.sees
    assert asked.content == {"it": "Rex"}


async def test_enter_sends_an_empty_text_where_the_form_requires_one_and_allows_it() -> None:
    assert (await ask(StringProperty(min_length=0), "", required=True)).content == {"it": ""}
    cleared = await ask(StringProperty(min_length=0, default="x"), "/clear", required=True)
    assert cleared.content == {"it": ""}
    kept = await ask(StringProperty(default=""), "", required=True)
    assert kept.sees.endswith("[nothing]> ")
    assert kept.content == {"it": ""}


@pytest.mark.requirement("FORM-9")
async def test_a_costly_pattern_holds_nothing_up_while_it_is_judged() -> None:
    schema = FormSchema(properties={"it": StringProperty(pattern="^(a+)+$")})
    draft = FormDraft(schema)
    draft.enter("it", "a" * 40 + "!")
    judging = asyncio.create_task(judge(draft, "it"))
    others = 0
    while not judging.done():
        await asyncio.sleep(0)
        others += 1
    assert others > 10
    assert [problem.code for problem in await judging] == ["pattern"]


async def test_a_text_that_does_not_match_is_asked_for_again() -> None:
    asked = await ask(StringProperty(pattern="^[a-z]+$"), "Rex", "rex")
    assert "! Enter a text that matches the pattern ^[a-z]+$\n" in asked.sees
    assert asked.content == {"it": "rex"}


async def test_judging_a_whole_form_gives_all_problems() -> None:
    schema = FormSchema(
        properties={"a": StringProperty(pattern="x"), "b": StringProperty()}, required=("a", "b")
    )
    assert [problem.property for problem in await judge(FormDraft(schema))] == ["a", "b"]


# --- the other kinds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "lines", "problem", "value"),
    [
        (IntegerProperty(minimum=1), ("zwei", "2"), "Enter a whole number", 2),
        (IntegerProperty(minimum=1), ("0", " 2 "), "Enter 1 or more.", 2),
        (NumberProperty(maximum=1), ("1.5", "0.5"), "Enter 1 or less.", 0.5),
        (BooleanProperty(), ("maybe", "Y"), "Answer yes or no.", True),
        (StringProperty(format="date"), ("tomorrow", "2026-12-31"), "a date like", "2026-12-31"),
        (SelectProperty(options=COLOURS), ("4", "2"), "none of the choices", "g"),
        (SelectProperty(options=COLOURS), ("re", "red"), "These contain it", "r"),
        (MultiSelectProperty(options=COLOURS), ("1,x", "b, 1"), "none of the", ["r", "b"]),
        (MultiSelectProperty(options=COLOURS, max_items=1), ("1,2", "2"), "at most 1", ["g"]),
    ],
)
async def test_what_does_not_fit_is_asked_for_again_with_the_reason(
    member: Property, lines: tuple[str, ...], problem: str, value: object
) -> None:
    asked = await ask(member, *lines)
    assert f"  ! {problem}" in asked.sees or problem in asked.sees
    assert asked.content == {"it": value}


@pytest.mark.parametrize(
    ("member", "line", "kept"),
    [
        (StringProperty(default="ab", min_length=2), "x", {"it": "ab"}),
        (StringProperty(min_length=2), "x", {}),
        (IntegerProperty(default=5), "many", {"it": 5}),
        (MultiSelectProperty(options=COLOURS, default=("r",), max_items=1), "1,2", {"it": ["r"]}),
    ],
)
async def test_what_does_not_fit_leaves_what_stood_there(
    member: Property, line: str, kept: dict[str, object]
) -> None:
    assert (await ask(member, line, "")).content == kept


async def test_a_choice_says_how_to_choose_and_lists_its_options() -> None:
    single = await ask(SelectProperty(title="Colour", options=COLOURS), "1")
    assert "  Choose one: its number or name.\n  1) Red\n  2) Green\n  3) b\n> " in single.sees
    several = await ask(MultiSelectProperty(title="Colours", options=COLOURS, min_items=2), "1, 2")
    assert (
        "  Choose any number: for each its number or name, with commas between them.\n"
        "  1) Red\n  2) Green\n  3) b\n"
        "  Expected: choose at least 2\n> "
    ) in several.sees


# --- commands -------------------------------------------------------------------------------------


@pytest.mark.requirement("UI-3")
@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("/decline", Move.DECLINE),
        ("/cancel", Move.CANCEL),
        ("/back", Move.BACK),
        ("/review", Move.REVIEW),
    ],
)
async def test_a_command_moves_away_from_the_field(line: str, move: Move) -> None:
    asked = await ask(StringProperty(default="Rex"), line)
    assert asked.move is move
    assert asked.content == {"it": "Rex"}


@pytest.mark.requirement("RES-1")
async def test_the_end_of_input_cancels() -> None:
    assert (await ask(StringProperty(default="Rex"))).move is Move.CANCEL


@pytest.mark.parametrize(
    ("member", "required", "content"),
    [
        (StringProperty(default="Rex"), False, {}),
        (IntegerProperty(default=1), False, {}),
        (BooleanProperty(default=True), False, {}),
        (SelectProperty(options=COLOURS, default="r"), False, {}),
        (MultiSelectProperty(options=COLOURS, default=("r",)), False, {"it": []}),
        (MultiSelectProperty(options=COLOURS, default=("r",)), True, {"it": []}),
    ],
)
async def test_an_optional_field_can_be_cleared_of_its_default(
    member: Property, required: bool, content: dict[str, object]
) -> None:
    asked = await ask(member, "/clear", required=required)
    assert asked.move is Move.NEXT
    assert asked.content == content


async def test_a_required_field_that_is_cleared_is_asked_for_again() -> None:
    asked = await ask(StringProperty(default="Rex"), "/clear", "/default", required=True)
    assert "  ! An answer is required here.\n    What stood here stays.\n[Rex]> " in asked.sees
    assert asked.content == {"it": "Rex"}


async def test_a_required_field_without_anything_in_it_can_be_cleared_in_vain() -> None:
    asked = await ask(SelectProperty(options=COLOURS), "/clear", "1", required=True)
    assert "  ! An answer is required here.\n> " in asked.sees
    assert "What stood here" not in asked.sees
    assert asked.content == {"it": "r"}


@pytest.mark.parametrize("line", ["1 3", "red;b", "1 / b", "Red  b"])
async def test_several_choices_without_commas_are_explained(line: str) -> None:
    asked = await ask(MultiSelectProperty(options=COLOURS), line, "1, 3")
    assert "  ! Put commas between them: " in asked.sees
    assert "none of the choices" not in asked.sees
    assert asked.content == {"it": ["r", "b"]}


async def test_a_choice_with_a_gap_in_its_name_needs_no_commas() -> None:
    options = (Option(value="dark"), Option(value="red"), Option(value="x", title="dark red"))
    asked = await ask(MultiSelectProperty(options=options), "dark red")
    assert asked.content == {"it": ["x"]}


@pytest.mark.parametrize(
    ("member", "line", "reason"),
    [
        (IntegerProperty(), "1,5", "Enter a whole number in digits alone, as in 1234."),
        (NumberProperty(), "1,5", "only a decimal point is read, as in 1234.5."),
        (StringProperty(format="date"), "2027-02-29", "There is no such day. Enter a date like"),
        (StringProperty(format="date"), "29.02.2027", "! Enter a date like"),
        (
            StringProperty(format="date-time"),
            "2027-02-29T10:00:00Z",
            "There is no such day. Enter a date and time",
        ),
    ],
)
async def test_what_is_wrong_with_an_answer_is_said(
    member: Property, line: str, reason: str
) -> None:
    asked = await ask(member, line)
    assert asked.move is Move.CANCEL
    assert reason in asked.sees


@pytest.mark.requirement("UI-2")
async def test_a_masked_answer_is_shown_nowhere() -> None:
    schema = FormSchema(properties={"pin": StringProperty(), "note": StringProperty()})
    draft = FormDraft(schema)
    person = Person("sesame", "")
    asker = FieldAsker(draft, page=Page(person.shown), lines=person.lines, masked={"pin"})
    assert await asker.ask(draft.fields[0], "1/2") is Move.NEXT
    assert await person.answers(asker.ask(draft.fields[0], "1/2")) is Move.NEXT
    assert "Text. What you type is not shown.\n[********]> " in person.sees
    assert "sesame" not in person.sees
    assert draft.content() == {"pin": "sesame"}


async def test_the_default_can_be_put_back() -> None:
    member = SelectProperty(options=COLOURS, default="r")
    schema = FormSchema(properties={"it": member})
    draft = FormDraft(schema)
    draft.choose("it", ["g"])
    person = Person("/default")
    asker = FieldAsker(draft, page=Page(person.shown), lines=person.lines)
    await person.answers(asker.ask(draft.fields[0], "1/1"))
    assert draft.content() == {"it": "r"}


async def test_all_choices_are_listed_on_demand() -> None:
    member = SelectProperty(options=tuple(Option(value=f"v{n}") for n in range(50)))
    asked = await ask(member, "/list", "50")
    assert "  50) v49\n" in asked.sees
    assert asked.content == {"it": "v49"}


@pytest.mark.parametrize(
    ("member", "extra"),
    [
        (StringProperty(), "//clear"),
        (SelectProperty(options=COLOURS), "/list"),
        (BooleanProperty(), None),
    ],
)
async def test_help_lists_what_else_can_be_typed(member: Property, extra: str | None) -> None:
    asked = await ask(member, "/help", "/cancel")
    for word in ("/clear", "/default", "/back", "/review", "/decline", "/cancel"):
        assert f"\n  {word} " in asked.sees
    assert ("//clear" in asked.sees, "/list" in asked.sees) == (
        extra == "//clear",
        extra == "/list",
    )


async def test_a_field_that_is_taken_away_ends_with_the_cancellation() -> None:
    schema = FormSchema(properties={"it": StringProperty()})
    draft = FormDraft(schema)
    person = Person(ends=False)
    asker = FieldAsker(draft, page=Page(person.shown), lines=person.lines)
    asking = asyncio.create_task(asker.ask(draft.fields[0], "1/1"))
    await person.shown.until("> ")
    asking.cancel()
    await asyncio.wait([asking])
    assert asking.cancelled()
    person.close()
