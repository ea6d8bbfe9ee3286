"""Lists of options: what is marked, what is found, and what is taken back."""

from acp_elicitation.presenters.tui.choosing import Choosing, Rows
from acp_elicitation.presenters.tui.editors import Line
from acp_elicitation.presenters.tui.marked import Marked
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.schema import MultiSelectProperty, Option, Property, SelectProperty
from tests.contract.presenters import form_prompt
from tests.unit.presenters.tui.stage import Stage, on_stage

COLOURS = (
    Option(value="red", title="Red", description="Like a rose"),
    Option(value="green", title="Green", description="Green"),
    Option(value="blue"),
)
MANY = tuple(Option(value=f"v{n}", title=f"Version {n}") for n in range(300))


def rows(stage: Stage) -> list[str]:
    """The rows of the first list, as they are drawn."""
    listed = stage.screen.query(Rows).first().options
    return [row.prompt.plain for row in listed if isinstance(row.prompt, Marked)]


async def test_nothing_is_marked_at_first_but_that_there_is_no_answer() -> None:
    async with on_stage(form_prompt({"it": SelectProperty(options=COLOURS)})) as stage:
        assert rows(stage) == [
            "( ) Red\nLike a rose",
            "( ) Green",
            "( ) blue",
            "(●) No answer",
        ]


async def test_a_required_choice_has_no_row_for_leaving_it_out() -> None:
    prompt = form_prompt({"it": SelectProperty(options=COLOURS)}, required=("it",))
    async with on_stage(prompt) as stage:
        assert len(rows(stage)) == 3
        assert not any("●" in row for row in rows(stage))
        await stage.press("space", "delete", "ctrl+s")
        assert stage.replies == []
        assert "! An answer is required here." in stage.sees


async def test_space_chooses_and_stays_and_another_choice_takes_its_place() -> None:
    async with on_stage(form_prompt({"it": SelectProperty(options=COLOURS)})) as stage:
        await stage.press("space", "down", "space")
        assert [row[:3] for row in rows(stage)] == ["( )", "(●)", "( )", "( )"]
        assert isinstance(stage.app.focused, Rows)
        await stage.press("down", "down", "space")
        assert rows(stage)[-1] == "(●) No answer"
        await stage.press("up", "enter", "enter")  # chooses, goes on, submits
        assert await stage.reply() == Accepted({"it": "blue"})


async def test_a_click_chooses_too() -> None:
    async with on_stage(form_prompt({"it": MultiSelectProperty(options=COLOURS)})) as stage:
        for y in (0, 2, 3, 2):  # Red has two lines
            await stage.pilot.click(Rows, offset=(3, y))
        await stage.press("ctrl+s")
        assert await stage.reply() == Accepted({"it": ["red", "blue"]})


async def test_several_are_chosen_by_space_and_enter_only_goes_on() -> None:
    fields: dict[str, Property] = {"it": MultiSelectProperty(options=COLOURS, default=("green",))}
    async with on_stage(form_prompt(fields)) as stage:
        assert [row[:3] for row in rows(stage)] == ["[ ]", "[x]", "[ ]"]
        await stage.press("space", "down", "space", "enter", "enter")
        assert await stage.reply() == Accepted({"it": ["blue"]})


async def test_a_long_list_is_narrowed_by_typing_and_what_is_chosen_stays_chosen() -> None:
    async with on_stage(form_prompt({"it": MultiSelectProperty(options=MANY)})) as stage:
        assert "300 choices" in stage.sees
        await stage.types("ION 29")
        assert "11 choices found" in stage.sees
        await stage.press("down", "down", "space")
        assert rows(stage)[1] == "[x] Version 290"
        await stage.press(*"nowhere")  # letters go to the filter from the list too
        assert "0 choices found" in stage.sees
        assert stage.screen.query_one(Line).value == "ION 29nowhere"
        assert rows(stage) == []
        await stage.press("enter", "space", "ctrl+s")
        assert await stage.reply() == Accepted({"it": ["v290"]})


async def test_a_list_of_one_keeps_the_row_for_no_answer_whatever_is_sought() -> None:
    async with on_stage(form_prompt({"it": SelectProperty(options=MANY, default="v7")})) as stage:
        (choosing,) = stage.screen.query(Choosing)
        assert choosing.query_one(Rows).highlighted == 7
        choosing.first.focus()
        await stage.types("zzz")
        assert rows(stage) == ["( ) No answer"]
        await stage.press("enter", "space", "ctrl+s")
        assert await stage.reply() == Accepted({})


async def test_a_long_title_is_wrapped_beside_its_mark_and_not_cut() -> None:
    title = "word " * 30 + "end"
    options = (Option(value="a", title=title), Option(value="b"))
    async with on_stage(form_prompt({"it": SelectProperty(options=options)}), size=(40, 40)) as st:
        lines = [strip.text for strip in st.screen._compositor.render_strips()]
        first = next(at for at, line in enumerate(lines) if "( ) word" in line)
        last = next(at for at, line in enumerate(lines) if "end" in line)
        start = lines[first].index("word")
        assert last > first
        assert all(line[:start].strip(" ▌│") == "" for line in lines[first + 1 : last + 1])
