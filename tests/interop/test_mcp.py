"""MCP's public reference server asks the user of the example agent, through `acp-elicit chat`."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "tests" / "node_modules"
EVERYTHING = PACKAGES / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
COMMAND = Path(sys.executable).with_name("acp-elicit")


async def chat(
    prompts: list[str],
    rules: list[dict[str, Any]],
    tmp_path: Path,
    *,
    server: tuple[str, ...] = ("node", str(EVERYTHING), "stdio"),
) -> str:
    """Return what the commands print when the agent calls the server's tools one after another."""
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(rules))
    agent = [sys.executable, str(ROOT / "examples" / "mcp_agent.py")]
    process = await asyncio.create_subprocess_exec(
        *(str(COMMAND), "chat", "--answers", str(answers), "--prompt", *prompts),
        *("--", *agent, *server),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


def raw_result(printed: str, nth: int = 0) -> Any:
    """What the reference server says that it got, by its own words."""
    lines = printed.split("| Raw result: ")[1 + nth].splitlines()
    joined = "\n".join(line.removeprefix("| ") for line in lines)
    return json.JSONDecoder().raw_decode(joined)[0]


@pytest.mark.requirement("FORM-1", "RES-1", "FWD-9")
async def test_the_form_of_the_reference_server_is_answered_declined_and_cancelled(
    tmp_path: Path,
) -> None:
    content = {
        "name": "Ada",
        "check": True,
        "firstLine": "Once.",
        "email": "ada@example.com",
        "homepage": "https://example.com/",
        "birthdate": "1815-12-10",
        "integer": 7,
        "number": 2.5,
        "untitledSingleSelectEnum": "Ross",
        "untitledMultipleSelectEnum": ["Piano", "Bass"],
        "titledSingleSelectEnum": "hero-2",
        "titledMultipleSelectEnum": ["fish-1", "fish-3"],
        "legacyTitledEnum": "pet-3",
    }
    rules: list[dict[str, Any]] = [
        {"when": {"mode": "form"}, "action": "accept", "content": content},
        {"action": "decline"},
        {"action": "cancel"},
    ]
    printed = await chat(["trigger-elicitation-request"] * 3, rules, tmp_path)
    assert "| The MCP server Everything Reference Server asks:" in printed
    assert "Legacy Titled Single Select Enum: Birds" in printed  # `enumNames` are titles
    assert raw_result(printed) == {"action": "accept", "content": content}
    assert list(raw_result(printed)["content"]) == list(content)
    assert raw_result(printed, 1) == {"action": "decline"}
    assert raw_result(printed, 2) == {"action": "cancel"}


@pytest.mark.requirement("URL-1", "URL-10", "URL-14")
async def test_the_links_of_the_reference_server_are_consented_by_request_and_by_error(
    tmp_path: Path,
) -> None:
    url = "https://example.com/connect"
    provider = "https://example.com/authorize?client_id=1&response_type=code"
    prompts = [
        f'trigger-url-elicitation {{"url": "{url}"}}',
        f'trigger-url-elicitation {{"url": "{url}", "errorPath": true}}',
        f'trigger-url-elicitation {{"url": "{provider}"}}',
    ]
    finished = {"message": "Have you finished on the page of the MCP server Everything"}
    rules: list[dict[str, Any]] = [
        {"when": {"mode": "url"}, "action": "accept", "repeat": True},
        {"when": finished, "action": "accept"},
    ]
    printed = await chat(prompts, rules, tmp_path)
    assert printed.count("asks you to open its page:") == 3
    assert printed.count(f"  address: {url}") == 2
    assert printed.count("  address: https://modelcontextprotocol.io") == 1  # of the error
    assert raw_result(printed, 0) == raw_result(printed, 1) == {"action": "accept"}
    # A page that is a provider's, and not the server's own, is declined without asking.
    assert raw_result(printed, 2)["action"] == "decline"
    assert raw_result(printed, 2)["_meta"]["acp-elicitation"]["reason"] == "unsafe-link"


async def test_a_server_that_asks_in_its_results_asks_through_the_agent_too(tmp_path: Path) -> None:
    rules: list[dict[str, Any]] = [
        {"when": {"message": "How big"}, "action": "accept", "content": {"answer": "l"}},
        {"when": {"message": "extras"}, "action": "accept", "content": {"answer": ["capers"]}},
        {"when": {"message": "Order it"}, "action": "accept"},
    ]
    server = (sys.executable, str(ROOT / "examples" / "mcp_server.py"))
    printed = await chat(["order"], rules, tmp_path, server=server)
    assert printed.count("| The MCP server pizzeria asks:") == 3
    assert "Ordered: l, with capers." in printed
