"""Our agent asks clients that are built on the official SDKs."""

from typing import Any

import pytest

from acp_elicitation.protocol.reading import JsonObject
from tests.interop.asking_agent import URL, Project
from tests.interop.official import ASKING_AGENT, Peer, Visit, each_peer, visit

pytestmark = each_peer

MAIN = {"answer": "Accepted", "type": "Branch", "value": {"branch": "main"}}
ACCEPT_MAIN = {"do": "accept", "content": {"branch": "main"}}


def ended_well(met: Visit, turns: int = 1) -> bool:
    """Whether every turn came to its end, and our agent left with the client."""
    reasons = [line["stopReason"] for line in met.all("turn")]
    return reasons == ["end_turn"] * turns and met.one("exit")["code"] == 0


@pytest.mark.requirement("FORM-1", "REQ-1", "REQ-2", "FWD-9")
async def test_every_kind_of_property_reaches_the_client_in_order(peer: Peer) -> None:
    met = await visit(peer, "form", policy=[{"do": "decline"}])
    params = met.one("elicitation")["params"]
    properties = params["requestedSchema"]["properties"]
    assert list(properties) == list(Project.model_fields)
    assert {name: member["type"] for name, member in properties.items()} == {
        "name": "string",
        "notes": "string",
        "start": "string",
        "ratio": "number",
        "workers": "integer",
        "private": "boolean",
        "license": "string",
        "extras": "array",
    }
    assert (properties["ratio"]["default"], properties["extras"]["default"]) == (0.5, ["tests"])
    assert properties["start"]["format"] == "date"
    assert params["requestedSchema"]["required"] == ["name"]
    wire = met.one("wire")["params"]
    assert wire["mode"] == "form"
    assert wire["requestedSchema"]["type"] == "object"
    assert wire["sessionId"] == met.one("session")["sessionId"]
    announced = [line["update"].get("toolCallId") for line in met.all("update")]
    assert wire["toolCallId"] in announced
    assert "requestId" not in wire


@pytest.mark.requirement("FORM-3", "RES-1")
async def test_accepted_content_arrives_as_an_instance_of_the_type(peer: Peer) -> None:
    content = {
        "name": "demo-1",
        "notes": "zwei Zeilen,\n二行 🙂",
        "start": "2026-12-24",
        "ratio": 0.25,
        "workers": 8,
        "private": False,
        "license": "Apache-2.0",
        "extras": ["docs", "ci"],
    }
    met = await visit(peer, "form", policy=[{"do": "accept", "content": content}])
    assert met.reports == [{"answer": "Accepted", "type": "Project", "value": content}]
    assert ended_well(met)


@pytest.mark.requirement("FORM-3", "RES-1")
async def test_what_the_client_left_out_takes_the_types_defaults(peer: Peer) -> None:
    met = await visit(peer, "form", policy=[{"do": "accept", "content": {"name": "demo"}}])
    (report,) = met.reports
    assert report["value"] == Project(name="demo").model_dump(mode="json")


@pytest.mark.requirement("RES-1", "RES-2")
async def test_decline_and_cancel_are_told_apart_and_their_content_is_ignored(peer: Peer) -> None:
    content = {"branch": "main"}
    policy: list[JsonObject] = [
        {"do": "decline"},
        {"do": "cancel"},
        {"do": "result", "result": {"action": "decline", "content": content}},
        {"do": "result", "result": {"action": "cancel", "content": content}},
    ]
    met = await visit(peer, *["small"] * 4, policy=policy)
    declined = {"answer": "Declined"}
    cancelled = {"answer": "Cancelled", "reason": None, "action": "cancel"}
    assert met.reports == [declined, cancelled, declined, cancelled]
    assert ended_well(met, turns=4)


@pytest.mark.requirement("RES-6")
async def test_an_unknown_action_is_a_cancel_never_an_accept(peer: Peer) -> None:
    result = {"action": "_later", "content": {"branch": "main"}}
    met = await visit(peer, "small", policy=[{"do": "result", "result": result}])
    assert met.reports == [{"answer": "Cancelled", "reason": None, "action": "_later"}]


@pytest.mark.requirement("FORM-3")
async def test_content_that_does_not_fit_is_an_invalid_answer_that_names_each_property(
    peer: Peer,
) -> None:
    content = {"name": "Not A Name", "workers": 0, "license": "GPL", "extras": "tests"}
    met = await visit(peer, "form", policy=[{"do": "accept", "content": content}])
    (report,) = met.reports
    assert report["raised"] == "InvalidAnswer"
    assert sorted(report["problems"]) == [
        ["extras", "type"],
        ["license", "not-a-choice"],
        ["name", "pattern"],
        ["workers", "too-small"],
    ]
    assert "Not A Name" not in report["text"]
    assert ended_well(met)


@pytest.mark.requirement("FORM-3", "RES-2")
async def test_an_accept_without_its_content_is_invalid_and_one_with_more_is_cut(
    peer: Peer,
) -> None:
    policy = [
        {"do": "result", "result": {"action": "accept"}},
        {"do": "accept", "content": {"branch": "main", "admin": True}},
    ]
    met = await visit(peer, "small", "small", policy=policy)
    missing, cut = met.reports
    assert (missing["raised"], missing["problems"]) == ("InvalidAnswer", [["branch", "required"]])
    assert cut == MAIN


@pytest.mark.requirement("RES-5", "FWD-5")
async def test_an_error_and_a_malformed_answer_raise_and_the_next_question_is_answered(
    peer: Peer,
) -> None:
    policy: list[JsonObject] = [
        {"do": "error", "code": -32603},
        {"do": "result", "result": {}},
        {"do": "result", "result": {"action": "accept", "content": ["main"]}},
        ACCEPT_MAIN,
    ]
    met = await visit(peer, *["small"] * 4, policy=policy)
    raised = [report.get("raised") for report in met.reports]
    assert raised == ["RemoteError", "MalformedMessage", "MalformedMessage", None]
    assert met.reports[-1] == MAIN
    assert ended_well(met, turns=4)


