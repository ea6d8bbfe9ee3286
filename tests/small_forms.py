"""Hypothesis strategies for forms with small limits, and for content that often fits them.

Owns: forms whose limits are near the values, so that both sides of each are met.
Knows nothing of: how content is judged. Above it: the property tests of `forms`. Below it: the
types.
"""

from typing import Any

from hypothesis import strategies as st

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

__all__ = ["actions", "contents", "forms", "json_values", "known_properties"]

_NAMES = st.sampled_from(("a", "b", "items", "__class__", "né", "", "x y"))
_WORDS = st.text("ab\u00e9\U0001f600 ,\n1", max_size=4)
_COUNTS = st.none() | st.integers(0, 4)
_WHOLE = st.integers(-3, 3) | st.sampled_from((2**53 + 1, -(2**63), 2**63 - 1, 2**63))
_FLOATS = st.sampled_from((-1.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, 1e16, 1e300, 2.0**53, 2.0**63))
_NUMBERS = _WHOLE | _FLOATS | st.just(10**400)
_MAYBE_WHOLE = st.none() | _WHOLE
_MAYBE_NUMBER = st.none() | _WHOLE | _FLOATS

_OPTIONS = st.lists(
    st.builds(Option, value=_WORDS, title=st.none() | _WORDS),
    max_size=4,
    unique_by=lambda option: option.value,
).map(tuple)

_TEXT: dict[str, st.SearchStrategy[Any]] = {
    "default": st.none() | _WORDS,
    "min_length": _COUNTS,
    "max_length": _COUNTS,
    "format": st.none() | st.sampled_from(("phone", "uuid")),
}

_SELECTS = st.builds(SelectProperty, options=_OPTIONS, **_TEXT)
_MULTI_SELECTS = st.builds(
    MultiSelectProperty,
    options=_OPTIONS,
    default=st.none() | st.lists(_WORDS, max_size=3).map(tuple),
    min_items=_COUNTS,
    max_items=_COUNTS,
)


def known_properties() -> st.SearchStrategy[Property]:
    """A property of any known kind, without a pattern and a format that is checked."""
    return st.one_of(
        st.builds(StringProperty, **_TEXT),
        st.builds(
            IntegerProperty, default=_MAYBE_WHOLE, minimum=_MAYBE_WHOLE, maximum=_MAYBE_WHOLE
        ),
        st.builds(
            NumberProperty, default=_MAYBE_NUMBER, minimum=_MAYBE_NUMBER, maximum=_MAYBE_NUMBER
        ),
        st.builds(BooleanProperty, default=st.none() | st.booleans()),
        _SELECTS,
        _MULTI_SELECTS,
    )


_UNKNOWN = st.builds(UnknownProperty, type=st.just("location"))
_CHECKED = st.builds(
    StringProperty,
    format=st.sampled_from(("email", "uri", "date", "date-time")),
    pattern=st.none() | st.sampled_from(("a", "^[0-9]+$", r"^\p{L}*$", "(a+)+$", "(", "[")),
    default=st.none() | _WORDS,
)


@st.composite
def forms(draw: st.DrawFn, *, checkable_elsewhere: bool = False) -> FormSchema:
    """A form. `checkable_elsewhere`: of known kinds only, without patterns and formats."""
    members = known_properties()
    if not checkable_elsewhere:
        members = members | _UNKNOWN | _CHECKED
    return FormSchema(
        properties=draw(st.dictionaries(_NAMES, members, max_size=5)),
        required=tuple(draw(st.lists(_NAMES, max_size=3, unique=True))),
    )


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, near the limits of `forms`."""
    return _JSON


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def contents(draw: st.DrawFn, schema: FormSchema) -> dict[str, Any]:
    """Content for `schema`: most keys are declared, most values of the right kind."""
    members = schema.properties
    content = {
        name: draw(_near(members[name]) | _JSON) for name in members if draw(st.integers(0, 4))
    }
    return content | draw(st.dictionaries(_NAMES, _JSON, max_size=1))


def _near(member: Property) -> st.SearchStrategy[Any]:
    match member:
        case SelectProperty(options=options) if options:
            return st.sampled_from([option.value for option in options])
        case StringProperty():
            return _WORDS
        case IntegerProperty() | NumberProperty():
            return _NUMBERS
        case BooleanProperty():
            return st.booleans()
        case MultiSelectProperty(options=options) if options:
            return st.lists(st.sampled_from([option.value for option in options]), max_size=4)
        case _:
            return _JSON


_TYPED = _WORDS | st.sampled_from(
    (
        *(
            "1.0",
            " 2 ",
            "1e3",
            "1,000",
            "-1",
            "0.5",
            "９",
            "9" * 20,
            "0" * 500,
            "9007199254740993.0",
        ),
        *("yes", "No", "true", "a, b", "a\nb", "\ud800", "2026-12-31", "ada@example.org"),
    )
)


@st.composite
def actions(draw: st.DrawFn, schema: FormSchema) -> list[tuple[str, str, Any]]:
    """What a user may do with a draft of `schema`: the method, the name, and what is put in."""
    if not schema.properties:
        return []
    done: list[tuple[str, str, Any]] = []
    for name in draw(st.lists(st.sampled_from(sorted(schema.properties)), max_size=8)):
        member = schema.properties[name]
        ways = ["clear", "reset"]
        if not isinstance(member, UnknownProperty):
            ways += ["enter", "enter"]
        values = _WORDS
        if isinstance(member, SelectProperty | MultiSelectProperty):
            ways += ["choose", "choose"]
            if member.options:
                values = st.sampled_from([option.value for option in member.options]) | _WORDS
        way = draw(st.sampled_from(ways))
        if way == "enter":
            done.append((way, name, draw(_TYPED | _near(member).filter(_is_text))))
        elif way == "choose":
            done.append((way, name, draw(st.lists(values, max_size=3))))
        else:
            done.append((way, name, None))
    return done


def _is_text(value: object) -> bool:
    return isinstance(value, str)
