"""Does this form ask for a secret? (FORM-5, FORM-6)

Owns: which texts of a form are judged, which properties can carry a secret at all, and what the
developer has reviewed. A choice or a yes-or-no carries none; a number carries only what is a
number: a PIN, a one-time code, a card or an account.
Knows nothing of: words and shapes (see the modules below), and of what becomes of a finding: the
agent side refuses the form, the client side warns.
Above it: the agent and the client side, `text.warnings`. Below it: `secret_phrases`,
`secret_signs`, `secret_values`, `protocol.schema`.

Nothing here keeps an answer or a default. Judged wordings are kept, a bounded number of them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never

import msgspec

from acp_elicitation.forms import secret_signs as signs
from acp_elicitation.forms import secret_words as words
from acp_elicitation.forms.secret_phrases import (
    Asked,
    Manner,
    asked_in_words,
    names_another_thing,
    spelled_out,
)
from acp_elicitation.forms.secret_values import is_secret_value
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = ["SecretFinding", "Where", "find_secrets", "is_marked", "takes_long"]

Where: TypeAlias = Literal[
    "name", "title", "description", "message", "format", "default", "option", "type", "meta"
]


class SecretFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a form asks for a secret, or holds one.

    `property` is its name, or "" for the message and the form itself. `rule` names the kind of
    secret. `term` is the wording that gave it away; it is never a default or an option.
    """

    property: str
    rule: str
    where: Where
    term: str


_Carries: TypeAlias = Literal["text", "number", "nothing"]

# The secrets that are numbers: an integer carries no other.
_NUMERIC = frozenset({"one-time-code", "pin", "passcode", "card", "bank-account", "national-id"})

# Members of a property, or of its `_meta`, by which agents say that its value is a secret.
_MARKS = frozenset(
    {"writeOnly", "isSecret", "secret", "sensitive", "isSensitive", "x-secret", "x-sensitive"}
)

_WORD_STEMS = tuple(words.STEMS.split())
_STEMS = (*_WORD_STEMS, *signs.STEMS.split())
_ASCII_STEMS = tuple(stem for stem in _STEMS if stem.isascii())


def find_secrets(
    message: str, schema: FormSchema, *, reviewed: Collection[str] = ()
) -> list[SecretFinding]:
    """Say where a form asks for a secret, or holds one; empty when nowhere (FORM-5, FORM-6).

    `reviewed` names the properties that a developer has looked at and found harmless; "" stands
    for the message and the form's own title and description. These count only while there is a
    property, not reviewed, into which such a secret could be typed. Where they just name a secret
    ("Access token") and do not ask for it, that property must have no wording of its own.
    """
    members = {name: it for name, it in schema.properties.items() if name not in reviewed}
    stems = _stems_in("\n".join(_texts(message, schema, members)))
    found: list[SecretFinding] = []
    if stems and "" not in reviewed:
        found += _found_in_form(message, schema, members, stems)
    for name, member in members.items():
        if stems:
            found += _found_in_wording(name, member, stems)
        found += _found_in_marks(name, member)
        found += _found_in_values(name, member)
    return found


def is_marked(member: Property) -> bool:
    """Tell whether the agent itself says that the value of a property is a secret."""
    return any(True for _ in _marks_of(member))


def takes_long(message: str, schema: FormSchema) -> bool:
    """Tell whether `find_secrets` may take more than about 10 ms: not on an event loop then."""
    length = _letters(message, schema.title, schema.description)
    for name, member in schema.properties.items():
        length += _letters(name, member.title, member.description)
        if isinstance(member, SelectProperty | MultiSelectProperty):
            length += sum(_letters(it.value, it.title) for it in member.options)
        elif isinstance(member, StringProperty):
            length += _letters(member.default)
        if length > _SOON_JUDGED:
            return True
    return length > _SOON_JUDGED


def _letters(*texts: object) -> int:
    # What is no text, where one has to be, is refused where the form is judged, in words.
    return sum(len(text) for text in texts if isinstance(text, str))


def _texts(message: str, schema: FormSchema, members: Mapping[str, Property]) -> Iterator[str]:
    yield message
    yield schema.title or ""
    yield schema.description or ""
    for name, member in members.items():
        yield name
        yield member.title or ""
        yield member.description or ""


def _stems_in(text: str) -> list[str]:
    """Give the pieces of terms that occur in the whole form: usually none, and all is said."""
    plain = _plain(text).lower()
    stems = _ASCII_STEMS if plain.isascii() else _STEMS
    return [stem for stem in stems if stem in plain]


def _found_in_form(
    message: str, schema: FormSchema, members: Mapping[str, Property], stems: list[str]
) -> Iterator[SecretFinding]:
    by_asking = {_carries(member) for member in members.values()}
    by_name = {_carries(it) for it in members.values() if not (it.title or it.description)}
    places: tuple[tuple[Where, Manner, str | None], ...] = (
        ("message", "prose", message),
        ("title", "label", schema.title),
        ("description", "prose", schema.description),
    )
    for where, manner, text in places:
        for asked in _asked(text, manner, stems):
            carried = by_asking if asked.expressly else by_name
            if "text" in carried or ("number" in carried and asked.rule in _NUMERIC):
                yield SecretFinding(property="", rule=asked.rule, where=where, term=asked.term)
                break


