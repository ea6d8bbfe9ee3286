"""A form as HTML: labels, descriptions, problems and controls, for people and for their readers."""

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.web import form_problems, render_form
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
from tests.posting import chosen_in, read_page

_FEW = tuple(Option(value=f"v{index}", title=f"Choice {index}") for index in range(10))
_MANY = (*_FEW, Option(value="v10"))
_EVERY: dict[str, Property] = {
    "text": StringProperty(title="Name", description="Yours.", max_length=9),
    "area": StringProperty(title="Story"),
    "mail": StringProperty(format="email", pattern="@"),
    "day": StringProperty(format="date"),
    "secret": StringProperty(meta={"isSecret": True}),
    "count": IntegerProperty(minimum=1, maximum=5),
    "share": NumberProperty(),
    "sure": BooleanProperty(),
    "one": SelectProperty(options=_FEW),
    "one_other": StringProperty(title="Another"),
    "several": MultiSelectProperty(options=_MANY),
    "several_note": StringProperty(title="Why?", description="In short."),
    "place": UnknownProperty(title="Place", type="location"),
}


def draft_of(required: tuple[str, ...] = (), **properties: Property) -> FormDraft:
    return FormDraft(FormSchema(properties=properties, required=required))


def drawn(draft: FormDraft, *, show_problems: bool = False) -> LexborHTMLParser:
    return read_page(render_form(draft, show_problems=show_problems))


def one(page: LexborHTMLParser, selector: str) -> LexborNode:
    (node,) = page.css(selector)
    return node


def text_of(page: LexborHTMLParser, selector: str) -> str:
    return " ".join(one(page, selector).text().split())


@pytest.mark.parametrize("show_problems", [False, True])
def test_every_control_has_a_label_and_every_reference_leads_somewhere(show_problems: bool) -> None:
    page = drawn(draft_of(("text", "several"), **_EVERY), show_problems=show_problems)
    ids = [str(node.attributes["id"]) for node in page.css("[id]")]
    assert len(ids) == len(set(ids))
    labelled = {node.attributes["for"] for node in page.css("label")}
    for control in page.css("input:not([type=hidden]), textarea"):
        assert control.attributes["id"] in labelled or "aria-labelledby" in control.attributes
    for node in page.css("[aria-describedby], [aria-labelledby]"):
        both = ("aria-describedby", "aria-labelledby")
        named = " ".join(node.attributes.get(name) or "" for name in both).split()
        assert set(named) <= set(ids)


def test_no_control_leaves_the_judgement_to_the_browser() -> None:
    page = drawn(draft_of(("text",), **_EVERY))
    of_its_own = "[required], [maxlength], [minlength], [pattern], [min], [max], [type=number]"
    assert page.css(f"{of_its_own}, [type=email], [type=url]") == []


def test_every_kind_has_the_control_that_fits_it() -> None:
    page = drawn(draft_of((), **_EVERY))
    kinds = {
        f"f{index}": str(node.attributes.get("type", node.tag))
        for index in range(len(_EVERY))
        for node in page.css(f"#f{index}")
    }
    assert kinds == {
        "f0": "text",
        "f1": "textarea",
        "f2": "text",
        "f3": "date",
        "f4": "password",
        "f5": "text",
        "f6": "text",
        "f7": "radio",
        "f8": "radio",
        "f9": "textarea",
        "f10": "checkbox",
        "f11": "textarea",
    }
    assert one(page, "#f5").attributes["inputmode"] == "decimal"
    assert one(page, "#f4").attributes["autocomplete"] == "off"


def test_required_and_optional_are_said_in_words() -> None:
    page = drawn(draft_of(("text",), **_EVERY))
    assert text_of(page, '[for="f0"]') == "1/11 Name (required)"
    assert text_of(page, '[for="f1"]') == "2/11 Story (optional)"
    assert one(page, "#f0").attributes["aria-required"] == "true"
    assert "aria-required" not in one(page, "#f1").attributes


