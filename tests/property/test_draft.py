"""Whatever a user does with a draft, it sends only what fits, and only what was put in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.forms.check import check
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.parse import number_text
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.schema import FormSchema, MultiSelectProperty, UnknownProperty
from acp_elicitation.text.wording import word_constraints, word_problem
from tests import small_forms
from tests import strategies as ours


def _use(draft: FormDraft, actions: list[tuple[str, str, Any]]) -> None:
    for method, name, value in actions:
        if value is None:
            getattr(draft, method)(name)
        else:
            getattr(draft, method)(name, value)


def _used(data: st.DataObject) -> tuple[FormSchema, FormDraft]:
    schema = data.draw(small_forms.forms())
    draft = FormDraft(schema)
    _use(draft, data.draw(small_forms.actions(schema)))
    return schema, draft


@pytest.mark.requirement("FORM-2", "RES-3", "FWD-9")
@given(st.data())
def test_a_draft_sends_what_fits_or_says_what_does_not(data: st.DataObject) -> None:
    schema, draft = _used(data)
    problems = draft.problems()
    if problems:
        with pytest.raises(InvalidAnswer) as caught:
            draft.content()
        assert list(caught.value.problems) == problems
        return
    content = draft.content()
    assert check(schema, content) == []
    assert [name for name in schema.properties if name in content] == list(content)
    assert [name for name in schema.properties if draft.is_set(name)] == list(content)
    for name, value in content.items():
        assert value is not None
        member = schema.properties[name]
        if isinstance(member, MultiSelectProperty):
            order = [option.value for option in member.options]
            assert value == sorted(set(value), key=order.index)


@pytest.mark.requirement("RES-3")
@given(st.data())
def test_an_optional_text_is_never_sent_empty(data: st.DataObject) -> None:
    _, draft = _used(data)
    optional = [field for field in draft.fields if field.kind == "text" and not field.required]
    if not draft.problems():
        assert "" not in [draft.content().get(field.name) for field in optional]


@pytest.mark.requirement("FWD-2")
@given(st.data())
def test_a_blocked_form_is_never_sent(data: st.DataObject) -> None:
    schema, draft = _used(data)
    if draft.blocked:
        assert draft.problems()
    for name in schema.required:
        if isinstance(schema.properties.get(name), UnknownProperty):
            assert draft.blocked


@pytest.mark.requirement("FORM-4")
@given(st.data())
def test_resetting_every_field_gives_the_draft_as_it_was_shown_first(data: st.DataObject) -> None:
    schema, draft = _used(data)
    for field in draft.fields:
        draft.reset(field.name)
    fresh = FormDraft(schema)
    assert draft.problems() == fresh.problems()
    assert _everything(draft) == _everything(fresh)


@given(st.data())
def test_clearing_every_field_sends_nothing(data: st.DataObject) -> None:
    _, draft = _used(data)
    for field in draft.fields:
        draft.clear(field.name)
        assert not draft.is_set(field.name)
    if not draft.problems():
        assert draft.content() == {}


@given(st.data())
def test_problems_are_the_same_whenever_they_are_asked_for(data: st.DataObject) -> None:
    schema = data.draw(small_forms.forms())
    actions = data.draw(small_forms.actions(schema))
    asked, unasked = FormDraft(schema), FormDraft(schema)
    for action in actions:
        asked.problems()
        _use(asked, [action])
    _use(unasked, actions)
    assert asked.problems() == unasked.problems()


@given(ours.form_schemas() | small_forms.forms())
def test_any_form_can_be_drawn(schema: FormSchema) -> None:
    draft = FormDraft(schema)
    assert [field.name for field in draft.fields] == list(schema.properties)
    assert len(_everything(draft)) == len(schema.properties)
    assert all(word_problem(problem) for problem in draft.problems())
    assert all("\n" not in word_constraints(f.property) or _pattern(f) for f in draft.fields)


def _everything(draft: FormDraft) -> list[tuple[str, tuple[str, ...], str, bool]]:
    names = [field.name for field in draft.fields]
    return [(draft.text(n), draft.chosen(n), draft.shown_value(n), draft.is_set(n)) for n in names]


def _pattern(field: DraftField) -> str | None:
    return getattr(field.property, "pattern", None)


@given(st.data())
def test_content_that_fits_can_be_put_in_and_comes_out_again(data: st.DataObject) -> None:
    schema = data.draw(small_forms.forms(checkable_elsewhere=True))
    content = data.draw(small_forms.contents(schema))
    draft = FormDraft(schema)
    for field in draft.fields:
        value = content.get(field.name)
        match value:
            case None:
                draft.clear(field.name)
            case list() if field.kind == "multi-select":
                draft.choose(field.name, [str(item) for item in value])
            case str() if field.kind == "select":
                draft.choose(field.name, [value])
            case bool():
                _enter(draft, field, str(value))
            case int() | float():
                _enter(draft, field, number_text(value))
            case str():
                _enter(draft, field, value)
            case _:
                return
    if check(schema, content) or draft.problems():
        return
    sent = draft.content()
    assert sent == {
        name: sorted(set(value), key=_order(draft.field(name)).index)
        if isinstance(value, list)
        else value
        for name, value in content.items()
        if draft.is_set(name)
    }
    assert all(content[name] in ("", []) for name in content.keys() - sent.keys())


def _enter(draft: FormDraft, field: DraftField, text: str) -> None:
    if field.kind == "multi-select":
        draft.clear(field.name)
    else:
        draft.enter(field.name, text)


def _order(field: DraftField) -> list[str]:
    return [option.value for option in field.options]