def _found_in_wording(name: str, member: Property, stems: list[str]) -> Iterator[SecretFinding]:
    carries = _carries(member)
    if carries == "nothing":
        return
    places: tuple[tuple[Where, Manner, str | None], ...] = (
        ("name", "name", name),
        ("title", "label", member.title),
        ("description", "prose", member.description),
    )
    for where, manner, text in places:
        for asked in _asked(text, manner, stems):
            if (carries == "text" or asked.rule in _NUMERIC) and not _is_explained(
                asked, where, name, member
            ):
                yield SecretFinding(property=name, rule=asked.rule, where=where, term=asked.term)
                break


def _is_explained(asked: Asked, where: Where, name: str, member: Property) -> bool:
    """Tell whether another text of the property gives the term a harmless sense.

    A name with several senses is explained by the title: "token" by "Stop token", "pwd" by
    "Working directory"; any other by a title with the same word and what is meant of it: "ssh_key"
    by "Path of the SSH key". A description that only names a secret is explained by the title, or
    else by the name: "Your private key" by "Private key file".
    """
    if where == "title" or (where == "description" and asked.expressly):
        return False
    if where == "name":
        text, manner = member.title or (member.description if asked.weak else None), _LABEL
    else:
        text, manner = (member.title, _LABEL) if member.title else (spelled_out(name), _NAME)
    if text is None:
        return False
    text = _plain(text)
    if _judge(text, manner) or not (asked.weak or names_another_thing(text)):
        return False
    known_by = "director|folder" if asked.term == "pwd" else rf"\b{re.escape(asked.term)}"
    return re.search(known_by, text.lower().replace("-", " ")) is not None


_LABEL: Manner = "label"
_NAME: Manner = "name"


def _found_in_marks(name: str, member: Property) -> Iterator[SecretFinding]:
    """What the agent itself calls a secret, whatever the type."""
    if isinstance(member, StringProperty) and member.format is not None:
        for asked in _asked(member.format, "name", _WORD_STEMS):
            yield SecretFinding(property=name, rule=asked.rule, where="format", term=asked.term)
    for where, mark in _marks_of(member):
        yield SecretFinding(property=name, rule="marked", where=where, term=mark)


def _marks_of(member: Property) -> Iterator[tuple[Where, str]]:
    holders: tuple[tuple[Where, JsonObject | None], ...] = (
        ("type", member.raw),
        ("meta", member.meta),
    )
    for where, holder in holders:
        if holder is not None and not _MARKS.isdisjoint(holder):
            yield from ((where, mark) for mark in sorted(_MARKS) if holder.get(mark) is True)


def _found_in_values(name: str, member: Property) -> Iterator[SecretFinding]:
    """The secrets that the form holds itself. A default of a choice is one of its options."""
    match member:
        case SelectProperty(options=options) | MultiSelectProperty(options=options):
            for option in options:
                for text in (option.value, option.title or ""):
                    yield from _held(name, "option", text)
        case StringProperty(default=str(text)):
            yield from _held(name, "default", text)
        case IntegerProperty(default=int(number)) | NumberProperty(default=int(number)):
            yield from _held(name, "default", str(number))
        case _:
            pass


def _held(name: str, where: Where, text: str) -> Iterator[SecretFinding]:
    rule = is_secret_value(text)
    if rule is not None:
        yield SecretFinding(property=name, rule=rule, where=where, term=rule)


def _carries(member: Property) -> _Carries:
    match member:
        case SelectProperty() | MultiSelectProperty() | BooleanProperty():
            return "nothing"
        case IntegerProperty() | NumberProperty():
            return "number"
        case StringProperty() | UnknownProperty():
            return "text"
        case _ as never:
            assert_never(never)


def _asked(text: str | None, manner: Manner, stems: Iterable[str]) -> Sequence[Asked]:
    if not text:
        return ()
    if len(text) > _LONGEST_JUDGED:
        # A hostile text takes 5 ms for each 1,000 code points, and nothing else runs meanwhile.
        half = _LONGEST_JUDGED // 2
        text = f"{text[:half]} {text[-half:]}"
    plain = _plain(text)
    lower = plain.lower()
    if not any(stem in lower for stem in stems):
        return ()
    return _judge(plain, manner) if len(plain) <= _LONGEST_KEPT else _judged(plain, manner)


_LONGEST_JUDGED = 4_000  # code points; of a longer wording the middle is left out
_SOON_JUDGED = 4_096  # code points of all texts of a form
_LONGEST_KEPT = 500  # code points of a wording whose verdict is kept


def _judged(text: str, manner: Manner) -> tuple[Asked, ...]:
    asked = asked_in_words(spelled_out(text) if manner == "name" else text, manner)
    if text.isascii():
        return tuple(asked)
    return (*asked, *signs.asked_in_signs(text, manner))


_judge = lru_cache(maxsize=1_024)(_judged)


def _plain(text: str) -> str:
    """Make look-alike forms of the same characters one, and drop those that cannot be seen."""
    if text.isascii():
        return text
    import unicodedata  # takes as long to load as all the rest of this module

    return _BORDER.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)))


_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_SIGN = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_BORDER = re.compile(rf"(?<={_SIGN})(?=[A-Za-z])|(?<=[A-Za-z])(?={_SIGN})")
