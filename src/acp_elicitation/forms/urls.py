"""The URLs in the wording of a form (FORM-7): a form should have none that a person could click.

Owns: which texts of a form are read, and what counts as a URL: what terminals and browsers make
clickable, that is http, https and ftp addresses, mailto, and whatever begins with "www.".
Knows nothing of: whether a URL is safe (see `links`), and of what becomes of a finding.
Above it: the agent side. Below it: `protocol.schema`.
"""

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = ["UrlFinding", "UrlWhere", "find_urls"]

UrlWhere: TypeAlias = Literal["message", "name", "title", "description", "default", "option"]


class UrlFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A URL that stands in a form. `property` is "" for the message and the form itself."""

    property: str
    where: UrlWhere
    url: str


def find_urls(message: str, schema: FormSchema) -> list[UrlFinding]:
    """Give each URL in the wording, the defaults and the options of a form, in order (FORM-7).

    Those that somebody is to edit, such as the default of a field for a URL, are given as well:
    `where` tells them apart.
    """
    return [
        UrlFinding(property=name, where=where, url=url)
        for name, where, text in _texts(message, schema)
        for url in _urls(text)
    ]


def _texts(message: str, schema: FormSchema) -> Iterator[tuple[str, UrlWhere, str | None]]:
    yield "", "message", message
    yield "", "title", schema.title
    yield "", "description", schema.description
    for name, member in schema.properties.items():
        yield name, "name", name
        yield name, "title", member.title
        yield name, "description", member.description
        yield from _values(name, member)


def _values(name: str, member: Property) -> Iterator[tuple[str, UrlWhere, str | None]]:
    match member:
        case SelectProperty(options=options) | MultiSelectProperty(options=options):
            for option in options:
                yield name, "option", option.value
                yield name, "option", option.title
                yield name, "option", option.description
        case StringProperty(default=default):
            yield name, "default", default
        case _:
            pass


def _urls(text: str | None) -> Iterator[str]:
    if text is not None and (":" in text or "www." in text.lower()):
        for found in _URL.finditer(text):
            yield found[0].rstrip(_TRAILING)


# What may not stand in a URL, or closes what the URL stands in: quotes, brackets, CJK punctuation.
_NOT_IN_URL = r"\s<>\"'`{}|\\^\u3000-\u303f\uff08-\uff0c\uff1a\uff1b\uff1f"
_URL = re.compile(
    rf"(?i)(?<![A-Za-z0-9@.-])(?:(?:https?|ftps?)://|mailto:|www\.)(?=\w|\[)[^{_NOT_IN_URL}]+"
)
_TRAILING = ".,;:!?)]*_~"