def test_a_choice_is_a_group_with_a_legend_and_its_options_have_labels() -> None:
    about = Option(value="a", title="A", description="The first.")
    page = drawn(draft_of(("one",), one=SelectProperty(title="Which?", options=(about, *_FEW))))
    assert one(page, "fieldset").attributes["role"] == "radiogroup"
    assert text_of(page, "legend") == "Which? (required)"
    described = one(page, "#f0").attributes["aria-describedby"]
    assert text_of(page, f"#{described}") == "The first."


@pytest.mark.requirement("FORM-4")
def test_nothing_is_chosen_or_filled_in_but_declared_defaults() -> None:
    bare = draft_of(("sure", "one"), **_EVERY)
    page = drawn(bare)
    assert [node.attributes["value"] for node in page.css("[checked]")] == []
    assert [node.attributes["value"] for node in page.css("[type=text]")] == [""] * 4
    page = drawn(
        draft_of(
            sure=BooleanProperty(default=False),
            one=SelectProperty(options=_FEW, default="v2"),
            several=MultiSelectProperty(options=_FEW, default=("v0", "v3")),
            name=StringProperty(default="<b>", max_length=3),
            count=IntegerProperty(default=7),
        )
    )
    assert [chosen_in(page, f"f{index}") for index in range(3)] == [["no"], ["2"], ["0", "3"]]
    assert one(page, "#f3").attributes["value"] == "<b>"
    assert one(page, "#f4").attributes["value"] == "7"


def test_two_answers_to_one_choice_are_shown_as_none() -> None:
    draft = draft_of(one=SelectProperty(options=_FEW))
    draft.choose("one", ["v0", "v1"])
    assert chosen_in(drawn(draft), "f0") == [""]


def test_what_is_optional_can_be_left_unanswered() -> None:
    page = drawn(draft_of(sure=BooleanProperty(default=True), one=SelectProperty(options=_FEW)))
    assert text_of(page, 'label[for="f0-none"]') == "Not answered"
    assert (chosen_in(page, "f0"), chosen_in(page, "f1")) == (["yes"], [""])
    required = drawn(draft_of(("sure",), sure=BooleanProperty()))
    assert required.css("#f0-none") == []


def test_a_default_that_was_changed_is_still_told() -> None:
    draft = draft_of(
        name=StringProperty(default="main"),
        one=SelectProperty(options=_FEW, default="v2"),
        secret=StringProperty(default="x", meta={"isSecret": True}),
    )
    assert "suggested" not in one(drawn(draft), "body").text()
    for name in ("name", "one", "secret"):
        draft.clear(name)
    page = drawn(draft)
    assert "The agent suggested: main" in text_of(page, "#f0-hint")
    assert "The agent suggested: Choice 2" in text_of(page, "#f1-hint")
    assert page.css("#f2-hint") == []


def test_more_than_ten_options_can_be_searched_by_a_script_and_are_all_there_without_one() -> None:
    page = drawn(draft_of(one=SelectProperty(options=_MANY), few=SelectProperty(options=_FEW)))
    (tools,) = page.css("[data-search]")
    assert "hidden" in tools.attributes
    assert tools.css_first("input") is not None
    assert "Search 11 choices" in tools.text()
    assert len(page.css("#f0-list [type=radio]")) == 11
    assert "name" not in one(page, "[type=search]").attributes


def test_options_with_the_same_title_are_told_apart_by_their_values() -> None:
    options = (Option(value="1", title="x"), Option(value="2", title="x"), Option(value=""))
    page = drawn(draft_of(one=SelectProperty(options=options)))
    labels = [" ".join(label.text().split()) for label in page.css(".option label")]
    assert labels == ["x (1)", "x (2)", "(an empty text)", "Not answered"]


