"""From the page back into the draft, as a browser without scripts posts it."""

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.web.form import render_form
from acp_elicitation.presenters.web.posted import read_form
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from tests.posting import chosen_in, fill, posted, read_page
from tests.small_forms import actions, forms

_OPTIONS = (Option(value="pg", title="PostgreSQL"), Option(value="sqlite"), Option(value="no"))
_DEFAULT = "\r\n<b>\0&quot;\ud800\u202e\r two\n\t"


def draft_of(required: tuple[str, ...] = (), **properties: Property) -> FormDraft:
    return FormDraft(FormSchema(properties=properties, required=required))


def answered(draft: FormDraft, **filled: str | tuple[str, ...]) -> FormDraft:
    """The draft, after its page was filled in and posted; keywords are names of controls."""
    page = read_page(render_form(draft))
    for name, values in filled.items():
        fill(page, name, *((values,) if isinstance(values, str) else values))
    read_form(draft, posted(page))
    return draft


def untouched(draft: FormDraft) -> FormDraft:
    return answered(draft)


@st.composite
def _drafts(draw: st.DrawFn) -> FormDraft:
    schema = draw(forms())
    draft = FormDraft(schema)
    for way, name, value in draw(actions(schema)):
        getattr(draft, way)(*((name,) if value is None else (name, value)))
    return draft


def _texts(draft: FormDraft) -> dict[str, str]:
    kinds = ("text", "number", "integer")
    return {field.name: draft.text(field.name) for field in draft.fields if field.kind in kinds}


@pytest.mark.requirement("UI-4", "FORM-4")
@given(_drafts())
def test_a_page_that_nobody_touches_gives_back_the_draft(draft: FormDraft) -> None:
    texts, problems = _texts(draft), draft.problems()
    content = None if problems else draft.content()
    event(f"valid: {content is not None}")
    untouched(draft)
    assert _texts(draft) == texts
    if content is not None:
        assert draft.problems() == []
        assert draft.content() == content


def test_choices_that_were_left_out_in_spite_of_a_default_stay_so() -> None:
    draft = draft_of(a=MultiSelectProperty(options=_OPTIONS, default=("pg",)))
    assert untouched(draft).content() == {"a": ["pg"]}
    draft.clear("a")
    assert untouched(draft).content() == {}
    draft.choose("a", ())
    assert untouched(draft).content() == {"a": []}


_CHARACTERS = st.characters(codec="utf-8", exclude_characters="\r\n\0")


@given(st.text(_CHARACTERS))
def test_what_is_typed_on_one_line_is_entered_as_it_is(text: str) -> None:
    draft = draft_of(name=StringProperty(pattern="", default="x"))
    assert answered(draft, f0=text).text("name") == text


@given(st.lists(st.text(_CHARACTERS)).map("\n".join))
def test_what_is_typed_on_several_lines_is_entered_with_line_feeds(text: str) -> None:
    draft = draft_of(name=StringProperty(default="x"))
    assert answered(draft, f0=text).text("name") == text


@pytest.mark.parametrize("member", [StringProperty(), StringProperty(pattern="b", max_length=50)])
def test_a_default_that_a_browser_cannot_carry_comes_back_as_the_agent_wrote_it(
    member: StringProperty,
) -> None:
    field = StringProperty(default=_DEFAULT, pattern=member.pattern, max_length=member.max_length)
    assert untouched(draft_of(name=field)).text("name") == _DEFAULT


@pytest.mark.requirement("RES-3")
def test_a_text_that_is_emptied_is_left_out() -> None:
    draft = draft_of(name=StringProperty(default="x"), port=IntegerProperty(default=1))
    assert answered(draft, f0="", f1="").content() == {}


def test_an_empty_text_is_an_answer_where_the_form_says_so() -> None:
    draft = draft_of(("name",), name=StringProperty(min_length=0))
    assert untouched(draft).content() == {"name": ""}


@pytest.mark.parametrize(("answer", "content"), [("yes", True), ("no", False)])
def test_yes_and_no_are_values(answer: str, content: bool) -> None:
    assert answered(draft_of(dry=BooleanProperty()), f0=answer).content() == {"dry": content}


def test_yes_or_no_can_be_left_unanswered_though_it_has_a_default() -> None:
    draft = draft_of(dry=BooleanProperty(default=True))
    assert untouched(draft).content() == {"dry": True}
    assert answered(draft, f0="").content() == {}


