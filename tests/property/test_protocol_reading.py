"""What the official schemas accept is read, what they refuse is refused, and nothing else happens.

The messages come from the official schemas themselves, then they are spoilt.
"""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import assume, event, given
from jsonschema import Draft202012Validator

from acp_elicitation.protocol.capabilities import read_capabilities, write_capabilities
from acp_elicitation.protocol.errors import MalformedMessage, VersionNotSupported
from acp_elicitation.protocol.handshake import read_client_hello
from acp_elicitation.protocol.requests import (
    read_completion,
    read_request,
    write_completion,
    write_request,
)
from acp_elicitation.protocol.responses import read_response, write_response
from acp_elicitation.protocol.schema_wire import read_schema, write_schema
from acp_elicitation.protocol.version import ALL_VERSIONS, Version
from tests.official_instances import instances, mutated
from tests.official_schemas import Json, reading_validator, strict_validator, validator
from tests.strategies import json_values


class Side:
    """One official definition in one version: how it is read here, and written again."""

    def __init__(
        self,
        version: Version,
        name: str,
        read: Callable[[Json], Any],
        write: Callable[[Any], Json],
    ) -> None:
        self.version = version.number
        self.name = name
        self.read = read
        self.write = write

    def reads(self, message: Json) -> bool:
        """Whether the message is read. Anything but `MalformedMessage` fails the test."""
        try:
            self.read(message)
        except MalformedMessage:
            return False
        return True


def _sides(version: Version) -> list[Side]:
    return [
        Side(
            version,
            "CreateElicitationRequest",
            partial(read_request, version=version),
            write_request,
        ),
        Side(version, "ElicitationSchema", partial(read_schema, version=version), write_schema),
        Side(
            version,
            "CreateElicitationResponse",
            partial(read_response, version=version),
            write_response,
        ),
        Side(version, "CompleteElicitationNotification", read_completion, write_completion),
    ]


SIDES = [side for version in ALL_VERSIONS for side in _sides(version)]
every_side = pytest.mark.parametrize(
    "side", SIDES, ids=[f"v{side.version}-{side.name}" for side in SIDES]
)


@pytest.mark.requirement("FWD-1", "FWD-2", "FWD-3", "FWD-4", "FWD-7", "FWD-8")
@every_side
def test_what_the_official_schema_accepts_is_read(side: Side) -> None:
    @given(instances(side.version, side.name))
    def check(message: Json) -> None:
        assume(validator(side.version, side.name).is_valid(message))
        # Documented: uint32, double, absolute URLs, and the scope of v2 by the keys that are there.
        assume(strict_validator(side.version, side.name).is_valid(message))
        assert side.reads(message)

    check()


@pytest.mark.requirement("FWD-6")
@every_side
def test_a_malformed_value_is_read_wherever_the_official_schema_says_so(side: Side) -> None:
    @given(instances(side.version, side.name, "lenient"))
    def check(message: Json) -> None:
        assume(reading_validator(side.version, side.name).is_valid(message))
        assert side.reads(message)

    check()


@pytest.mark.requirement("FWD-5", "FWD-6", "REQ-2", "RES-2")
@every_side
def test_a_spoilt_message_is_read_exactly_when_the_official_rules_accept_it(side: Side) -> None:
    @given(mutated(instances(side.version, side.name, "lenient")))
    def check(message: Json) -> None:
        accepted = reading_validator(side.version, side.name).is_valid(message)
        event(f"accepted: {accepted}")
        assert side.reads(message) is accepted

    check()


@every_side
def test_any_value_is_read_or_refused_as_malformed(side: Side) -> None:
    @given(json_values())
    def check(message: Json) -> None:
        accepted = reading_validator(side.version, side.name).is_valid(message)
        assert side.reads(message) is accepted

    check()


@pytest.mark.requirement("FWD-1", "FWD-2", "FWD-3", "FWD-7", "FWD-8", "FWD-9", "RES-6")
@every_side
def test_what_was_read_is_forwarded_as_it_came(side: Side) -> None:
    @given(mutated(instances(side.version, side.name, "lenient")))
    def check(message: Json) -> None:
        assume(reading_validator(side.version, side.name).is_valid(message))
        before = copy.deepcopy(message)
        forwarded = side.write(side.read(message))
        assert forwarded is message
        # In the same order too, at every depth.
        assert repr(message) == repr(before)

    check()