def test_a_text_of_ones_own_stands_among_the_options_or_beside_them() -> None:
    page = drawn(draft_of(("must",), **_EVERY, must=SelectProperty(options=_FEW)))
    assert text_of(page, 'label[for="f8-own"]') == "Another"
    assert one(page, "[data-own]").attributes["data-own"] == "f9"
    assert text_of(page, 'label[for="f11"]') == "Why? (optional)"
    beside = drawn(draft_of(("a",), a=SelectProperty(options=_FEW), a_other=StringProperty()))
    assert beside.css("[data-own]") == []


@pytest.mark.requirement("FWD-2", "FWD-3")
def test_a_question_of_an_unknown_kind_is_named_and_never_drawn_as_a_control() -> None:
    page = drawn(draft_of(place=UnknownProperty(title="Place", type="location")))
    assert text_of(page, ".unknown") == "Left out, since its kind is not known here: Place"
    assert [node.attributes["type"] for node in page.css("input")] == ["hidden"]


@pytest.mark.requirement("FORM-2")
def test_problems_are_listed_on_top_and_told_at_their_questions() -> None:
    draft = draft_of(("text", "one"), **_EVERY)
    draft.enter("count", "9")
    draft.enter("several_note", "x" * 9)
    page = drawn(draft, show_problems=True)
    title = "Nothing was sent: 3 answers need another look."
    assert text_of(page, ".summary-title") == title
    summary = one(page, ".summary")
    assert summary.attributes["role"] == "alert"
    assert "autofocus" in summary.attributes
    links = [(link.text(), link.attributes["href"]) for link in summary.css("a")]
    assert links == [("Question 1", "#f0"), ("Question 6", "#f5"), ("Question 9", "#f8")]
    assert "Name: An answer is required here." in summary.text()
    assert text_of(page, "#f5-problems") == "Enter 5 or less."
    wrong = [str(node.attributes.get("id", node.tag)) for node in page.css("[aria-invalid]")]
    assert wrong == ["f0", "f5", "fieldset"]
    assert "f5-problems" in str(one(page, "#f5").attributes["aria-describedby"])


def test_checkboxes_with_a_problem_are_marked_one_by_one() -> None:
    draft = draft_of(several=MultiSelectProperty(options=_FEW, max_items=1))
    draft.choose("several", ["v0", "v1"])
    page = drawn(draft, show_problems=True)
    assert {node.attributes["type"] for node in page.css("[aria-invalid]")} == {"checkbox"}


def test_nothing_is_called_wrong_before_it_is_asked_for() -> None:
    page = drawn(draft_of(("text",), **_EVERY))
    assert page.css(".summary, [aria-invalid], .problems p") == []
    assert drawn(draft_of(), show_problems=True).css(".summary") == []


def test_problems_go_to_the_script_by_the_names_of_controls() -> None:
    draft = draft_of(("a",), a=StringProperty(), b=IntegerProperty(), c=BooleanProperty())
    draft.enter("b", "x")
    problems = form_problems(draft, prefix="q-")
    assert problems == {
        "q-f0": ["An answer is required here."],
        "q-f1": ["Enter a whole number in digits, such as 42."],
    }


def test_a_pattern_in_a_problem_is_made_visible() -> None:
    draft = draft_of(a=StringProperty(pattern="\u202e$a"), b=StringProperty())
    draft.enter("a", "b")
    assert "<U+202E>" in form_problems(draft)["f0"][0]
    assert "<U+202E>" in one(drawn(draft, show_problems=True), "#f0-problems").text()


def test_code_points_are_counted_by_the_script_and_not_limited_by_the_browser() -> None:
    page = drawn(draft_of((), **_EVERY))
    count = one(page, "[data-count]")
    assert "hidden" in count.attributes
    assert (count.attributes["data-count"], count.attributes["data-most"]) == ("f0", "9")
    assert count.attributes["data-words"] == "Characters: {count} of {most}"


def test_what_cannot_be_seen_in_a_control_is_told_below_its_label() -> None:
    draft = draft_of(a=StringProperty(default="a\u202eb\n\tc"), b=StringProperty(default="a\n\tb"))
    page = drawn(draft)
    assert "cannot be seen: a<U+202E>b c" in text_of(page, "#f0-hint")
    assert page.css("#f1-hint") == []


