"""Hypothesis strategies for the types of `acp_elicitation.protocol`, as an author builds them.

Owns: which values the writers promise to write validly, in every version: choices have an option,
the scope has no null id, a format is one of the four that v1 lists.
Knows nothing of: the wire form. Above it: the property tests. Below it: the types.
"""

from typing import Any, TypeVar

import msgspec
from hypothesis import strategies as st

from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.requests import (
    Completion,
    ElicitationId,
    FormRequest,
    Request,
    UnknownRequest,
    UrlRequest,
)
from acp_elicitation.protocol.responses import (
    Accept,
    Cancel,
    Decline,
    Reason,
    Response,
    UnknownAction,
)
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
from acp_elicitation.protocol.schema_wire import TABLES
from acp_elicitation.protocol.scope import RequestScope, Scope, SessionId, SessionScope, ToolCallId

__all__ = [
    "capabilities",
    "completions",
    "content_values",
    "form_requests",
    "form_schemas",
    "json_values",
    "metas",
    "option_lists",
    "properties",
    "requests",
    "responses",
    "scopes",
    "texts",
    "unknown_properties",
    "unknown_requests",
    "url_requests",
    "without_raw",
]

T = TypeVar("T")

REASONS: tuple[Reason, ...] = ("withdrawn", "expired", "policy", "not-shown")

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_INTEGERS = st.integers(-9, 9) | st.integers(-(2**63), 2**63)
_UINT32 = st.none() | st.integers(0, 9) | st.integers(0, 2**32 - 1)
_COUNTS = st.none() | st.integers(0, 9) | st.integers(0, 2**64)
_FORMATS = st.none() | st.sampled_from(("email", "uri", "date", "date-time"))


