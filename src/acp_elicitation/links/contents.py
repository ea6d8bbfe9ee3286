"""What a URL carries besides its way: credentials, access, personal data (URL-9).

Owns: the names and the shapes by which that is told, in query, fragment and path, percent-encoded
or not, and in a URL within a parameter. An opaque id is none of it, whatever its length.
Knows nothing of: what follows from it; the client warns, the agent refuses. Nothing here keeps a
value. Above it: `inspect`, `own`. Below it: `host`, for what ends in a domain;
`forms.secret_values`.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias
from urllib.parse import unquote, unquote_plus

import msgspec

from acp_elicitation.forms.secret_values import is_secret_value
from acp_elicitation.links.host import is_public_suffix

__all__ = ["Carried", "Carries", "find_contents", "parameters"]

Carries: TypeAlias = Literal["secret", "access", "personal"]


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a URL carries.

    `access` is what lets whoever has the URL in, and is no secret by its name alone: a session, a
    ticket. `name` is the parameter's, or None where it stands in the path or the name is unfit to
    be shown.
    """

    kind: Carries
    name: str | None


# Names without their hyphens, underscores and dots, in lower case.
_SECRET = re.compile(
    r"(?:x?(?:api|app|access|account|client|secret|private|auth|license|subscription|consumer)keys?)"
    r"|.*(?:token|secret|password|passwd|passphrase|apikey|privatekey|credentials?)"
    r"|pwd|pass|jwt|bearer|authorization|assertion|clientassertion|codeverifier|devicecode"
    r"|samlresponse|otp|totp|cvv|cvc|cardnumber|creditcard|awsaccesskeyid"
    r"|x(?:amz|goog)(?:signature|credential|securitytoken)"
)
_NO_SECRET = re.compile(
    r"(?:c|x)srf.*|.*(?:page|continuation|sync|cursor|cancel|stop)token|maxtokens?"
)
_ACCESS = re.compile(
    r"session|sess|sid|phpsessid|jsessionid|aspsessionid|auth|login|magic|magiclink|ticket"
    r"|invite|invitation|impersonate|onetime|otl"
)
_PERSONAL = re.compile(
    r"(?:user|your|customer|contact|work|private|home)?"
    r"(?:e?mail|e?mailaddress|phone|phoneno|phonenumber|tel|telephone|mobile|cellphone)"
    r"|(?:home|postal|street)address|msisdn|ssn|socialsecurity(?:number)?|nationalid|taxid|iban"
    r"|passport(?:no|number)?|dob|dateofbirth|birthdate|birthday|loginhint"
    r"|(?:user|first|last|middle|full|given|family|real|legal|maiden|sur)name"
)
_PUNCTUATION = re.compile(r"[-_.\s\[\]]")

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@((?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,63})(?![\w-])")
_RESERVED = frozenset({"example", "invalid", "local", "test"})
_NUMBERS = re.compile(r"\+\d[\d ().-]{6,16}\d|\d{3}-\d{2}-\d{4}")
"""A telephone number with its country, a social security number."""

# An authorization code has no name of its own: what is called a code and is that long is one.
_CODE = "code"
_SHORTEST_CODE = 20
_SHOWN = re.compile(r"[\w.\[\]-]{1,40}", re.ASCII)
_DEEPEST = 2


def find_contents(rest: str) -> Iterator[Carried]:
    """Give what `rest`, the path, query and fragment of a URL, carries, each thing once."""
    yield from dict.fromkeys((*_in_path(rest), *_in_parameters(rest)))


def parameters(rest: str) -> Iterator[tuple[str, str]]:
    """Give name and value of each parameter of the query and of the fragment, decoded."""
    before, _, fragment = rest.partition("#")
    query = before.partition("?")[2]
    routed = fragment.partition("?")[2] or fragment  # a page may keep a route before them
    for part in re.split("[&;]", f"{query}&{routed}"):
        name, _, value = part.partition("=")
        if part:
            yield unquote_plus(name), unquote_plus(value)


def _in_path(rest: str) -> Iterator[Carried]:
    for segment in re.split("[?#]", rest, maxsplit=1)[0].split("/"):
        text = unquote(segment)
        if is_secret_value(text):
            yield Carried(kind="secret", name=None)
        if _is_personal(text):
            yield Carried(kind="personal", name=None)


def _in_parameters(rest: str, depth: int = 0) -> Iterator[Carried]:
    for name, value in parameters(rest):
        for kind, holds in _KINDS:
            if holds(name, value):
                yield Carried(kind=kind, name=name if _is_fit(name) else None)
        if depth < _DEEPEST and "=" in value:
            yield from _in_parameters(value if _has_query(value) else "?" + value, depth + 1)


def _is_fit(name: str) -> bool:
    """Tell whether a name is one, and not itself what should not be there."""
    return _SHOWN.fullmatch(name) is not None and is_secret_value(name) is None


def _has_query(text: str) -> bool:
    return "?" in text or "#" in text


def _is_secret(name: str, value: str) -> bool:
    if is_secret_value(value) or is_secret_value(name):
        return True
    plain = _PUNCTUATION.sub("", name).lower()
    if plain == _CODE:
        return len(value) >= _SHORTEST_CODE
    return bool(value) and bool(_SECRET.fullmatch(plain)) and not _NO_SECRET.fullmatch(plain)


def _is_access(name: str, value: str) -> bool:
    return bool(value) and _ACCESS.fullmatch(_PUNCTUATION.sub("", name).lower()) is not None


def _is_personal_parameter(name: str, value: str) -> bool:
    plain = _PUNCTUATION.sub("", name).lower()
    return (bool(value) and bool(_PERSONAL.fullmatch(plain))) or any(
        map(_is_personal, (name, value))
    )


def _is_personal(text: str) -> bool:
    decoded = unquote(text)  # once more: what was encoded twice is no better hidden
    return _NUMBERS.fullmatch(decoded) is not None or any(
        _is_domain(found[1]) for found in _MAIL.finditer(decoded)
    )


def _is_domain(text: str) -> bool:
    """Tell an e-mail address from `lodash@4.17.js`: its domain ends in one that exists."""
    top = text.rpartition(".")[2].lower()
    return top in _RESERVED or is_public_suffix(top)


_KINDS: tuple[tuple[Carries, Callable[[str, str], bool]], ...] = (
    ("secret", _is_secret),
    ("access", _is_access),
    ("personal", _is_personal_parameter),
)
