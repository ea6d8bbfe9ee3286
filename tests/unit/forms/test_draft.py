"""A form while its user fills it in."""

import pytest

from acp_elicitation.forms.check import check
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer
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
    UnknownProperty,
)

OPTIONS = (Option(value="a"), Option(value="b", title="Bee"), Option(value="c", title="Sea"))


def draft_of(required: tuple[str, ...] = (), **properties: Property) -> FormDraft:
    return FormDraft(FormSchema(properties=properties, required=required))


def every_kind(required: tuple[str, ...] = ()) -> FormDraft:
    return draft_of(
        required,
        name=StringProperty(title="Name"),
        ratio=NumberProperty(),
        port=IntegerProperty(minimum=1024, maximum=65535),
        dry=BooleanProperty(),
        mode=SelectProperty(options=OPTIONS),
        extras=MultiSelectProperty(options=OPTIONS),
        place=UnknownProperty(type="location"),
    )


# --- the form


@pytest.mark.requirement("FWD-9")
def test_the_questions_come_in_the_order_of_the_agent() -> None:
    draft = every_kind(("port", "ghost"))
    names = ["name", "ratio", "port", "dry", "mode", "extras", "place"]
    assert [field.name for field in draft.fields] == names
    assert [field.name for field in draft.fields if field.required] == ["port"]
    assert draft.field("name") is draft.fields[0]


def test_a_draft_keeps_the_form_that_the_agent_sent() -> None:
    schema = FormSchema(properties={}, title="Setup")
    assert FormDraft(schema).schema is schema


def test_a_form_without_questions_is_a_confirmation() -> None:
    draft = draft_of()
    assert draft.is_confirmation
    assert draft.problems() == []
    assert draft.content() == {}
    assert not every_kind().is_confirmation


def test_a_draft_says_whether_judging_it_may_take_a_moment() -> None:
    assert not every_kind().has_patterns
    assert draft_of(x=StringProperty(pattern="a")).has_patterns


@pytest.mark.parametrize("action", ["field", "text", "chosen", "is_set", "clear", "reset"])
def test_a_name_that_the_form_does_not_have_is_a_key_error(action: str) -> None:
    with pytest.raises(KeyError):
        getattr(every_kind(), action)("ghost")


def test_nothing_is_put_under_a_name_that_the_form_does_not_have() -> None:
    draft = every_kind()
    with pytest.raises(KeyError):
        draft.enter("ghost", "x")
    with pytest.raises(KeyError):
        draft.choose("ghost", ["x"])
    with pytest.raises(KeyError):
        draft.problems("ghost")
    with pytest.raises(KeyError):
        draft.shown_value("ghost")


# --- filling in


def test_what_the_user_fills_in_is_sent_as_values_in_the_order_of_the_form() -> None:
    draft = every_kind(("name", "port"))
    draft.choose("extras", ["c", "a", "a"])
    draft.choose("mode", ["b"])
    draft.enter("dry", "Yes")
    draft.enter("port", " 8080 ")
    draft.enter("ratio", "0.5")
    draft.enter("name", " Ada ")
    assert draft.problems() == []
    assert list(draft.content().items()) == [
        ("name", " Ada "),
        ("ratio", 0.5),
        ("port", 8080),
        ("dry", True),
        ("mode", "b"),
        ("extras", ["a", "c"]),
    ]


@pytest.mark.requirement("RES-3")
def test_what_is_left_empty_has_no_key() -> None:
    draft = every_kind()
    assert draft.content() == {}
    for name in ("name", "ratio", "port", "dry", "mode", "extras"):
        draft.enter(name, "")
        assert not draft.is_set(name)
    assert draft.problems() == []
    assert draft.content() == {}


@pytest.mark.requirement("FORM-2")
def test_a_required_field_that_is_empty_is_a_problem() -> None:
    names = ("name", "ratio", "port", "dry", "mode", "extras")
    draft = every_kind(names)
    assert draft.problems() == [Problem(name, "required") for name in names]
    draft.enter("name", "")
    assert draft.problems("name") == [Problem("name", "required")]


