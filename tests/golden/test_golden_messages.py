"""The messages that this package writes, byte for byte.

Each line of a golden file is `{"case": ..., "message": ...}`; `WRITTEN` says what writes it. The
files are edited by hand: a change of what goes over the wire is to be seen in review. What stands
in `requests.jsonl`, `responses.jsonl` and the like is the same in every version; `initialize` has a
file for each.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from acp_elicitation.protocol.capabilities import Capabilities, write_capabilities
from acp_elicitation.protocol.handshake import (
    Implementation,
    write_agent_hello,
    write_client_hello,
)
from acp_elicitation.protocol.requests import (
    Completion,
    ElicitationId,
    FormRequest,
    UnknownRequest,
    UrlRequest,
    write_completion,
    write_request,
)
from acp_elicitation.protocol.responses import (
    Accept,
    Cancel,
    Decline,
    UnknownAction,
    write_response,
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
from acp_elicitation.protocol.scope import RequestScope, SessionId, SessionScope, ToolCallId
from acp_elicitation.protocol.version import V1, V2, Version
from tests.official_schemas import validator

FOLDER = Path(__file__).parent

SESSION = SessionScope(session_id=SessionId("sess_1"))
TOOL_CALL = SessionScope(session_id=SessionId("sess_1"), tool_call_id=ToolCallId("call_1"))
EMPTY = FormSchema(properties={})


def _form(**properties: Property) -> dict[str, Any]:
    schema = FormSchema(properties=properties)
    return write_request(FormRequest(message="Please fill in.", schema=schema, scope=SESSION))


REQUESTS = {
    "a form without properties is a plain question": write_request(
        FormRequest(message="Overwrite config.toml?", schema=EMPTY, scope=SESSION)
    ),
    "a form of a tool call": write_request(
        FormRequest(message="Overwrite config.toml?", schema=EMPTY, scope=TOOL_CALL)
    ),
    "a form of a pending request, with meta": write_request(
        FormRequest(
            message="Which account?",
            schema=EMPTY,
            scope=RequestScope(request_id=7),
            meta={"traceparent": "00-0"},
        )
    ),
    "a form with everything around its properties": write_request(
        FormRequest(
            message="How should I set up the project?",
            schema=FormSchema(
                title="New project",
                description="It can be changed later.",
                meta={"step": 1},
                required=("name",),
                properties={"name": StringProperty(), "private": BooleanProperty()},
            ),
            scope=SESSION,
        )
    ),
    "a string": _form(
        name=StringProperty(
            title="Name",
            description="Of the package",
            min_length=1,
            max_length=40,
            pattern="^[a-z]+$",
            default="demo",
            meta={"hint": "short"},
        )
    ),
    "a string with a format": _form(mail=StringProperty(format="email")),
    "a number": _form(ratio=NumberProperty(minimum=0, maximum=1.5, default=0.25)),
    "an integer": _form(port=IntegerProperty(minimum=1, maximum=65535, default=8080)),
    "a boolean": _form(tests=BooleanProperty(title="Write tests?", default=True)),
    "a choice of values": _form(
        licence=SelectProperty(
            options=(Option(value="MIT"), Option(value="Apache-2.0")), default="MIT"
        )
    ),
    "a choice of titled values": _form(
        database=SelectProperty(
            options=(
                Option(value="pg", title="PostgreSQL", description="A server"),
                Option(value="sqlite"),
            )
        )
    ),
    "several choices of values": _form(
        extras=MultiSelectProperty(
            options=(Option(value="docs"), Option(value="ci")),
            min_items=1,
            max_items=2,
            default=("docs",),
        )
    ),
    "several choices of titled values": _form(
        extras=MultiSelectProperty(options=(Option(value="ci", title="CI", meta={"n": 1}),))
    ),
    "an unknown property": _form(place=UnknownProperty(type="_location", title="Where?")),
    "a list of unknown items": _form(
        tokens=UnknownProperty(type="array", items_type="_token", description="Pick")
    ),
    "a link": write_request(
        UrlRequest(
            message="Please authorize access.",
            url="https://agent.example/connect?state=8f1c",
            elicitation_id=ElicitationId("link_1"),
            scope=SESSION,
        )
    ),
    "an unknown mode, of a pending request with a text id": write_request(
        UnknownRequest(message="Look here", mode="_browser", scope=RequestScope(request_id="r-7"))
    ),
}

RESPONSES = {
    "accept of a link or of an empty form": write_response(Accept()),
    "accept with content": write_response(
        Accept(content={"name": "demo", "port": 8080, "ratio": 0.5, "tests": True, "extras": []})
    ),
    "decline": write_response(Decline()),
    "cancel by the user": write_response(Cancel()),
    "cancel for a question that was withdrawn": write_response(Cancel(reason="withdrawn")),
    "cancel for a question that expired": write_response(Cancel(reason="expired")),
    "cancel by the policy of the client": write_response(Cancel(reason="policy", meta={"a": 1})),
    "cancel for a question that was not shown": write_response(Cancel(reason="not-shown")),
    "an unknown action": write_response(UnknownAction(action="_defer", meta={"until": "noon"})),
}

COMPLETIONS = {
    "a completion": write_completion(Completion(elicitation_id=ElicitationId("link_1"))),
    "a completion with meta": write_completion(
        Completion(elicitation_id=ElicitationId("link_1"), meta={"took": 3})
    ),
}

CAPABILITIES = {
    "form alone": write_capabilities(Capabilities(form=True)),
    "url alone": write_capabilities(Capabilities(url=True)),
    "form and url": write_capabilities(Capabilities(form=True, url=True)),
}


def _initialize(version: Version) -> dict[str, Any]:
    info = Implementation(name="demo", title="Demo", version="1.2")
    return {
        "a client with both modes": write_client_hello(
            version, info=info, capabilities=Capabilities(form=True, url=True)
        ),
        "a client without elicitation or a name": write_client_hello(
            version, info=Implementation(), capabilities=Capabilities()
        ),
        "an agent": write_agent_hello(version, info=info, capabilities={}),
    }


WRITTEN: dict[str, dict[str, Any]] = {
    "capabilities.jsonl": CAPABILITIES,
    "completions.jsonl": COMPLETIONS,
    "initialize.v1.jsonl": _initialize(V1),
    "initialize.v2.jsonl": _initialize(V2),
    "requests.jsonl": REQUESTS,
    "responses.jsonl": RESPONSES,
}

CASES = [
    pytest.param(file, case, id=f"{file}: {case}")
    for file, messages in WRITTEN.items()
    for case in messages
]


def _lines(file: str) -> dict[str, bytes]:
    """Each line of a golden file by its case."""
    lines = (FOLDER / file).read_bytes().splitlines(keepends=True)
    return {msgspec.json.decode(line)["case"]: line for line in lines}


@pytest.mark.parametrize(("file", "case"), CASES)
def test_a_message_is_written_byte_for_byte_as_in_its_golden_file(file: str, case: str) -> None:
    message = WRITTEN[file][case]
    line = msgspec.json.encode({"case": case, "message": message}) + b"\n"
    assert _lines(file)[case] == line


@pytest.mark.parametrize("file", WRITTEN)
def test_a_golden_file_holds_each_case_once_and_no_other(file: str) -> None:
    lines = (FOLDER / file).read_bytes().splitlines()
    assert [msgspec.json.decode(line)["case"] for line in lines] == list(WRITTEN[file])


DEFINITIONS = {
    "capabilities.jsonl": "ElicitationCapabilities",
    "completions.jsonl": "CompleteElicitationNotification",
    "requests.jsonl": "CreateElicitationRequest",
    "responses.jsonl": "CreateElicitationResponse",
}


@pytest.mark.parametrize(
    ("file", "case"), [param for param in CASES if param.values[0] in DEFINITIONS]
)
def test_a_golden_message_is_valid_in_both_versions(file: str, case: str) -> None:
    message = msgspec.json.decode(_lines(file)[case])["message"]
    for version in (V1, V2):
        validator(version.number, DEFINITIONS[file]).validate(message)
