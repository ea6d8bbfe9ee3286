"""The questions of an agent, read from and written as the params of `elicitation/create`."""

from typing import Any

import pytest

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.requests import (
    COMPLETE,
    CREATE,
    Completion,
    ElicitationId,
    FormRequest,
    Request,
    UnknownRequest,
    UrlRequest,
    read_completion,
    read_request,
    write_completion,
    write_request,
)
from acp_elicitation.protocol.schema import FormSchema, StringProperty
from acp_elicitation.protocol.scope import RequestScope, SessionId, SessionScope
from acp_elicitation.protocol.version import V1, V2, Version

both_versions = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])

JsonObject = dict[str, Any]

SESSION = SessionScope(session_id=SessionId("s"))
ASKED: JsonObject = {"sessionId": "s", "message": "m"}
SCHEMA: JsonObject = {"type": "object", "properties": {"p": {"type": "string"}}}
FORM: JsonObject = {**ASKED, "mode": "form", "requestedSchema": SCHEMA}
URL: JsonObject = {**ASKED, "mode": "url", "elicitationId": "e", "url": "https://a.example/x"}
OTHER: JsonObject = {**ASKED, "mode": "_browser", "target": "login"}


def _refusal(params: object, version: Version) -> tuple[str, str]:
    with pytest.raises(MalformedMessage) as caught:
        read_request(params, version)
    return caught.value.path, caught.value.expected


def test_the_methods_are_named_as_the_protocol_names_them() -> None:
    assert (CREATE, COMPLETE) == ("elicitation/create", "elicitation/complete")


@pytest.mark.requirement("REQ-2", "FORM-1")
@both_versions
def test_a_form_request_is_read(version: Version) -> None:
    schema = FormSchema(properties={"p": StringProperty(raw=SCHEMA["properties"]["p"])}, raw=SCHEMA)
    expected = FormRequest(message="m", schema=schema, scope=SESSION, raw=FORM)
    assert read_request(FORM, version) == expected


@both_versions
def test_a_url_request_is_read(version: Version) -> None:
    assert read_request(URL, version) == UrlRequest(
        message="m",
        url="https://a.example/x",
        elicitation_id=ElicitationId("e"),
        scope=SESSION,
        raw=URL,
    )


@pytest.mark.requirement("FWD-1")
@both_versions
@pytest.mark.parametrize("mode", ["_browser", "future", "Form", ""])
def test_a_request_in_an_unknown_mode_is_kept_and_is_neither_form_nor_url(
    version: Version, mode: str
) -> None:
    # Members of a known mode mean nothing here, so they may be malformed.
    params = {**FORM, "mode": mode, "requestedSchema": 5, "url": None}
    expected = UnknownRequest(mode=mode, message="m", scope=SESSION, raw=params)
    assert read_request(params, version) == expected


@pytest.mark.requirement("FWD-7")
@both_versions
@pytest.mark.parametrize("params", [FORM, URL, OTHER])
@pytest.mark.parametrize(
    ("meta", "read"), [({"a": 1}, {"a": 1}), ({}, {}), (None, None), (5, None), ([], None)]
)
def test_meta_is_carried_and_reads_as_absent_when_null_or_malformed(
    version: Version, params: JsonObject, meta: object, read: object
) -> None:
    assert read_request({**params, "_meta": meta}, version).meta == read


@pytest.mark.requirement("REQ-2")
@both_versions
@pytest.mark.parametrize("params", [FORM, URL, OTHER])
def test_every_mode_can_belong_to_a_request(version: Version, params: JsonObject) -> None:
    scoped = {key: params[key] for key in params if key != "sessionId"} | {"requestId": 7}
    assert read_request(scoped, version).scope == RequestScope(request_id=7)


@both_versions
@pytest.mark.parametrize("params", [None, [], "form", 5])
def test_params_that_are_no_object_are_refused(version: Version, params: object) -> None:
    assert _refusal(params, version) == ("", "an object")
    with pytest.raises(MalformedMessage) as caught:
        read_completion(params)
    assert (caught.value.path, caught.value.expected) == ("", "an object")


