"""Our tables beside the official schemas: every member, its rule, its kind, and every difference.

The members that no table lists are read by hand; `BY_HAND` names each of them with its rule.
"""

from typing import Any

import pytest

from acp_elicitation.protocol.reading import (
    BOOLEAN,
    COUNT,
    INTEGER,
    NUMBER,
    OBJECT,
    TEXT,
    TEXTS,
    UINT32,
    Kind,
    Rule,
    Table,
)
from acp_elicitation.protocol.requests import COMPLETION, REQUEST
from acp_elicitation.protocol.responses import RESPONSE
from acp_elicitation.protocol.schema_wire import KNOWN_FORMATS, OPTION, SCHEMA, TABLES
from acp_elicitation.protocol.version import ALL_VERSIONS, Version
from tests.official_schemas import Json, definition, property_schemas, reachable, validator

TABLE_OF: dict[str, Table] = {
    "BooleanPropertySchema": TABLES["boolean"],
    "CompleteElicitationNotification": COMPLETION,
    "CreateElicitationRequest": REQUEST,
    "CreateElicitationResponse": RESPONSE,
    "ElicitationSchema": SCHEMA,
    "EnumOption": OPTION,
    "IntegerPropertySchema": TABLES["integer"],
    "MultiSelectPropertySchema": TABLES["array"],
    "NumberPropertySchema": TABLES["number"],
    "StringPropertySchema": TABLES["string"],
}

BY_HAND: dict[str, dict[str, Rule]] = {
    "ElicitationAcceptAction": {"content": Rule.STRICT},
    "ElicitationCapabilities": {
        "form": Rule.DEFAULT,
        "url": Rule.DEFAULT,
        "_meta": Rule.DEFAULT,
    },
    "ElicitationFormCapabilities": {"_meta": Rule.DEFAULT},
    "ElicitationFormMode": {"requestedSchema": Rule.STRICT},
    "ElicitationRequestScope": {"requestId": Rule.STRICT},
    "ElicitationSchema": {"properties": Rule.STRICT, "required": Rule.STRICT},
    "ElicitationSessionScope": {"sessionId": Rule.STRICT, "toolCallId": Rule.DEFAULT},
    "ElicitationUrlCapabilities": {"_meta": Rule.DEFAULT},
    "ElicitationUrlMode": {"elicitationId": Rule.STRICT, "url": Rule.STRICT},
    "MultiSelectPropertySchema": {"items": Rule.STRICT},
    "StringMultiSelectItems": {"enum": Rule.STRICT, "_meta": Rule.DEFAULT},
    "StringPropertySchema": {"enum": Rule.STRICT, "oneOf": Rule.STRICT},
    "TitledMultiSelectItems": {"anyOf": Rule.STRICT, "_meta": Rule.DEFAULT},
}

ROOTS = (
    "CompleteElicitationNotification",
    "CreateElicitationRequest",
    "CreateElicitationResponse",
    "ElicitationCapabilities",
)

MEMBERS = [
    pytest.param(version, name, member, id=f"v{version.number}-{name}-{member}")
    for version in ALL_VERSIONS
    for name in sorted(TABLE_OF.keys() | BY_HAND)
    for member in property_schemas(version.number, name)
]

both_versions = pytest.mark.parametrize("version", ALL_VERSIONS, ids=["v1", "v2"])


def _rule(official: Json) -> Rule:
    if official.get("x-deserialize-skip-invalid-items"):
        return Rule.SKIP
    return Rule.DEFAULT if official.get("x-deserialize-default-on-error") else Rule.STRICT


def _by_hand(version: Version, name: str) -> dict[str, Rule]:
    found = BY_HAND.get(name, {})
    if name == "ElicitationSchema":
        rule = Rule.STRICT if version.schema_type_required else Rule.DEFAULT
        found = {**found, "type": rule}
    return found


KINDS = {
    ("string", None): TEXT,
    ("string", "regex"): TEXT,
    ("boolean", None): BOOLEAN,
    ("object", None): OBJECT,
    ("number", "double"): NUMBER,
    ("integer", "int64"): INTEGER,
    ("integer", "uint64"): COUNT,
    ("integer", "uint32"): UINT32,
    ("array", None): TEXTS,
}


def _kind(version: Version, official: Json) -> Kind:
    """The kind that the official type and format of a member come to, null apart."""
    if "type" in official:
        types = {official["type"]} if isinstance(official["type"], str) else set(official["type"])
        [name] = types - {"null"}
        return KINDS[name, official.get("format")]
    [inner] = [p["$ref"] for p in official.get("allOf") or official["anyOf"] if "$ref" in p]
    named = definition(version.number, inner.removeprefix("#/$defs/"))
    arms = named.get("oneOf") or named.get("anyOf") or [named]
    [kind] = {KINDS[arm["type"], None] for arm in arms}
    return kind