def test_a_choice_is_made_and_taken_back() -> None:
    draft = draft_of(db=SelectProperty(options=_OPTIONS))
    assert untouched(draft).content() == {}
    assert answered(draft, f0="1").content() == {"db": "sqlite"}
    assert answered(draft, f0="").content() == {}


def test_several_choices_come_in_the_order_of_the_form() -> None:
    draft = draft_of(db=MultiSelectProperty(options=_OPTIONS, default=("no",)))
    assert answered(draft, f0=("2", "0")).content() == {"db": ["pg", "no"]}
    assert answered(draft, f0=()).content() == {"db": []}


@pytest.mark.parametrize("value", ["3", "-1", "pg2", "99999999999999999999", "\u0661"])
def test_a_choice_that_the_page_did_not_offer_is_judged_by_the_draft(value: str) -> None:
    draft = draft_of(db=SelectProperty(options=_OPTIONS))
    read_form(draft, {"form": ["1"], "f0": [value]})
    assert [problem.code for problem in draft.problems()] == ["not-a-choice"]


@pytest.mark.requirement("FWD-2")
def test_nothing_can_be_posted_for_a_question_of_an_unknown_kind() -> None:
    draft = draft_of(place=UnknownProperty(type="location"))
    read_form(draft, {"form": ["1"], "f0": ["here"]})
    assert draft.content() == {}


@pytest.mark.parametrize("mark", [{}, {"form": ["2"]}, {"form": []}, {"form": ["1", "1"]}])
def test_data_of_another_form_changes_nothing(mark: dict[str, list[str]]) -> None:
    draft = draft_of(db=MultiSelectProperty(options=_OPTIONS, default=("no",)))
    read_form(draft, mark)
    assert draft.content() == {"db": ["no"]}


def test_two_forms_in_a_page_are_told_apart_by_their_prefixes() -> None:
    first, second = (draft_of(name=StringProperty(max_length=9)) for _ in range(2))
    page = read_page(render_form(first, prefix="a-") + render_form(second, prefix="b-"))
    fill(page, "a-f0", "one")
    fill(page, "b-f0", "two")
    read_form(first, posted(page), prefix="a-")
    read_form(second, posted(page), prefix="b-")
    assert (first.text("name"), second.text("name")) == ("one", "two")


# --- a choice and a text of one's own -------------------------------------------------------------


def pair(required: tuple[str, ...] = (), **more: Any) -> FormDraft:
    """A choice (`f0`) whose companion (`f1`) says something else in its place."""
    return draft_of(
        required, db=SelectProperty(options=_OPTIONS, **more), db_other=StringProperty()
    )


def test_a_text_of_ones_own_is_sent_in_place_of_an_option() -> None:
    assert answered(pair(), f0="own", f1="mongo").content() == {"db_other": "mongo"}


def test_a_text_typed_counts_though_the_default_option_is_still_chosen() -> None:
    draft = answered(pair(default="pg"), f1="mongo")
    assert draft.content() == {"db_other": "mongo"}
    assert chosen_in(read_page(render_form(draft)), "f0") == ["own"]


def test_an_option_chosen_later_takes_the_place_of_the_text() -> None:
    draft = answered(pair(), f0="own", f1="mongo")
    assert answered(draft, f0="0").content() == {"db": "pg"}


def test_a_choice_with_a_text_of_ones_own_can_be_left_unanswered_again() -> None:
    draft = answered(pair(), f0="own", f1="mongo")
    assert answered(draft, f0="").content() == {}


def test_an_own_text_that_is_emptied_leaves_nothing() -> None:
    draft = answered(pair(), f0="own", f1="mongo")
    assert answered(draft, f1="").content() == {}


def test_an_option_and_a_text_stay_where_both_stand_already() -> None:
    draft = pair()
    draft.answer("db", values=["pg"], own="mongo")
    assert untouched(draft).content() == {"db": "pg", "db_other": "mongo"}


def test_an_own_text_that_a_browser_cannot_carry_stays_when_it_is_chosen() -> None:
    draft = pair()
    draft.answer("db", values=["pg"], own="mo\rngo")
    assert answered(draft, f0="own").content() == {"db_other": "mo\rngo"}


@pytest.mark.parametrize("draft", [pair(("db",)), pair(("db",), default="no")])
def test_a_required_choice_takes_a_text_beside_it(draft: FormDraft) -> None:
    content = {"db": "pg", "db_other": "mongo"}
    assert answered(draft, f0="0", f1="mongo").content() == content
