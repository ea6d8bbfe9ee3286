"""`initialize`, in the shape of both versions."""

from typing import Any

import pytest

from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import MalformedMessage, VersionNotSupported
from acp_elicitation.protocol.handshake import (
    INITIALIZE,
    AgentHello,
    ClientHello,
    Implementation,
    read_agent_hello,
    read_client_hello,
    write_agent_hello,
    write_client_hello,
)
from acp_elicitation.protocol.version import V1, V2, Version

JsonObject = dict[str, Any]

BOTH = Capabilities(form=True, url=True)
INFO = Implementation(name="demo", title="Demo", version="1.2")
WRITTEN_INFO = {"name": "demo", "version": "1.2", "title": "Demo"}
ADVERTISED: JsonObject = {"elicitation": {"form": {}, "url": {}}}

V1_HELLO: JsonObject = {
    "protocolVersion": 1,
    "clientCapabilities": ADVERTISED,
    "clientInfo": WRITTEN_INFO,
}
V2_HELLO: JsonObject = {"protocolVersion": 2, "capabilities": ADVERTISED, "info": WRITTEN_INFO}


def test_the_method_is_named_as_the_protocol_names_it() -> None:
    assert INITIALIZE == "initialize"


@pytest.mark.requirement("CAP-2", "UI-1")
@pytest.mark.parametrize(("params", "version"), [(V1_HELLO, V1), (V2_HELLO, V2)])
def test_a_client_is_read_in_the_shape_of_its_version(params: JsonObject, version: Version) -> None:
    expected = ClientHello(version=version, capabilities=BOTH, info=INFO)
    assert read_client_hello(params) == expected


@pytest.mark.parametrize(("params", "version"), [(V1_HELLO, V2), (V2_HELLO, V1)])
def test_members_of_the_other_version_mean_nothing_in_this_one(
    params: JsonObject, version: Version
) -> None:
    hello = read_client_hello({**params, "protocolVersion": version.number})
    assert hello == ClientHello(version=version, capabilities=Capabilities(), info=Implementation())


def test_an_agent_that_serves_v1_alone_reads_a_client_that_offers_v2() -> None:
    hello = read_client_hello(V2_HELLO, supported=(V1,))
    assert hello == ClientHello(version=V1, capabilities=BOTH, info=INFO)


def test_a_client_that_offers_v2_in_both_shapes_is_read_in_that_of_the_answer() -> None:
    one: JsonObject = {"elicitation": {"form": {}}}
    params = {**V2_HELLO, "clientCapabilities": one, "clientInfo": {"name": "other"}}
    hello = read_client_hello(params, supported=(V1,))
    assert hello.capabilities == Capabilities(form=True)
    assert hello.info == Implementation(name="other")


def test_a_client_of_a_later_version_is_read_in_the_newest_that_we_know() -> None:
    hello = read_client_hello({**V2_HELLO, "protocolVersion": 7})
    assert hello == ClientHello(version=V2, capabilities=BOTH, info=INFO)


def test_a_version_number_with_a_zero_after_the_point_is_an_integer_of_json() -> None:
    assert read_client_hello({**V2_HELLO, "protocolVersion": 2.0}).version is V2
    assert read_agent_hello({"protocolVersion": 2.0}).version is V2


@pytest.mark.requirement("CAP-1", "CAP-7")
@pytest.mark.parametrize(
    "members",
    [
        *({}, {"capabilities": None}, {"capabilities": 5}, {"capabilities": {}}),
        *({"capabilities": {"elicitation": None}}, {"capabilities": {"elicitation": 5}}),
        *({"capabilities": {"elicitation": {"form": 3}}}, {"capabilities": [ADVERTISED]}),
    ],
)
def test_no_malformed_capability_makes_initialize_fail(members: JsonObject) -> None:
    hello = read_client_hello({"protocolVersion": 2, "info": WRITTEN_INFO, **members})
    assert hello == ClientHello(version=V2, capabilities=Capabilities(), info=INFO)