@pytest.mark.requirement("FWD-5", "REQ-1")
@both_versions
@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({**ASKED, "requestedSchema": SCHEMA}, "/mode"),
        ({**FORM, "mode": None}, "/mode"),
        ({**FORM, "mode": 5}, "/mode"),
        ({"sessionId": "s", "mode": "form", "requestedSchema": SCHEMA}, "/message"),
        ({**OTHER, "message": None}, "/message"),
        ({**URL, "message": 5}, "/message"),
        ({"message": "m", "mode": "_x"}, ""),
        ({**ASKED, "mode": "form"}, "/requestedSchema"),
        ({**FORM, "requestedSchema": None}, "/requestedSchema"),
        ({**FORM, "requestedSchema": {"type": "object", "properties": 5}},
         "/requestedSchema/properties"),
        ({**FORM, "requestedSchema": {"type": "object", "properties": {"p": {"type": 5}}}},
         "/requestedSchema/properties/p/type"),
        ({**URL, "elicitationId": None}, "/elicitationId"),
        ({**URL, "elicitationId": 5}, "/elicitationId"),
        ({**ASKED, "mode": "url", "elicitationId": "e"}, "/url"),
        ({**URL, "url": 5}, "/url"),
    ],
)  # fmt: skip
def test_a_malformed_request_is_refused_by_its_place(
    version: Version, params: JsonObject, path: str
) -> None:
    assert _refusal(params, version)[0] == path


@pytest.mark.requirement("URL-14")
@both_versions
@pytest.mark.parametrize("url", ["/a/b", "example.com/x", "", "https://", "//a.example/x", "x"])
def test_a_url_that_is_not_absolute_is_refused(version: Version, url: str) -> None:
    assert _refusal({**URL, "url": url}, version) == ("/url", "an absolute URL")


@both_versions
def test_a_url_that_cannot_be_encoded_is_refused(version: Version) -> None:
    for surrogate in ("\ud800", "\udfff"):
        params = {**URL, "url": f"https://a.example/{surrogate}"}
        assert _refusal(params, version) == ("/url", "an absolute URL")


@both_versions
@pytest.mark.parametrize(
    "url",
    [
        *("https://EXAMPLE.com", "javascript:alert(1)", "mailto:a@example.com"),
        *("https://b\u00fccher.example/\ud7ff\ue000", "http://127.0.0.1:1/"),
    ],
)
def test_any_absolute_url_is_read_exactly_as_it_is_written(version: Version, url: str) -> None:
    request = read_request({**URL, "url": url}, version)
    assert isinstance(request, UrlRequest)
    assert request.url == url


@pytest.mark.requirement("URL-4")
@both_versions
@pytest.mark.parametrize("opaque", ["", " e ", "../x", "\x00", "0", "E", "\u00e9", "a" * 10_000])
def test_an_elicitation_id_is_any_string_and_is_kept_as_it_is(
    version: Version, opaque: str
) -> None:
    request = read_request({**URL, "elicitationId": opaque}, version)
    assert isinstance(request, UrlRequest)
    assert request.elicitation_id == opaque
    assert read_completion({"elicitationId": opaque}).elicitation_id == opaque


@pytest.mark.requirement("FWD-1", "FWD-8")
@both_versions
@pytest.mark.parametrize("params", [FORM, URL, OTHER])
def test_a_request_that_was_read_is_written_as_it_came(
    version: Version, params: JsonObject
) -> None:
    extended = {"x": 1, **params, "toolCallId": 5}
    assert write_request(read_request(extended, version)) is extended