@pytest.mark.requirement("URL-1", "URL-3", "URL-5", "URL-6")
async def test_a_link_is_consented_to_and_its_completion_reaches_the_client(peer: Peer) -> None:
    met = await visit(peer, "link", "link", policy=[{"do": "accept"}])
    wire = [line["params"] for line in met.all("wire")]
    ids = [params["elicitationId"] for params in wire]
    assert len(set(ids)) == 2
    assert [params["url"] for params in wire] == [URL, URL]
    assert [line["elicitationId"] for line in met.all("completed")] == ids
    accepted = {"answer": "Accepted"}
    assert met.reports == [accepted, {"completed": ids[0]}, accepted, {"completed": ids[1]}]
    assert ended_well(met, turns=2)


@pytest.mark.requirement("URL-1", "RES-1")
async def test_a_declined_link_is_not_completed(peer: Peer) -> None:
    met = await visit(peer, "link", policy=[{"do": "decline"}])
    declined, completed = met.reports
    assert declined == {"answer": "Declined"}
    assert completed["raised"] == "NotAccepted"
    assert met.all("completed") == []


@pytest.mark.requirement("URL-5")
async def test_a_link_may_be_completed_before_the_client_has_consented(peer: Peer) -> None:
    met = await visit(peer, "link-early", policy=[{"do": "accept", "when": "completed"}])
    assert met.one("completed")["elicitationId"] == "early"
    assert met.reports == [{"completed": "early"}, {"answer": "Accepted"}]


@pytest.mark.requirement("CAP-1", "CAP-3", "CAP-4")
@pytest.mark.parametrize("capability", [None, {}], ids=["none", "empty"])
async def test_without_the_capability_nothing_is_sent(peer: Peer, capability: Any) -> None:
    policy = [ACCEPT_MAIN]
    met = await visit(peer, "small", "link", policy=policy, elicitation=capability)
    assert [report["raised"] for report in met.reports] == ["ModeNotAdvertised"] * 2
    assert met.all("wire") == []
    assert ended_well(met, turns=2)


@pytest.mark.requirement("CAP-2", "CAP-4")
@pytest.mark.parametrize(
    ("capability", "refused", "sent"),
    [({"url": {}}, "small", "link"), ({"form": {}}, "link", "small")],
    ids=["only-url", "only-form"],
)
async def test_only_the_advertised_mode_is_sent(
    peer: Peer, capability: Any, refused: str, sent: str
) -> None:
    policy = [{"do": "decline"}]
    met = await visit(peer, refused, sent, policy=policy, elicitation=capability)
    assert met.reports[0]["raised"] == "ModeNotAdvertised"
    assert met.reports[1] == {"answer": "Declined"}
    assert {line["params"]["mode"] for line in met.all("wire")} == set(capability)


@pytest.mark.requirement("RES-5")
async def test_a_client_that_vanishes_ends_the_question_and_the_agent(peer: Peer) -> None:
    met = await visit(peer, "apart", policy=[{"do": "close"}])
    assert [report["raised"] for report in met.reports] == ["ConnectionLost"]


@pytest.mark.requirement("RES-5")
async def test_a_client_that_vanishes_ends_the_turn_that_waits_for_it(peer: Peer) -> None:
    met = await visit(peer, "small", policy=[{"do": "close"}])
    (report,) = met.reports
    assert report["raised"] == "ConnectionLost"


@pytest.mark.requirement("REQ-5")
async def test_giving_up_tells_the_client_and_the_next_question_is_answered(peer: Peer) -> None:
    met = await visit(peer, "given-up", "small", policy=[{"do": "never"}, ACCEPT_MAIN])
    given_up, answered = met.all("wire")
    assert met.one("cancel_request")["requestId"] == given_up["id"]
    assert answered["id"] != given_up["id"]
    assert met.reports == [{"raised": "CancelledError"}, MAIN]
    assert ended_well(met, turns=2)


@pytest.mark.requirement("REQ-5", "RES-5")
async def test_an_answer_that_comes_after_the_time_limit_is_dropped(peer: Peer) -> None:
    late = {"do": "accept", "content": {"branch": "late"}, "when": "cancelled"}
    met = await visit(peer, "impatient", "small", policy=[late, ACCEPT_MAIN])
    timeout, answered = met.reports
    assert timeout["raised"] == "AnswerTimeout"
    assert answered == MAIN
    assert met.one("cancel_request")["requestId"] == met.all("wire")[0]["id"]


@pytest.mark.requirement("REQ-5")
async def test_when_the_client_cancels_the_turn_its_question_is_cancelled(peer: Peer) -> None:
    met = await visit(peer, "small", policy=[{"do": "never", "send": "session/cancel"}])
    assert met.one("cancel_request")["requestId"] == met.one("wire")["id"]
    assert met.one("turn")["stopReason"] == "cancelled"
    assert met.reports == [{"raised": "CancelledError"}]


@pytest.mark.requirement("REQ-2")
async def test_a_question_within_session_new_names_that_request(peer: Peer) -> None:
    met = await visit(
        peer, "modes", policy=[ACCEPT_MAIN], agent=[*ASKING_AGENT, "ask-in-new-session"]
    )
    wire = met.one("wire")["params"]
    assert "sessionId" not in wire
    assert wire["requestId"] == 1  # both SDKs count from 0, and initialize was first
    assert met.reports == [MAIN, {"modes": ["form", "url"]}]