@pytest.mark.requirement("FORM-2")
def test_nothing_with_a_problem_is_sent() -> None:
    draft = every_kind(("name",))
    draft.enter("port", "80")
    with pytest.raises(InvalidAnswer) as caught:
        draft.content()
    assert caught.value.problems == (
        Problem("name", "required"),
        Problem("port", "too-small", {"minimum": 1024}),
    )
    assert "80" not in str(caught.value)


@pytest.mark.requirement("FORM-2")
def test_the_problems_of_one_field_follow_what_is_entered() -> None:
    draft = every_kind(("port",))
    for text, codes in [
        ("x", ["not-a-number"]),
        ("80.5", ["not-a-number"]),
        ("80", ["too-small"]),
        ("65536", ["too-big"]),
        ("65535", []),
        ("", ["required"]),
    ]:
        draft.enter("port", text)
        assert [problem.code for problem in draft.problems("port")] == codes
        assert draft.problems("name") == []
        assert draft.text("port") == text


def test_the_problems_that_a_draft_returns_are_the_callers_to_keep() -> None:
    draft = every_kind(("port",))
    draft.problems("port").clear()
    assert draft.problems("port") == [Problem("port", "required")]


@pytest.mark.requirement("FORM-9")
def test_a_text_is_compared_with_a_pattern_once() -> None:
    draft = draft_of(x=StringProperty(pattern="^(?=(a+)+$)b"))
    draft.enter("x", "a" * 40 + "!")
    first = draft.problems("x")
    assert first[0].params["too_costly"] is True
    assert draft.problems("x")[0] is first[0]


def test_text_with_half_a_character_is_a_problem_as_it_cannot_be_sent() -> None:
    draft = draft_of(x=StringProperty(pattern="."))
    draft.enter("x", "a\udc80")
    assert draft.problems() == [Problem("x", "not-unicode")]
    draft.enter("x", "a\U0001f600\ud7ff\ue000")
    assert draft.problems() == []


def test_choosing_again_replaces_what_was_chosen() -> None:
    draft = every_kind()
    draft.choose("extras", ["a", "b"])
    draft.choose("extras", ["c"])
    assert draft.chosen("extras") == ("c",)
    draft.choose("mode", ["a"])
    draft.enter("mode", "Sea")
    assert draft.chosen("mode") == ("c",)
    assert draft.content() == {"extras": ["c"], "mode": "c"}


def test_choosing_what_is_no_option_is_a_problem() -> None:
    draft = every_kind()
    draft.choose("mode", ["z"])
    draft.choose("extras", ["a", "z"])
    assert draft.problems() == [Problem("mode", "not-a-choice"), Problem("extras", "not-a-choice")]
    assert draft.chosen("extras") == ("a",)


def test_choosing_two_where_one_is_asked_for_is_a_problem() -> None:
    draft = every_kind()
    draft.choose("mode", ["a", "b"])
    assert draft.problems() == [Problem("mode", "too-many", {"max_items": 1})]


@pytest.mark.parametrize("name", ["name", "ratio", "port", "dry", "place"])
def test_only_options_can_be_chosen(name: str) -> None:
    draft = every_kind()
    with pytest.raises(ValueError, match=name):
        draft.choose(name, ["a"])
    assert not draft.is_set(name)


# --- defaults


def with_defaults() -> FormDraft:
    return draft_of(
        ("name",),
        name=StringProperty(default="x"),
        port=IntegerProperty(default=8080),
        dry=BooleanProperty(default=False),
        mode=SelectProperty(options=OPTIONS, default="b"),
        extras=MultiSelectProperty(options=OPTIONS, default=("c", "a")),
    )


DEFAULTS = {"name": "x", "port": 8080, "dry": False, "mode": "b", "extras": ["a", "c"]}