def texts() -> st.SearchStrategy[str]:
    """Short strings, the empty one and every character that UTF-8 can carry among them."""
    return _TEXTS


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, of little depth."""
    return _JSON


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | _INTEGERS | _FLOATS | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=5,
)


def metas() -> st.SearchStrategy[dict[str, Any] | None]:
    """A `_meta`, or none."""
    return st.none() | st.dictionaries(_TEXTS, _JSON, max_size=2)


def content_values() -> st.SearchStrategy[Any]:
    """What the content of an accept may hold in every version."""
    return st.booleans() | _INTEGERS | _FLOATS | _TEXTS | st.lists(_TEXTS, max_size=3)


def option_lists() -> st.SearchStrategy[tuple[Option, ...]]:
    """At least one option, each value once: all of them plain, or all of them with a title."""
    plain = st.builds(Option, value=_TEXTS)
    titled = st.builds(
        Option,
        value=_TEXTS,
        title=_TEXTS.filter(bool),
        description=st.none() | _TEXTS,
        meta=metas(),
    )
    return _option_list(plain) | _option_list(titled)


def _option_list(options: st.SearchStrategy[Option]) -> st.SearchStrategy[tuple[Option, ...]]:
    return st.lists(options, min_size=1, max_size=4, unique_by=lambda option: option.value).map(
        tuple
    )


_DESCRIBED: dict[str, st.SearchStrategy[Any]] = {
    "title": st.none() | _TEXTS,
    "description": st.none() | _TEXTS,
    "meta": metas(),
}

_STRING: dict[str, st.SearchStrategy[Any]] = {
    **_DESCRIBED,
    "default": st.none() | _TEXTS,
    "min_length": _UINT32,
    "max_length": _UINT32,
    "pattern": st.none() | _TEXTS,
    "format": _FORMATS,
}


def _numbers(values: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    optional = st.none() | values
    return {**_DESCRIBED, "default": optional, "minimum": optional, "maximum": optional}


def unknown_properties() -> st.SearchStrategy[UnknownProperty]:
    """A type that no version knows, or a list of items that none knows."""
    unknown = _TEXTS.filter(lambda text: text not in TABLES)
    items = _TEXTS.filter(lambda text: text != "string")
    return st.builds(UnknownProperty, type=unknown, **_DESCRIBED) | st.builds(
        UnknownProperty, type=st.just("array"), items_type=items, **_DESCRIBED
    )


def properties() -> st.SearchStrategy[Property]:
    """One property of any kind."""
    return st.one_of(
        st.builds(StringProperty, **_STRING),
        st.builds(NumberProperty, **_numbers(_INTEGERS | _FLOATS)),
        st.builds(IntegerProperty, **_numbers(_INTEGERS)),
        st.builds(BooleanProperty, default=st.none() | st.booleans(), **_DESCRIBED),
        st.builds(SelectProperty, options=option_lists(), **_STRING),
        st.builds(
            MultiSelectProperty,
            options=option_lists(),
            default=st.none() | st.lists(_TEXTS, max_size=3).map(tuple),
            min_items=_COUNTS,
            max_items=_COUNTS,
            **_DESCRIBED,
        ),
        unknown_properties(),
    )


@st.composite
def form_schemas(draw: st.DrawFn) -> FormSchema:
    """A form; most of the names in `required` are properties of it."""
    members = draw(st.dictionaries(_TEXTS, properties(), max_size=4))
    names = st.sampled_from(sorted(members)) | _TEXTS if members else _TEXTS
    return FormSchema(
        properties=members,
        required=tuple(draw(st.lists(names, max_size=3, unique=True))),
        title=draw(_DESCRIBED["title"]),
        description=draw(_DESCRIBED["description"]),
        meta=draw(metas()),
    )


def scopes() -> st.SearchStrategy[Scope]:
    """A session, perhaps with a tool call, or a request."""
    return st.builds(
        SessionScope,
        session_id=_TEXTS.map(SessionId),
        tool_call_id=st.none() | _TEXTS.map(ToolCallId),
    ) | st.builds(RequestScope, request_id=_INTEGERS | _TEXTS)


_ASKED: dict[str, st.SearchStrategy[Any]] = {"message": _TEXTS, "scope": scopes(), "meta": metas()}
_IDS = _TEXTS.map(ElicitationId)
_URLS = st.builds(
    "{}://{}.example/{}".format,
    st.sampled_from(("https", "http", "HTTPS")),
    st.sampled_from(("a", "EXAMPLE", "b\u00fccher")),
    st.text("ab?&=#%20", max_size=8),
)


def form_requests() -> st.SearchStrategy[FormRequest]:
    """A question in form mode."""
    return st.builds(FormRequest, schema=form_schemas(), **_ASKED)


def url_requests() -> st.SearchStrategy[UrlRequest]:
    """A question in url mode."""
    return st.builds(UrlRequest, url=_URLS, elicitation_id=_IDS, **_ASKED)


def unknown_requests() -> st.SearchStrategy[UnknownRequest]:
    """A question in a mode that no version knows."""
    modes = _TEXTS.filter(lambda text: text not in ("form", "url"))
    return st.builds(UnknownRequest, mode=modes, **_ASKED)


def requests() -> st.SearchStrategy[Request]:
    """A question in any mode."""
    return st.one_of(form_requests(), url_requests(), unknown_requests())


def completions() -> st.SearchStrategy[Completion]:
    """The news that the outside part is finished."""
    return st.builds(Completion, elicitation_id=_IDS, meta=metas())


def responses() -> st.SearchStrategy[Response]:
    """An answer with any action."""
    content = st.none() | st.dictionaries(_TEXTS, content_values(), max_size=4)
    unknown = _TEXTS.filter(lambda text: text not in ("accept", "decline", "cancel"))
    return st.one_of(
        st.builds(Accept, content=content, meta=metas()),
        st.builds(Decline, meta=metas()),
        st.builds(Cancel, reason=st.none() | st.sampled_from(REASONS), meta=metas()),
        st.builds(UnknownAction, action=unknown, meta=metas()),
    )


def capabilities() -> st.SearchStrategy[Capabilities]:
    """Any set of modes."""
    return st.builds(Capabilities, form=st.booleans(), url=st.booleans())


def without_raw(value: T) -> T:
    """`value` and all within it as its author would have built it: not read from anything."""
    found: Any = value
    match found:
        case msgspec.Struct():
            members = {
                field: None if field == "raw" else without_raw(getattr(found, field))
                for field in found.__struct_fields__
            }
            found = type(found)(**members)
        case dict():
            found = {key: without_raw(member) for key, member in found.items()}
        case tuple():
            found = tuple(without_raw(member) for member in found)
        case _:
            pass
    result: T = found
    return result
