"""What we write is valid in both versions, and reading it gives back what was written."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.protocol.capabilities import (
    Capabilities,
    read_capabilities,
    write_capabilities,
)
from acp_elicitation.protocol.handshake import (
    Implementation,
    read_agent_hello,
    read_client_hello,
    write_agent_hello,
    write_client_hello,
)
from acp_elicitation.protocol.requests import (
    Completion,
    Request,
    read_completion,
    read_request,
    write_completion,
    write_request,
)
from acp_elicitation.protocol.responses import (
    META_KEY,
    Cancel,
    Response,
    read_response,
    write_response,
)
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.schema_wire import read_schema, write_schema
from acp_elicitation.protocol.version import V1, V2, Version
from tests import strategies as ours
from tests.official_schemas import Json, strict_validator, validator

both_versions = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])


def _sent(message: Json) -> Json:
    """The message as the other side decodes it."""
    return msgspec.json.decode(msgspec.json.encode(message))


def _validate(name: str, message: Json) -> None:
    for version in (V1, V2):
        validator(version.number, name).validate(message)
        strict_validator(version.number, name).validate(message)


@pytest.mark.requirement("FORM-1", "REQ-1", "REQ-2")
@given(ours.requests())
def test_every_request_is_written_validly_in_both_versions(request: Request) -> None:
    message = _sent(write_request(request))
    _validate("CreateElicitationRequest", message)
    assert isinstance(message["mode"], str)
    assert ("sessionId" in message) is not ("requestId" in message)


@pytest.mark.requirement("FORM-1")
@given(ours.form_schemas())
def test_every_form_is_written_validly_in_both_versions(schema: FormSchema) -> None:
    _validate("ElicitationSchema", _sent(write_schema(schema)))


@pytest.mark.requirement("RES-1")
@given(ours.responses())
def test_every_response_is_written_validly_in_both_versions(response: Response) -> None:
    _validate("CreateElicitationResponse", _sent(write_response(response)))


@given(ours.completions())
def test_every_completion_is_written_validly_in_both_versions(completion: Completion) -> None:
    _validate("CompleteElicitationNotification", _sent(write_completion(completion)))


@pytest.mark.requirement("CAP-2")
@given(ours.capabilities())
def test_every_capability_is_written_validly_and_read_back(capabilities: Capabilities) -> None:
    message = _sent(write_capabilities(capabilities))
    assert read_capabilities(message) == capabilities
    if message is not None:
        _validate("ElicitationCapabilities", message)


_INFOS = st.builds(
    Implementation,
    name=ours.texts().filter(bool),
    title=st.none() | ours.texts(),
    version=ours.texts().filter(bool),
)


@both_versions
@given(info=_INFOS, capabilities=ours.capabilities())
def test_what_a_client_says_at_initialize_is_valid_and_read_back(
    version: Version, info: Implementation, capabilities: Capabilities
) -> None:
    message = _sent(write_client_hello(version, info=info, capabilities=capabilities))
    validator(version.number, "InitializeRequest").validate(message)
    hello = read_client_hello(message)
    assert (hello.version, hello.info, hello.capabilities) == (version, info, capabilities)


@both_versions
@given(info=_INFOS)
def test_what_an_agent_answers_to_initialize_is_valid_and_read_back(
    version: Version, info: Implementation
) -> None:
    message = _sent(write_agent_hello(version, info=info, capabilities={}))
    validator(version.number, "InitializeResponse").validate(message)
    hello = read_agent_hello(message)
    assert (hello.version, hello.info) == (version, info)


@pytest.mark.requirement("FWD-7", "FWD-9")
@both_versions
@given(request=ours.requests())
def test_a_request_is_read_back_as_it_was_written(version: Version, request: Request) -> None:
    read = read_request(_sent(write_request(request)), version)
    assert ours.without_raw(read) == request


@pytest.mark.requirement("FWD-9")
@both_versions
@given(schema=ours.form_schemas())
def test_a_form_is_read_back_as_it_was_written_in_its_order(
    version: Version, schema: FormSchema
) -> None:
    read = read_schema(_sent(write_schema(schema)), version)
    assert ours.without_raw(read) == schema
    assert list(read.properties) == list(schema.properties)


@both_versions
@given(response=ours.responses())
def test_a_response_is_read_back_as_it_was_written(version: Version, response: Response) -> None:
    read = ours.without_raw(read_response(_sent(write_response(response)), version))
    match response:
        case Cancel(reason=str() as reason, meta=meta):
            # The reason travels in `_meta`, which shows it again.
            assert read == Cancel(
                reason=reason, meta={**(meta or {}), META_KEY: {"reason": reason}}
            )
        case _:
            assert read == response


@given(ours.completions())
def test_a_completion_is_read_back_as_it_was_written(completion: Completion) -> None:
    read = read_completion(_sent(write_completion(completion)))
    assert ours.without_raw(read) == completion


_WRITERS: list[tuple[st.SearchStrategy[Any], Callable[[Any], Json]]] = [
    (ours.requests(), write_request),
    (ours.form_schemas(), write_schema),
    (ours.responses(), write_response),
    (ours.completions(), write_completion),
]


@pytest.mark.requirement("FWD-8")
@given(st.sampled_from(_WRITERS).flatmap(lambda pair: st.tuples(pair[0], st.just(pair[1]))))
def test_nothing_but_members_of_the_protocol_stands_at_the_root_of_what_we_write(
    pair: tuple[Any, Callable[[Any], Json]],
) -> None:
    written, write = pair
    known = {
        *("mode", "message", "sessionId", "toolCallId", "requestId", "requestedSchema", "url"),
        *("elicitationId", "_meta", "type", "title", "description", "properties", "required"),
        *("action", "content"),
    }
    assert set(write(written)) <= known