@both_versions
def test_every_official_type_of_elicitation_has_a_table_or_is_read_by_hand(
    version: Version,
) -> None:
    official = {
        name for name in reachable(version.number, *ROOTS) if property_schemas(version.number, name)
    }
    assert official == TABLE_OF.keys() | BY_HAND


@both_versions
@pytest.mark.parametrize("name", sorted(TABLE_OF.keys() | BY_HAND))
def test_every_official_member_is_in_our_table_or_read_by_hand(version: Version, name: str) -> None:
    ours = TABLE_OF.get(name, {}).keys()
    by_hand = _by_hand(version, name).keys()
    assert not ours & by_hand
    assert property_schemas(version.number, name).keys() == ours | by_hand


@pytest.mark.requirement("FWD-5", "FWD-6")
@pytest.mark.parametrize(("version", "name", "member"), MEMBERS)
def test_the_rule_of_every_member_is_the_official_mark(
    version: Version, name: str, member: str
) -> None:
    field = TABLE_OF.get(name, {}).get(member)
    ours = field.rule if field else _by_hand(version, name)[member]
    assert ours is _rule(property_schemas(version.number, name)[member])


TABLED = [param for param in MEMBERS if param.values[2] in TABLE_OF.get(str(param.values[1]), {})]


@pytest.mark.parametrize(("version", "name", "member"), TABLED)
def test_every_member_in_a_table_is_of_the_official_kind_and_as_required(
    version: Version, name: str, member: str
) -> None:
    field = TABLE_OF[name][member]
    official: Any = definition(version.number, name)
    assert field.kind is _kind(version, official["properties"][member])
    assert field.required is (member in official.get("required", []))


def _accepts(version: Version, name: str, value: Json) -> bool:
    return validator(version.number, name).is_valid(value)


@both_versions
def test_the_version_table_says_where_initialize_keeps_its_members(version: Version) -> None:
    asked = property_schemas(version.number, "InitializeRequest")
    answered = property_schemas(version.number, "InitializeResponse")
    assert {version.client_capabilities_key, version.client_info_key} < asked.keys()
    assert {version.agent_capabilities_key, version.agent_info_key} < answered.keys()
    client = asked[version.client_capabilities_key]["allOf"]
    assert client == [{"$ref": "#/$defs/ClientCapabilities"}]
    assert "elicitation" in property_schemas(version.number, "ClientCapabilities")


@both_versions
def test_the_version_table_says_what_the_official_schema_of_a_form_requires(
    version: Version,
) -> None:
    required = definition(version.number, "ElicitationSchema").get("required", [])
    assert version.schema_type_required is ("type" in required)
    assert version.properties_required is ("properties" in required)
    for key in ("enum", "oneOf"):
        official = _accepts(version, "StringPropertySchema", {key: []})
        assert version.empty_choices_allowed is official
    assert version.empty_choices_allowed is _accepts(version, "MultiSelectItems", {"anyOf": []})


@pytest.mark.requirement("REQ-2")
@both_versions
def test_the_version_table_says_what_the_official_scope_allows(version: Version) -> None:
    both = {"mode": "_x", "message": "m", "sessionId": "s", "requestId": 7}
    assert version.exclusive_scope is not _accepts(version, "CreateElicitationRequest", both)
    assert version.null_request_id is _accepts(version, "RequestId", None)


@both_versions
def test_the_version_table_says_which_content_the_official_schema_allows(version: Version) -> None:
    answer = {"action": "accept", "content": {"p": {"lat": 1}}}
    assert version.any_content_value is _accepts(version, "CreateElicitationResponse", answer)


@both_versions
def test_the_version_table_says_which_formats_may_be_written(version: Version) -> None:
    for known in KNOWN_FORMATS:
        assert _accepts(version, "StringPropertySchema", {"format": known})
    other = _accepts(version, "StringPropertySchema", {"format": "hostname"})
    assert version.other_formats_written is other


@both_versions
def test_the_version_table_says_how_the_official_schema_tells_of_turns(version: Version) -> None:
    schema = definition(version.number, "SessionUpdate")
    arms = schema.get("oneOf") or schema["anyOf"]
    updates = {arm["properties"]["sessionUpdate"].get("const") for arm in arms}
    assert version.turn_ends_by_update is ("state_update" in updates)
    assert version.echoes_user_message is ("user_message" in updates)
    assert version.upserts_tool_calls is ("tool_call" not in updates)
    ended = "stopReason" in definition(version.number, "PromptResponse").get("required", [])
    assert version.turn_ends_by_update is not ended
    permission = definition(version.number, "RequestPermissionRequest")
    assert version.permission_has_title is ("title" in permission["required"])
    capabilities = property_schemas(version.number, "AgentCapabilities")
    assert version.session_capability is ("session" in capabilities)