def test_a_description_that_repeats_the_label_is_not_shown_twice() -> None:
    page = drawn(draft_of(a=StringProperty(title="Name", description=" Name ")))
    assert page.css(".about") == []


def test_text_has_its_own_direction() -> None:
    page = drawn(draft_of(a=StringProperty(title="שם", description="תיאור")))
    assert one(page, "textarea").attributes["dir"] == "auto"
    assert one(page, ".about").attributes["dir"] == "auto"
    assert one(page, "label bdi").text() == "שם"


def test_a_calendar_needs_no_word_about_how_a_date_is_written() -> None:
    draft = draft_of(day=StringProperty(format="date", min_length=3))
    assert text_of(drawn(draft), "#f0-hint") == "Expected: at least 3 characters"
    draft.enter("day", "soon")
    assert "a date like 2026-12-31" in text_of(drawn(draft), "#f0-hint")


def test_a_date_that_no_calendar_can_show_is_text() -> None:
    for text, kind in (
        ("", "date"),
        ("2026-02-28", "date"),
        ("soon", "text"),
        ("0000-01-01", "text"),
    ):
        draft = draft_of(day=StringProperty(format="date"))
        draft.enter("day", text)
        assert one(drawn(draft), "#f0").attributes["type"] == kind
        assert one(drawn(draft), "#f0").attributes["value"] == text


@pytest.mark.requirement("FORM-5")
def test_a_warning_of_a_secret_is_told_once_for_each_question() -> None:
    meta = {"isSecret": True}
    draft = draft_of(
        password=StringProperty(title="Your password", meta=meta), b=StringProperty(meta=meta)
    )
    warnings = [item.text() for item in drawn(draft).css(".warnings li")]
    assert [warning.partition(". ")[0] for warning in warnings] == [
        "Your password: This field seems to ask for a password",
        "b: This field seems to ask for a secret",
    ]


@pytest.mark.requirement("FORM-5")
def test_a_form_warns_of_secrets_unless_the_host_has_done_so() -> None:
    draft = draft_of(a=StringProperty(title="Your password"))
    assert "Your password: This field seems to ask for a password" in one(drawn(draft), "ul").text()
    assert read_page(render_form(draft, secrets=())).css("ul") == []


def test_what_is_known_of_secrets_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = draft_of((), a=StringProperty(title="Your password"), **_EVERY)
    monkeypatch.setattr("acp_elicitation.forms.secrets._judged", None)  # takes seconds, if hostile
    monkeypatch.setattr("acp_elicitation.forms.secrets._judge", None)
    page = read_page(render_form(draft, secrets=()))
    assert [node.attributes["name"] for node in page.css("[type=password]")] == ["f5"]


def test_the_title_and_the_description_of_a_form_are_shown() -> None:
    schema = FormSchema(properties=_EVERY, title="Set <up>", description="All of\nit.")
    page = read_page(render_form(FormDraft(schema)))
    assert one(page, ".form-title").text() == "Set <up>"
    assert page.css(".about")[0].text() == "All of\nit."


@pytest.mark.requirement("FWD-2")
def test_a_form_that_cannot_be_answered_shows_the_reasons_alone() -> None:
    page = drawn(draft_of(("place", "missing"), **_EVERY))
    reasons = [item.text() for item in page.css(".blocked li")]
    assert [reason.partition(":")[0] for reason in reasons] == ["Place", "missing"]
    assert page.css("input, textarea") == []


@pytest.mark.parametrize("prefix", ["a b", "é", '"', "a.b"])
def test_a_prefix_that_cannot_begin_an_id_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="a prefix has only"):
        render_form(draft_of(), prefix=prefix)


def test_the_only_question_of_a_short_form_is_called_so() -> None:
    page = drawn(draft_of(("answer",), answer=StringProperty()), show_problems=True)
    assert text_of(page, "label") == "Your answer (required)"
    assert "Question 1, Your answer: An answer is required here." in text_of(page, ".summary")