OURS: list[tuple[Request, JsonObject]] = [
    (
        FormRequest(message="m", schema=FormSchema(properties={}), scope=SESSION),
        {**ASKED, "mode": "form", "requestedSchema": {"type": "object", "properties": {}}},
    ),
    (
        UrlRequest(
            message="m",
            url="https://a.example/x",
            elicitation_id=ElicitationId("e"),
            scope=RequestScope(request_id=7),
        ),
        {"requestId": 7, **{key: URL[key] for key in URL if key != "sessionId"}},
    ),
    (UnknownRequest(message="m", mode="_x", scope=SESSION), {**ASKED, "mode": "_x"}),
]


@pytest.mark.requirement("REQ-1", "REQ-2")
@pytest.mark.parametrize(("request_of_ours", "params"), OURS)
def test_a_request_of_our_own_names_its_mode_and_its_scope(
    request_of_ours: Request, params: JsonObject
) -> None:
    assert write_request(request_of_ours) == params


@both_versions
def test_another_reader_of_forms_may_take_the_place_of_ours(version: Version) -> None:
    known = FormSchema(properties={}, title="remembered")
    asked: list[tuple[object, Version]] = []

    def read_form(value: object, of: Version) -> FormSchema:
        asked.append((value, of))
        return known

    request = read_request(FORM, version, read_form=read_form)
    assert isinstance(request, FormRequest)
    assert request.schema is known
    assert asked == [(SCHEMA, version)]
    assert read_request(URL, version, read_form=read_form) == read_request(URL, version)
    assert len(asked) == 1


@pytest.mark.requirement("FWD-5")
@both_versions
def test_what_another_reader_refuses_is_refused_by_its_place_in_the_request(
    version: Version,
) -> None:
    def read_form(value: object, of: Version) -> FormSchema:
        raise MalformedMessage(path="/properties", expected="fewer of them")

    with pytest.raises(MalformedMessage) as caught:
        read_request(FORM, version, read_form=read_form)
    expected = ("/requestedSchema/properties", "fewer of them")
    assert (caught.value.path, caught.value.expected) == expected


def test_a_form_that_was_written_already_is_sent_as_it_is() -> None:
    schema = FormSchema(properties={"p": StringProperty()})
    request = FormRequest(message="m", schema=schema, scope=SESSION)
    assert write_request(request, form=SCHEMA)["requestedSchema"] is SCHEMA
    assert write_request(request, form=SCHEMA) == write_request(request)


@pytest.mark.requirement("FWD-7")
def test_a_request_of_our_own_carries_its_meta() -> None:
    request = UnknownRequest(message="m", mode="_x", scope=SESSION, meta={"a": 1})
    assert write_request(request) == {**ASKED, "mode": "_x", "_meta": {"a": 1}}


@pytest.mark.requirement("URL-5", "FWD-7")
@pytest.mark.parametrize(
    ("meta", "read"), [({"a": 1}, {"a": 1}), (None, None), (5, None), ([], None)]
)
def test_a_completion_is_read_and_written_as_it_came(meta: object, read: JsonObject | None) -> None:
    params = {"elicitationId": "e", "_meta": meta, "x": 1}
    completion = read_completion(params)
    assert completion == Completion(elicitation_id=ElicitationId("e"), meta=read, raw=params)
    assert write_completion(completion) is params


@pytest.mark.parametrize("params", [{}, {"elicitationId": 5}, {"elicitationId": None}])
def test_a_completion_of_nothing_is_refused(params: JsonObject) -> None:
    with pytest.raises(MalformedMessage) as caught:
        read_completion(params)
    assert caught.value.path == "/elicitationId"


@pytest.mark.requirement("URL-5", "FWD-7")
def test_a_completion_of_our_own_names_the_elicitation_and_carries_its_meta() -> None:
    completion = Completion(elicitation_id=ElicitationId("e"))
    assert write_completion(completion) == {"elicitationId": "e"}
    completion = Completion(elicitation_id=ElicitationId("e"), meta={"a": 1})
    assert write_completion(completion) == {"elicitationId": "e", "_meta": {"a": 1}}