@pytest.mark.requirement("CAP-1", "CAP-2", "CAP-3", "CAP-7")
@pytest.mark.parametrize("version", ALL_VERSIONS, ids=["v1", "v2"])
def test_a_capability_is_read_whatever_it_is(version: Version) -> None:
    name = "ElicitationCapabilities"

    @given(mutated(instances(version.number, name, "lenient")) | json_values())
    def check(value: Json) -> None:
        read = read_capabilities(value)
        fitting = value if isinstance(value, dict) else {}
        # Both are objects of which nothing but `_meta` is known, so any object will do.
        assert read.form is isinstance(fitting.get("form"), dict)
        assert read.url is isinstance(fitting.get("url"), dict)
        assert read_capabilities(write_capabilities(read)) == read

    check()


@pytest.mark.requirement("CAP-7")
@pytest.mark.parametrize("version", ALL_VERSIONS, ids=["v1", "v2"])
def test_nothing_but_the_version_makes_initialize_fail(version: Version) -> None:
    @given(mutated(instances(version.number, "InitializeRequest", "lenient")))
    def check(params: Json) -> None:
        assume(isinstance(params, dict))
        hello = read_client_hello({**params, "protocolVersion": version.number})
        found = params.get(version.client_capabilities_key)
        elicitation = found.get("elicitation") if isinstance(found, dict) else None
        assert hello.capabilities == read_capabilities(elicitation)

    check()


@given(mutated(instances(1, "InitializeRequest", "lenient")) | json_values())
def test_initialize_is_read_or_refused_for_its_version(params: Json) -> None:
    offered: Any = params.get("protocolVersion") if isinstance(params, dict) else None
    answered: int | str
    try:
        answered = read_client_hello(params).version.number
    except MalformedMessage:
        answered = "malformed"
    except VersionNotSupported:
        answered = "not supported"
    if not Draft202012Validator({"type": "integer"}).is_valid(offered):
        assert answered == "malformed"
    else:
        assert answered == ("not supported" if offered < 1 else min(offered, 2))


STRICTER_THAN_THE_SCHEMA = [
    pytest.param(1, {"maxLength": 2**32}, id="uint32-v1"),
    pytest.param(2, {"minLength": 2**32}, id="uint32-v2"),
    pytest.param(1, {"type": "number", "minimum": 10**400}, id="double-v1"),
    pytest.param(2, {"type": "number", "maximum": -(10**400)}, id="double-v2"),
]


@pytest.mark.parametrize(("version", "members"), STRICTER_THAN_THE_SCHEMA)
def test_bounds_that_the_official_schema_only_names_are_kept(version: int, members: Json) -> None:
    schema = {"type": "object", "properties": {"p": {"type": "string", **members}}}
    side = next(s for s in SIDES if (s.version, s.name) == (version, "ElicitationSchema"))
    assert validator(version, side.name).is_valid(schema)
    assert not strict_validator(version, side.name).is_valid(schema)
    assert not side.reads(schema)


STRICTER_REQUESTS = [
    pytest.param(1, {"mode": "url", "url": "/a/b"}, id="relative-url-v1"),
    pytest.param(2, {"mode": "url", "url": "/a/b"}, id="relative-url-v2"),
    pytest.param(2, {"mode": "_x", "requestId": None}, id="null-request-beside-session-v2"),
    pytest.param(2, {"mode": "_x", "sessionId": 5, "requestId": 7}, id="malformed-session-v2"),
]


@pytest.mark.requirement("REQ-2")
@pytest.mark.parametrize(("version", "members"), STRICTER_REQUESTS)
def test_requests_that_only_the_official_schema_lets_pass_are_refused(
    version: int, members: Json
) -> None:
    params = {"sessionId": "s", "message": "m", "elicitationId": "e", **members}
    side = next(s for s in SIDES if (s.version, s.name) == (version, "CreateElicitationRequest"))
    assert validator(version, side.name).is_valid(params)
    assert not strict_validator(version, side.name).is_valid(params)
    assert not side.reads(params)
