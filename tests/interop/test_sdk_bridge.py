"""The bridge in a host on the official Python SDK, over stdio, with official peers opposite.

The host runs with each version of the SDK; the peers are the SDKs themselves, without any of ours.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.protocol.reading import JsonObject
from tests.interop.asking_agent import URL, Project
from tests.interop.official import (
    HERE,
    PYTHON_V1,
    QUESTIONS,
    TYPESCRIPT_V1,
    Peer,
    Visit,
    visit,
)

SDK1 = HERE.parents[1] / ".venv-sdk1/bin/python"
AGENT, CLIENT = (str(HERE / "bridge_peers" / name) for name in ("agent.py", "client.py"))
each_sdk = pytest.mark.parametrize("python", [sys.executable, str(SDK1)], ids=["0.12", "1.0"])
each_peer = pytest.mark.parametrize(
    "peer", [TYPESCRIPT_V1, PYTHON_V1], ids=["typescript", "python"]
)

MAIN = {"answer": "Accepted", "type": "Branch", "value": {"branch": "main"}}
ACCEPT_MAIN: JsonObject = {"do": "accept", "content": {"branch": "main"}}
CONTENT = {
    "name": "demo-1",
    "notes": "zwei Zeilen,\n二行 🙂",
    "start": "2026-12-24",
    "ratio": 0.25,
    "workers": 8,
    "private": False,
    "license": "Apache-2.0",
    "extras": ["docs", "ci"],
}


# --- an agent on the SDK, with the bridge ---


@pytest.mark.requirement("FORM-1", "FORM-3", "REQ-1", "REQ-2", "RES-1", "RES-6", "FWD-9")
@each_sdk
@each_peer
async def test_an_agent_asks_forms_and_takes_only_what_is_an_answer(
    peer: Peer, python: str
) -> None:
    policy: list[JsonObject] = [
        {"do": "accept", "content": CONTENT},
        ACCEPT_MAIN,
        {"do": "decline"},
        {"do": "cancel"},
        {"do": "result", "result": {"action": "_later", "content": {"branch": "main"}}},
        {"do": "result", "result": {}},
        {"do": "result", "result": {"action": "accept"}},
        {"do": "error", "code": -32603},
        ACCEPT_MAIN,
    ]
    met = await visit(peer, "form", *["small"] * 8, policy=policy, agent=[python, AGENT])
    wire = met.all("wire")[0]["params"]
    assert wire["mode"] == "form"
    assert wire["requestedSchema"]["type"] == "object"
    assert list(wire["requestedSchema"]["properties"]) == list(Project.model_fields)
    assert wire["sessionId"] == met.one("session")["sessionId"]
    assert wire["toolCallId"] in [line["update"].get("toolCallId") for line in met.all("update")]
    form, main, *others, invalid, failed, last = met.reports
    assert form == {"answer": "Accepted", "type": "Project", "value": CONTENT}
    assert main == last == MAIN
    assert others == [
        {"answer": "Declined"},
        {"answer": "Cancelled", "reason": None, "action": "cancel"},
        {"answer": "Cancelled", "reason": None, "action": "_later"},
        {"raised": "MalformedMessage", "text": others[3]["text"], "problems": []},
    ]
    assert (invalid["raised"], invalid["problems"]) == ("InvalidAnswer", [["branch", "required"]])
    assert failed["raised"] == "RemoteError"
    assert ended_well(met, turns=9)


def ended_well(met: Visit, turns: int) -> bool:
    reasons = [line["stopReason"] for line in met.all("turn")]
    return reasons == ["end_turn"] * turns and met.one("exit")["code"] == 0


@pytest.mark.requirement("URL-1", "URL-3", "URL-5", "URL-6")
@each_sdk
async def test_an_agent_asks_for_consent_and_completes_its_links(python: str) -> None:
    policy = [{"do": "accept"}, {"do": "decline"}, {"do": "accept", "when": "completed"}]
    prompts = ["link", "link", "link-early"]
    met = await visit(TYPESCRIPT_V1, *prompts, policy=policy, agent=[python, AGENT])
    first, second, early = (line["params"] for line in met.all("wire"))
    assert [params["url"] for params in (first, second, early)] == [URL] * 3
    assert first["elicitationId"] != second["elicitationId"]
    completed = [line["elicitationId"] for line in met.all("completed")]
    assert completed == [first["elicitationId"], "early"]
    consented, done, declined, not_accepted, early_done, early_consent = met.reports
    assert consented == early_consent == {"answer": "Accepted"}
    assert done == {"completed": first["elicitationId"]}
    assert declined == {"answer": "Declined"}
    assert not_accepted["raised"] == "NotAccepted"
    assert early_done == {"completed": "early"}
    assert ended_well(met, turns=3)


@pytest.mark.requirement("CAP-1", "CAP-2", "CAP-3", "CAP-4")
@each_sdk
@pytest.mark.parametrize("capability", [None, {}, {"url": {}}], ids=["none", "empty", "url"])
async def test_an_agent_sends_only_what_was_advertised(python: str, capability: Any) -> None:
    policy = [{"do": "decline"}]
    met = await visit(
        TYPESCRIPT_V1,
        *("modes", "small", "link"),
        policy=policy,
        elicitation=capability,
        agent=[python, AGENT],
    )
    advertised = sorted(capability or {})
    assert met.reports[0] == {"modes": advertised}
    assert met.reports[1]["raised"] == "ModeNotAdvertised"
    assert [line["params"]["mode"] for line in met.all("wire")] == advertised


@pytest.mark.requirement("REQ-5", "RES-5")
@each_sdk
async def test_an_agent_takes_questions_back_and_drops_late_answers(python: str) -> None:
    policy: list[JsonObject] = [
        {"do": "never"},
        {"do": "accept", "content": {"branch": "late"}, "when": "cancelled"},
        {"do": "never", "send": "session/cancel"},
        ACCEPT_MAIN,
    ]
    prompts = ["given-up", "impatient", "small", "small"]
    met = await visit(TYPESCRIPT_V1, *prompts, policy=policy, agent=[python, AGENT])
    given_up, impatient, cancelled, answered = met.reports
    assert given_up == {"raised": "CancelledError"}
    assert impatient["raised"] == "AnswerTimeout"
    assert cancelled == {"answer": "Cancelled", "reason": "withdrawn", "action": "cancel"}
    assert answered == MAIN
    asked = [line["id"] for line in met.all("wire")]
    assert [line["requestId"] for line in met.all("cancel_request")] == asked[:3]


@pytest.mark.requirement("RES-5")
@each_sdk
async def test_an_agent_hears_that_its_client_has_vanished(python: str) -> None:
    policy: list[JsonObject] = [{"do": "close"}]
    met = await visit(TYPESCRIPT_V1, "small", policy=policy, agent=[python, AGENT])
    assert [report["raised"] for report in met.reports] == ["ConnectionLost"]


@pytest.mark.requirement("REQ-2")
@each_sdk
async def test_an_agent_asks_within_session_new(python: str) -> None:
    agent = [python, AGENT, "ask-in-new-session"]
    met = await visit(TYPESCRIPT_V1, "modes", policy=[ACCEPT_MAIN], agent=agent)
    wire = met.one("wire")["params"]
    assert (wire["requestId"], "sessionId" in wire) == (1, False)
    assert met.reports == [MAIN, {"modes": ["form", "url"]}]


# --- a client on the SDK, with the bridge ---


def rules(*answers: JsonObject) -> str:
    return json.dumps([{"repeat": True, **answer} for answer in answers])


ANSWERS = rules(
    {
        "when": {"property": "regions"},
        "action": "accept",
        "content": {"name": "demo", "email": "ada@example.com", "regions": ["eu"]},
    },
    {"when": {"property": "branch"}, "action": "accept", "content": {"branch": "main"}},
    {"when": {"property": "overwrite"}, "action": "decline"},
    {"when": {"property": "label"}, "action": "accept", "content": {"label": "here"}},
    {"when": {"mode": "url"}, "action": "accept"},
    {"when": {"message": "Go on?"}, "action": "accept"},
)
ACCEPT_SMALL = {"action": "accept", "content": {"branch": "main"}}


async def bridged(
    monkeypatch: pytest.MonkeyPatch,
    python: str,
    agent: Peer,
    *prompts: str,
    modes: str = '["form","url"]',
) -> Visit:
    """Run the bridged client on an official agent through `prompts`."""
    monkeypatch.setenv("ACP_ANSWERS", ANSWERS)
    monkeypatch.setenv("ACP_MODES", modes)
    client = agent._replace(client=(python, CLIENT))
    return await visit(client, *prompts, policy=[], agent=agent.agent)


@pytest.mark.requirement("RES-1", "RES-3", "RES-4", "FWD-2", "URL-7", "UI-1")
@each_sdk
@each_peer
async def test_a_client_answers_what_it_is_asked_and_the_sdk_sees_none_of_it(
    peer: Peer, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = ["form", "small", "confirm", "url", "url-early", "two", "unknown-property"]
    met = await bridged(monkeypatch, python, peer, *prompts)
    form, small, confirm, url, early, two, unknown = (
        report["outcomes"] for report in met.official_reports
    )
    (filled,) = form
    assert filled["action"] == "accept"
    assert filled["content"] == {
        "name": "demo",
        "email": "ada@example.com",
        "regions": ["eu"],
        "ratio": 0.5,
        "workers": 4,
        "private": True,
        "license": "MIT",
        "extras": ["tests"],
    }
    assert small == [ACCEPT_SMALL]
    assert [outcome["action"] for outcome in (*confirm, *url, *early)] == ["accept"] * 3
    assert two == [ACCEPT_SMALL, {"action": "decline"}]
    assert unknown == [{"action": "accept", "content": {"label": "here"}}]
    assert met.one("asker") == {"seen": "asker", "name": peer.title, "openLinks": []}
    assert ended_well(met, turns=len(prompts))
    assert "the SDK saw a question" not in met.stderr


@pytest.mark.requirement("FWD-1", "FWD-5", "REQ-6", "FWD-2")
@each_sdk
@each_peer
async def test_a_client_answers_what_it_refuses_and_goes_on(
    peer: Peer, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = ["malformed", "unknown-mode", "unknown-required", "cancel-request", "small"]
    met = await bridged(monkeypatch, python, peer, *prompts)
    malformed, mode, required, cancelled, small = (
        report["outcomes"] for report in met.official_reports
    )
    refused = [outcome["error"]["code"] for outcome in (*malformed, *mode)]
    assert refused == [-32602] * (len(QUESTIONS["malformed"]) + 2)
    assert [outcome["action"] for outcome in required] == ["cancel"]
    # The script may have answered before the cancellation came; an answer there is in any case.
    assert cancelled[0].get("error", {"code": -32800})["code"] == -32800
    assert small == [ACCEPT_SMALL]


@pytest.mark.requirement("CAP-2", "CAP-3", "CAP-6")
@each_sdk
@pytest.mark.parametrize("modes", ["[]", '["form"]', '["url"]'])
async def test_a_client_advertises_its_modes_and_refuses_the_others(
    python: str, modes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = await bridged(monkeypatch, python, TYPESCRIPT_V1, "unadvertised", modes=modes)
    (report,) = met.official_reports
    advertised = json.loads(modes)
    assert sorted(report.get("capabilities") or {}) == advertised
    codes = [outcome["error"]["code"] for outcome in report["outcomes"]]
    assert codes == [-32602] * (2 - len(advertised))


def test_the_environment_of_the_pre_release_is_there() -> None:
    assert Path(SDK1).exists(), "make .venv-sdk1/.installed"
