"""`initialize`: who speaks, in which version, and where the client's capabilities stand.

Owns: reading and writing the part of `initialize` that elicitation depends on, in both shapes.
Knows nothing of: any other capability; those are carried as they come.
Above it: the agent's runtime, the client's session, the bridges. Below it: `capabilities`,
`reading`, `version`.
"""

from typing import Any

import msgspec

from acp_elicitation.protocol.capabilities import (
    Capabilities,
    read_capabilities,
    write_capabilities,
)
from acp_elicitation.protocol.errors import MalformedMessage, VersionNotSupported
from acp_elicitation.protocol.reading import (
    INTEGER,
    TEXT,
    Field,
    JsonObject,
    Rule,
    Table,
    read_fields,
)
from acp_elicitation.protocol.version import (
    ALL_VERSIONS,
    Version,
    negotiate,
    version_numbered,
)

__all__ = [
    "INITIALIZE",
    "AgentHello",
    "ClientHello",
    "Implementation",
    "read_agent_hello",
    "read_client_hello",
    "write_agent_hello",
    "write_client_hello",
]

INITIALIZE = "initialize"

_INFO: Table = {
    "name": Field("name", TEXT, Rule.DEFAULT),
    "title": Field("title", TEXT, Rule.DEFAULT),
    "version": Field("version", TEXT, Rule.DEFAULT),
}


class Implementation(msgspec.Struct, frozen=True, kw_only=True):
    """Who is on the other end, in its own unverified words (UI-1)."""

    name: str | None = None
    title: str | None = None
    version: str | None = None


class ClientHello(msgspec.Struct, frozen=True, kw_only=True):
    """What a client says in `initialize`, and the version it will be answered in."""

    version: Version
    capabilities: Capabilities
    info: Implementation


class AgentHello(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent answers to `initialize`."""

    version: Version
    info: Implementation
    raw: JsonObject


def read_client_hello(params: object, supported: tuple[Version, ...] = ALL_VERSIONS) -> ClientHello:
    """Return what the params of `initialize` say.

    A malformed capability or info reads as absent (CAP-7).

    Raises:
        MalformedMessage: there is no protocol version.
        VersionNotSupported: none of `supported` is at or below the client's.
    """
    offered = INTEGER.convert(params.get("protocolVersion")) if isinstance(params, dict) else None
    if not isinstance(params, dict) or not isinstance(offered, int):
        raise MalformedMessage(path="/protocolVersion", expected="an integer")
    version = negotiate(offered, supported)
    if version is None:
        raise VersionNotSupported(offered=offered, supported=[v.number for v in supported])
    return ClientHello(
        version=version,
        capabilities=read_capabilities(
            _member(params, version, offered, "client_capabilities_key").get("elicitation")
        ),
        info=_read_info(_member(params, version, offered, "client_info_key")),
    )


def _member(params: JsonObject, version: Version, offered: int, key: str) -> JsonObject:
    """Return the member where `version` has it, else where the version that was offered has it.

    A client that offers 2 and is answered 1 speaks in the shape of 2.
    """
    member = params.get(getattr(version, key))
    if member is None and offered != version.number:
        newest = max(ALL_VERSIONS, key=lambda known: known.number)
        member = params.get(getattr(newest, key))
    return member if isinstance(member, dict) else {}


def _read_info(value: object) -> Implementation:
    if not isinstance(value, dict):
        return Implementation()
    return Implementation(**read_fields(_INFO, value))


def write_client_hello(
    version: Version, *, info: Implementation, capabilities: Capabilities
) -> JsonObject:
    """Return the params of `initialize` that offer `version` and advertise `capabilities`."""
    advertised: dict[str, Any] = {}
    elicitation = write_capabilities(capabilities)
    if elicitation is not None:
        advertised["elicitation"] = elicitation
    return {
        "protocolVersion": version.number,
        version.client_capabilities_key: advertised,
        version.client_info_key: _write_info(info),
    }


def _write_info(info: Implementation) -> JsonObject:
    # Both versions require name and version wherever an info stands.
    written = {"name": info.name or "unnamed", "version": info.version or "0"}
    return written if info.title is None else {**written, "title": info.title}


def read_agent_hello(result: object, supported: tuple[Version, ...] = ALL_VERSIONS) -> AgentHello:
    """Return what the result of `initialize` says.

    Raises:
        MalformedMessage: there is no protocol version.
        VersionNotSupported: the agent answered in a version that is not among `supported`.
    """
    if not isinstance(result, dict) or "protocolVersion" not in result:
        raise MalformedMessage(path="/protocolVersion", expected="an integer")
    version = version_numbered(result["protocolVersion"])
    if version is None or version not in supported:
        raise VersionNotSupported(
            offered=result["protocolVersion"], supported=[v.number for v in supported]
        )
    return AgentHello(
        version=version, info=_read_info(result.get(version.agent_info_key)), raw=result
    )


def write_agent_hello(
    version: Version, *, info: Implementation, capabilities: JsonObject
) -> JsonObject:
    """Return the result of `initialize` with the agent's own `capabilities`."""
    return {
        "protocolVersion": version.number,
        version.agent_capabilities_key: capabilities,
        version.agent_info_key: _write_info(info),
        "authMethods": [],
    }