@pytest.mark.requirement("FORM-4")
def test_declared_defaults_are_filled_in() -> None:
    draft = with_defaults()
    assert [draft.text(field.name) for field in draft.fields] == ["x", "8080", "no", "b", "a\nc"]
    assert draft.chosen("mode") == ("b",)
    assert draft.chosen("extras") == ("a", "c")
    assert all(draft.is_set(field.name) for field in draft.fields)
    assert draft.content() == DEFAULTS


@pytest.mark.requirement("FORM-4")
def test_a_default_can_be_cleared_and_put_back() -> None:
    draft = with_defaults()
    for field in draft.fields:
        draft.clear(field.name)
        assert draft.text(field.name) == ""
        assert draft.chosen(field.name) == ()
        assert not draft.is_set(field.name)
    assert draft.problems() == [Problem("name", "required")]
    draft.enter("name", "y")
    assert draft.content() == {"name": "y"}
    for field in draft.fields:
        draft.reset(field.name)
    assert draft.content() == DEFAULTS


@pytest.mark.requirement("FORM-4")
def test_a_default_that_breaks_a_limit_is_filled_in_with_its_problem() -> None:
    draft = draft_of(
        name=StringProperty(default="abc", max_length=2), port=IntegerProperty(default=1, minimum=2)
    )
    assert draft.text("name") == "abc"
    assert [problem.code for problem in draft.problems()] == ["too-long", "too-small"]


@pytest.mark.requirement("FORM-4")
def test_a_default_that_is_no_option_is_none() -> None:
    draft = draft_of(("mode",), mode=SelectProperty(options=OPTIONS, default="z"))
    assert draft.chosen("mode") == ()
    assert draft.problems() == [Problem("mode", "required")]


def test_resetting_a_field_without_default_empties_it() -> None:
    draft = every_kind()
    draft.enter("name", "x")
    draft.reset("name")
    assert draft.content() == {}


def test_choosing_nothing_overrules_a_default_and_clearing_leaves_the_key_out() -> None:
    draft = with_defaults()
    draft.choose("extras", [])
    assert draft.is_set("extras")
    assert draft.content()["extras"] == []
    draft.clear("extras")
    assert "extras" not in draft.content()


# --- review


@pytest.mark.requirement("UI-4")
def test_every_value_is_shown_for_review_as_it_will_be_sent() -> None:
    draft = every_kind()
    assert [draft.shown_value(field.name) for field in draft.fields] == [""] * 7
    draft.enter("name", " \x1b[31mAda ")
    draft.enter("ratio", ".50")
    draft.enter("port", "08080.0")
    draft.enter("dry", "N")
    draft.choose("mode", ["b"])
    draft.choose("extras", ["c", "a"])
    assert [draft.shown_value(field.name) for field in draft.fields] == [
        " \x1b[31mAda ",
        "0.5",
        "8080",
        "no",
        "Bee",
        "a, Sea",
        "",
    ]


@pytest.mark.requirement("UI-4")
def test_text_that_is_no_value_is_shown_as_typed() -> None:
    draft = every_kind()
    draft.enter("port", " 1,024 ")
    assert draft.shown_value("port") == " 1,024 "


# --- what no input can mend


@pytest.mark.requirement("FWD-2", "FWD-3")
def test_a_form_with_a_required_field_of_unknown_kind_cannot_be_accepted() -> None:
    for member in (
        UnknownProperty(type="location"),
        UnknownProperty(type="array", items_type="location"),
    ):
        draft = draft_of(("place",), name=StringProperty(default="x"), place=member)
        problem = Problem("place", "unknown-kind", {"type": "location"})
        assert draft.blocked == [problem]
        assert draft.problems() == draft.problems("place") == [problem]
        with pytest.raises(InvalidAnswer):
            draft.content()


@pytest.mark.requirement("FWD-2")
def test_an_optional_field_of_unknown_kind_is_left_out() -> None:
    draft = every_kind()
    assert draft.blocked == []
    assert draft.problems("place") == []
    assert draft.content() == {}


