"""Prompts for the tests of the web pages, and hostile text for every place of them."""

import json
from pathlib import Path

from acp_elicitation.client.permissions import PermissionOption, PermissionRequest
from acp_elicitation.client.prompts import Asker, FormPrompt, LinkPrompt, PermissionPrompt, Prompt
from acp_elicitation.links import inspect_link
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.requests import ElicitationId, FormRequest, UrlRequest
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.scope import SessionId, SessionScope

__all__ = ["HOSTILE", "ask", "full_of", "link_to", "permit"]

_CASES = Path(__file__).parents[3] / "cases"
_SCOPE = SessionScope(session_id=SessionId("s"))

HOSTILE: list[str] = [
    json.loads(line)["text"]
    for name in ("markup.jsonl", "terminal.jsonl")
    for line in (_CASES / name).read_text().splitlines()
]
"""Texts that mean something to a browser or to a terminal."""

_ADA = Asker(info=Implementation(name="ada", title="Ada", version="1.0"), command=("ada", "--acp"))


def ask(
    *, message: str = "Why?", required: tuple[str, ...] = (), asker: Asker = _ADA, **more: Property
) -> FormPrompt:
    """A form with the properties that the keywords name."""
    schema = FormSchema(properties=more, required=required)
    request = FormRequest(message=message, schema=schema, scope=_SCOPE)
    return FormPrompt(asker=asker, request=request)


def link_to(url: str, *, message: str = "Log in, please.", asker: Asker = _ADA) -> LinkPrompt:
    """A link that may be opened."""
    request = UrlRequest(message=message, url=url, elicitation_id=ElicitationId("e"), scope=_SCOPE)
    host = inspect_link(url).host
    assert host is not None
    return LinkPrompt(asker=asker, request=request, host=host)


def permit(
    *names: str, title: str = "Run it?", about: str | None = None, asker: Asker = _ADA
) -> PermissionPrompt:
    """A permission request with an option of each name; their ids are `o0`, `o1` ..."""
    options = tuple(
        PermissionOption(option_id=f"o{index}", name=name, kind="allow_once")
        for index, name in enumerate(names)
    )
    request = PermissionRequest(title=title, description=about, options=options, scope=_SCOPE)
    return PermissionPrompt(asker=asker, request=request)


def full_of(text: str) -> list[Prompt]:
    """Prompts of every kind that say `text` wherever an agent can say something."""
    asker = Asker(
        info=Implementation(name=text, title=text, version=text), command=("ada", text, text)
    )
    options = (
        Option(value=text, title=text, description=f"{text} {text}"),
        Option(value=f"{text}!", title=text),
        *(Option(value=f"{text}{index}") for index in range(12)),
    )
    about = f"{text}, {text}"
    properties: dict[str, Property] = {
        text: StringProperty(title=text, description=about, default=text, pattern=text[:99]),
        "lines": StringProperty(title=text, description=about, default=text),
        "secret": StringProperty(title=text, meta={"isSecret": True}, default=text),
        "date": StringProperty(title=text, format="date", default=text),
        "format": StringProperty(title=text, format=text, default=text),
        "yes": BooleanProperty(title=text, description=about),
        "one": SelectProperty(title=text, description=about, options=options, default=text),
        "one_other": StringProperty(title=text, description=about, default=text),
        "many": MultiSelectProperty(title=text, description=about, options=options),
        "many_note": StringProperty(title=text, description=about, default=text),
        "unknown": UnknownProperty(title=text, description=about, type=text),
    }
    form = ask(message=text, asker=asker, required=("many",), **properties)
    blocked = ask(message=text, asker=asker, required=(text,), **{text: UnknownProperty(type=text)})
    return [
        form,
        blocked,
        link_to("https://example.com/", message=text, asker=asker),
        permit(text, text, title=text, about=text, asker=asker),
    ]
