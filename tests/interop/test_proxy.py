"""A client on the official TypeScript SDK that knows no elicitation, with the proxy before agents.

The same with the web page, which needs a browser: tests/browser/test_proxy.py.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interop.official import QUESTIONS, TYPESCRIPT_V1, TYPESCRIPT_V2, Peer, Visit, visit

MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
DEMO = (sys.executable, "-m", "acp_elicitation.demo")
CONTENT = {"name": "demo", "email": "ada@example.com", "license": "MIT", "regions": ["eu"]}
ANSWERS: list[dict[str, Any]] = [
    {"when": {"property": "email"}, "action": "accept", "content": CONTENT},
    {"when": {"property": "branch"}, "action": "accept", "content": {"branch": "main"}},
    {"when": {"mode": "url"}, "action": "accept"},
]
PROJECT: list[dict[str, Any]] = [
    {
        "when": {"property": "license"},
        "action": "accept",
        "content": {
            "name": "sunflower",
            "contact": "ada@example.org",
            "start": "2027-01-04",
            "database": "none",
        },
    },
    {"when": {"mode": "url"}, "action": "decline"},
]

pytestmark = pytest.mark.parametrize(
    "peer",
    [
        pytest.param(TYPESCRIPT_V1, id="typescript-v1"),
        pytest.param(TYPESCRIPT_V2, id="typescript-v2"),
    ],
)


async def visit_through(
    peer: Peer, *prompts: str, options: tuple[str, ...], agent: tuple[str, ...]
) -> Visit:
    """Have the client go through `prompts`, without elicitation and with the proxy before it."""
    proxy = (sys.executable, "-c", MAIN, "proxy", *options, "--", *agent)
    return await visit(peer, *prompts, policy=[], elicitation=None, agent=proxy)


def written(folder: Path, rules: list[dict[str, Any]]) -> str:
    path = folder / "answers.json"
    path.write_text(json.dumps(rules))
    return str(path)


def said(met: Visit) -> str:
    updates = [line["update"] for line in met.all("update")]
    chunks = [u for u in updates if u["sessionUpdate"] == "agent_message_chunk"]
    return "".join(chunk["content"]["text"] for chunk in chunks)


def knows_nothing_of_questions(met: Visit) -> bool:
    """Whether the client saw none, and everything came to its end."""
    seen = met.all("elicitation") + met.all("wire") + met.all("completed") + met.all("error")
    return not seen and met.one("exit")["code"] == 0


async def test_the_typescript_agent_is_answered_by_the_clients_permission_dialog(
    peer: Peer,
) -> None:
    options = ("--via", "permission")
    met = await visit_through(peer, "confirm", "two", options=options, agent=peer.agent)
    confirmed, two = met.official_reports
    assert confirmed["capabilities"] == {"form": {}}
    assert confirmed["outcomes"] == [{"action": "accept"}]
    text, choice = two["outcomes"]
    assert text["action"] == "cancel"  # a text is more than a permission can carry
    assert choice == {"action": "accept", "content": {"overwrite": True}}
    asked = [line["params"] for line in met.all("permission")]
    assert [[option["name"] for option in params["options"]] for params in asked] == [
        ["Yes", "Decline"],
        ["Yes", "No", "Decline"],
    ]
    assert knows_nothing_of_questions(met), met.stderr


async def test_the_typescript_agent_is_answered_by_a_script(peer: Peer, tmp_path: Path) -> None:
    options = ("--answers", written(tmp_path, ANSWERS))
    met = await visit_through(
        peer, "form", "small", "url", "unadvertised", options=options, agent=peer.agent
    )
    form, small, link, unadvertised = met.official_reports
    assert form["capabilities"] == {"form": {}, "url": {}}
    (answer,) = form["outcomes"]
    assert answer["action"] == "accept"
    assert answer["content"].items() >= CONTENT.items()
    assert next(iter(answer["content"])) == "name"
    assert small["outcomes"] == [{"action": "accept", "content": {"branch": "main"}}]
    assert link["outcomes"] == [{"action": "accept"}]
    assert unadvertised["outcomes"] == []
    assert f"Authorize access to {QUESTIONS['url']['url']}" not in said(met)
    assert knows_nothing_of_questions(met), met.stderr


async def test_the_demo_is_answered_by_a_script_and_the_permission_dialog(
    peer: Peer, tmp_path: Path
) -> None:
    options = ("--answers", written(tmp_path, PROJECT))
    met = await visit_through(peer, "Set up a project.", options=options, agent=DEMO)
    assert 'name = "sunflower"' in said(met)
    assert "I leave the repository unconnected." in said(met)
    assert "I would have announced it now. All done." in said(met)
    assert "announce sunflower" in json.dumps(met.one("permission"))
    assert knows_nothing_of_questions(met), met.stderr