@pytest.mark.requirement("UI-1")
@pytest.mark.parametrize(
    ("info", "read"),
    [
        (None, Implementation()),
        ("demo", Implementation()),
        ({}, Implementation()),
        ({"name": 5, "title": None, "version": "1"}, Implementation(version="1")),
        ({"name": "demo", "title": [], "version": 1}, Implementation(name="demo")),
    ],
)
def test_a_malformed_info_reads_as_absent_on_both_sides(info: object, read: Implementation) -> None:
    assert read_client_hello({**V2_HELLO, "info": info}).info == read
    assert read_agent_hello({"protocolVersion": 1, "agentInfo": info}).info == read


@pytest.mark.parametrize(
    "params",
    [
        *(None, [], "2", {}, {"protocolVersion": None}, {"protocolVersion": "2"}),
        *({"protocolVersion": True}, {"protocolVersion": 1.5}, {"protocolVersion": [2]}),
    ],
)
def test_a_client_without_a_version_number_is_refused(params: object) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_client_hello(params)
    assert (caught.value.path, caught.value.expected) == ("/protocolVersion", "an integer")


@pytest.mark.parametrize(("offered", "supported"), [(0, (V1, V2)), (-1, (V1, V2)), (1, (V2,))])
def test_a_client_older_than_all_that_is_supported_is_told_what_is(
    offered: int, supported: tuple[Version, ...]
) -> None:
    with pytest.raises(VersionNotSupported) as caught:
        read_client_hello({"protocolVersion": offered}, supported)
    assert caught.value.offered == offered
    assert caught.value.supported == tuple(version.number for version in supported)


@pytest.mark.parametrize("capabilities", [BOTH, Capabilities()])
def test_a_client_says_what_it_offers_in_the_shape_of_the_version(
    capabilities: Capabilities,
) -> None:
    advertised = ADVERTISED if capabilities == BOTH else {}
    assert write_client_hello(V1, info=INFO, capabilities=capabilities) == {
        **V1_HELLO,
        "clientCapabilities": advertised,
    }
    assert write_client_hello(V2, info=INFO, capabilities=capabilities) == {
        **V2_HELLO,
        "capabilities": advertised,
    }


def test_a_name_and_a_version_are_said_even_by_those_who_have_none() -> None:
    hello = write_client_hello(V2, info=Implementation(), capabilities=Capabilities())
    assert hello["info"] == {"name": "unnamed", "version": "0"}


@pytest.mark.requirement("UI-1")
@pytest.mark.parametrize(("version", "key"), [(V1, "agentInfo"), (V2, "info")])
def test_an_agent_is_read_in_the_shape_of_its_version(version: Version, key: str) -> None:
    other = {"agentInfo": {"name": "x"}, "info": {"name": "x"}}
    result = {**other, "protocolVersion": version.number, key: WRITTEN_INFO}
    assert read_agent_hello(result) == AgentHello(version=version, info=INFO, raw=result)


@pytest.mark.parametrize("result", [None, [], {}, {"info": WRITTEN_INFO}])
def test_an_agent_without_a_version_is_refused(result: object) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_agent_hello(result)
    assert (caught.value.path, caught.value.expected) == ("/protocolVersion", "an integer")


@pytest.mark.parametrize("answered", [0, 3, None, "1", True, {}])
def test_an_agent_that_answers_in_no_version_of_ours_is_refused(answered: object) -> None:
    with pytest.raises(VersionNotSupported) as caught:
        read_agent_hello({"protocolVersion": answered})
    assert caught.value.offered == answered
    assert caught.value.supported == (1, 2)


def test_an_agent_that_answers_in_a_version_not_asked_for_is_refused() -> None:
    assert read_agent_hello({"protocolVersion": 1}, supported=(V1,)).version is V1
    with pytest.raises(VersionNotSupported) as caught:
        read_agent_hello({"protocolVersion": 2}, supported=(V1,))
    assert caught.value.supported == (1,)


def test_an_agent_says_what_it_can_in_the_shape_of_the_version() -> None:
    capabilities = {"loadSession": False}
    assert write_agent_hello(V1, info=INFO, capabilities=capabilities) == {
        "protocolVersion": 1,
        "agentCapabilities": capabilities,
        "agentInfo": WRITTEN_INFO,
        "authMethods": [],
    }
    assert write_agent_hello(V2, info=INFO, capabilities=capabilities) == {
        "protocolVersion": 2,
        "capabilities": capabilities,
        "info": WRITTEN_INFO,
        "authMethods": [],
    }
