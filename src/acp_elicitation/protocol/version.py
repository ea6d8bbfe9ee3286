"""Protocol versions 1 and 2, side by side: every point in which they differ, and nowhere else.

Owns: the table of differences and the choice of a version at `initialize`.
Knows nothing of: what is done with a difference. The readers and writers ask the version for a
named property (`version.exclusive_scope`), never which number it has.
Above it: every module that reads or writes. Below it: nothing.
"""

from collections.abc import Iterable

import msgspec

__all__ = ["ALL_VERSIONS", "V1", "V2", "Version", "negotiate", "version_numbered"]


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One protocol version as the list of what it does differently from the other."""

    number: int

    # initialize
    client_capabilities_key: str
    client_info_key: str
    agent_capabilities_key: str
    agent_info_key: str

    # elicitation/create
    schema_type_required: bool
    """`requestedSchema.type` must be "object"; otherwise whatever stands there reads as that."""
    properties_required: bool
    """`requestedSchema.properties` must be there; otherwise a missing one reads as empty."""
    empty_choices_allowed: bool
    """An empty `enum`, `oneOf` or `anyOf` can be read (a client still refuses to show it)."""
    other_formats_written: bool
    """A string `format` beyond the four known ones is allowed; it can be read in any version."""
    exclusive_scope: bool
    """Exactly one of sessionId and requestId; otherwise the session wins when both are there."""
    null_request_id: bool
    """`requestId: null` names a request."""

    # elicitation/create result
    any_content_value: bool
    """Values of accepted content beyond text, numbers, booleans and lists of text are carried."""

    # turns
    turn_ends_by_update: bool
    """The end of a turn is a `state_update`; otherwise it is the result of `session/prompt`."""
    echoes_user_message: bool
    """The agent repeats the user's message, with an id, before it answers."""
    upserts_tool_calls: bool
    """`tool_call_update` creates a tool call; otherwise `tool_call` announces it first."""
    permission_has_title: bool
    """A permission request has its own title; otherwise the title of its tool call is shown."""
    session_capability: bool
    """An agent says in its capabilities that it has the session methods."""


V1 = Version(
    number=1,
    client_capabilities_key="clientCapabilities",
    client_info_key="clientInfo",
    agent_capabilities_key="agentCapabilities",
    agent_info_key="agentInfo",
    schema_type_required=False,
    properties_required=False,
    empty_choices_allowed=True,
    other_formats_written=False,
    exclusive_scope=False,
    null_request_id=True,
    any_content_value=False,
    turn_ends_by_update=False,
    echoes_user_message=False,
    upserts_tool_calls=False,
    permission_has_title=False,
    session_capability=False,
)

V2 = Version(
    number=2,
    client_capabilities_key="capabilities",
    client_info_key="info",
    agent_capabilities_key="capabilities",
    agent_info_key="info",
    schema_type_required=True,
    properties_required=True,
    empty_choices_allowed=False,
    other_formats_written=True,
    exclusive_scope=True,
    null_request_id=False,
    any_content_value=True,
    turn_ends_by_update=True,
    echoes_user_message=True,
    upserts_tool_calls=True,
    permission_has_title=True,
    session_capability=True,
)

ALL_VERSIONS = (V1, V2)


def version_numbered(number: object) -> Version | None:
    """Return the version with this `protocolVersion`, or None where it is none of ours."""
    if isinstance(number, bool):
        return None
    return next((version for version in ALL_VERSIONS if version.number == number), None)


def negotiate(offered: object, supported: Iterable[Version] = ALL_VERSIONS) -> Version | None:
    """Return what an agent answers: the highest supported version at or below `offered`.

    None means that there is none, or that `offered` is no version number at all; the agent then
    answers error -32022.
    """
    if isinstance(offered, bool) or not isinstance(offered, int):
        return None
    fitting = [version for version in supported if version.number <= offered]
    return max(fitting, key=lambda version: version.number, default=None)