@pytest.mark.requirement("FWD-2")
def test_nothing_can_be_entered_into_a_field_of_unknown_kind() -> None:
    draft = every_kind()
    with pytest.raises(ValueError, match="place"):
        draft.enter("place", "here")
    draft.clear("place")
    assert not draft.is_set("place")


def test_a_form_that_requires_what_it_does_not_declare_cannot_be_accepted() -> None:
    draft = draft_of(("name", "ghost"), name=StringProperty())
    assert draft.blocked == [Problem("ghost", "required")]
    assert draft.problems() == [Problem("name", "required"), Problem("ghost", "required")]
    draft.enter("name", "x")
    with pytest.raises(InvalidAnswer):
        draft.content()


def test_a_required_question_whose_limits_exclude_each_other_blocks_the_form() -> None:
    draft = draft_of(("x",), x=IntegerProperty(minimum=2, maximum=1))
    draft.enter("x", "2")
    assert draft.blocked == draft.problems() == [Problem("x", "impossible")]


def test_what_a_draft_sends_passes_the_check_of_the_agent() -> None:
    draft = with_defaults()
    schema = FormSchema(
        properties={field.name: field.property for field in draft.fields}, required=("name",)
    )
    assert check(schema, draft.content()) == []


# --- a choice and its companion


def pair(required: tuple[str, ...] = (), *, end: str = "other", many: bool = False) -> FormDraft:
    choice = (MultiSelectProperty if many else SelectProperty)(options=OPTIONS)
    companion, last = StringProperty(), BooleanProperty()
    return draft_of(required, **{"db": choice, f"db_{end}": companion, "last": last})


def test_a_choice_and_its_companion_are_one_question_of_two_fields() -> None:
    draft = pair()
    assert [field.name for field in draft.fields] == ["db", "db_other", "last"]
    assert [field.name for field in draft.questions] == ["db", "last"]
    assert draft.field("db").companion is draft.field("db_other")
    assert draft.field("db_other").companion_of == "db"
    assert draft.field("last").companion is None


@pytest.mark.requirement("RES-3")
def test_an_optional_choice_may_stay_empty_beside_its_companion() -> None:
    draft = pair()
    draft.answer("db", own="My own")
    assert draft.content() == {"db_other": "My own"}


def test_an_option_and_a_text_give_way_to_each_other() -> None:
    draft = pair()
    draft.answer("db", ("a",))
    draft.answer("db", own="My own")
    assert draft.content() == {"db_other": "My own"}
    draft.answer("db", ("a",))
    assert draft.content() == {"db": "a"}


@pytest.mark.requirement("FORM-2")
def test_a_required_choice_is_answered_by_an_option_and_keeps_the_text_beside_it() -> None:
    draft = pair(("db",))
    draft.answer("db", own="My own")
    assert draft.problems() == [Problem("db", "required")]
    draft.answer("db", ("a",))
    assert draft.content() == {"db": "a", "db_other": "My own"}


@pytest.mark.parametrize(("end", "many"), [("note", False), ("note", True), ("other", True)])
def test_a_note_and_a_list_are_kept_beside_each_other(end: str, many: bool) -> None:
    draft = pair(end=end, many=many)
    draft.answer("db", ("a",))
    draft.answer("db", own="And this")
    assert draft.content() == {"db": ["a"] if many else "a", f"db_{end}": "And this"}
    draft.answer("db", ("b",))
    assert draft.content() == {"db": ["b"] if many else "b", f"db_{end}": "And this"}


def test_both_can_be_given_at_once_and_both_are_sent_as_they_are() -> None:
    draft = pair()
    draft.answer("db", ("b",), " My own ")
    assert draft.content() == {"db": "b", "db_other": " My own "}


def test_only_a_choice_with_a_companion_is_answered_as_a_pair() -> None:
    draft = pair()
    with pytest.raises(ValueError, match="'last' has no companion"):
        draft.answer("last", own="yes")
    with pytest.raises(ValueError, match="'db_other' has no companion"):
        draft.answer("db_other", own="yes")
