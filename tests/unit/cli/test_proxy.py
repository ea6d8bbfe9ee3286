"""`acp-elicit proxy` as a process between a client that knows no elicitation and a real agent."""

import asyncio
import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.cli.proxy import run_proxy
from tests.web_client import Client as Browser

AGENT = (sys.executable, str(Path(__file__).with_name("obedient_agent.py")))
MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
_LIMIT = 30.0
ANSWERS = '[{"action": "accept", "content": {"colour": "blue"}}]'


class Client:
    """A client that knows nothing of elicitation."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in = process.stdin
        self._out = process.stdout
        self.process = process
        self.seen: list[dict[str, Any]] = []
        self._calls = 0

    def send(self, **members: Any) -> None:
        self._in.write(json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n")

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(_LIMIT):
            line = await self._out.readline()
        message: dict[str, Any] = json.loads(line)
        self.seen.append(message)
        return message

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a call; permission requests meanwhile get their first option.

        A page that the user is led to is filled in.
        """
        self._calls += 1
        id = self._calls
        self.send(id=id, method=method, params=params)
        while True:
            message = await self.next()
            if message.get("method") == "session/request_permission":
                option = message["params"]["options"][0]["optionId"]
                outcome = {"outcome": "selected", "optionId": option}
                self.send(id=message["id"], result={"outcome": outcome})
            elif address := re.search(r"http://127[\w.:/-]+", json.dumps(message)):
                browser = Browser(address[0])
                page = await browser.get()
                assert "Which colour?" in page.text
                await browser.submit(page, "submit", f0="blue")
            elif message.get("id") == id:
                return message["result"]

    async def prompt(self, text: str) -> str:
        """Return what the agent says in a turn."""
        await self.call("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
        session = await self.call("session/new", {"cwd": "/", "mcpServers": []})
        self.seen.clear()
        prompt = [{"type": "text", "text": text}]
        await self.call("session/prompt", {"sessionId": session["sessionId"], "prompt": prompt})
        updates = [m["params"]["update"] for m in self.seen if m.get("method") == "session/update"]
        return "".join(u["content"]["text"] for u in updates if "content" in u)

    async def leave(self) -> int:
        self._in.close()
        async with asyncio.timeout(_LIMIT):
            return await self.process.wait()


async def start(*options: str, agent: tuple[str, ...] = AGENT) -> Client:
    return Client(
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", MAIN, "proxy", *options, "--", *agent,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    )  # fmt: skip


async def refused(*options: str, agent: tuple[str, ...] = AGENT) -> tuple[int, str]:
    client = await start(*options, agent=agent)
    async with asyncio.timeout(_LIMIT):
        _, err = await client.process.communicate()
    assert client.process.returncode is not None
    return client.process.returncode, err.decode()


async def test_a_question_is_answered_by_a_script_and_kept_in_the_log(tmp_path: Path) -> None:
    answers, log = tmp_path / "answers.json", tmp_path / "log.jsonl"
    answers.write_text(ANSWERS)
    client = await start("--ui", "script", "--answers", str(answers), "--log", str(log))
    assert "Answered: accepted {'colour': 'blue'}" in await client.prompt("ask")
    assert not any("elicitation" in message.get("method", "") for message in client.seen)
    assert await client.leave() == 0
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    kept = [json.loads(line) for line in log.read_text().splitlines()]
    methods = [(k["from"], k.get("message", {}).get("method")) for k in kept]
    asked = methods.index(("agent", "elicitation/create"))
    assert kept[asked + 1]["asks"] == {"requestId": kept[asked]["message"]["id"], "by": "script"}
    assert ("client", "session/prompt") in methods


async def test_a_confirmation_becomes_a_permission_of_the_client() -> None:
    client = await start("--via", "permission")
    assert "Answered: accepted" in await client.prompt("confirm")
    assert any(m.get("method") == "session/request_permission" for m in client.seen)
    assert await client.leave() == 0


async def test_what_else_is_asked_is_answered_on_a_page_that_the_session_names() -> None:
    client = await start("--ui", "web", "--via", "native,permission,web")
    said = await client.prompt("ask")
    assert "has a question, which this client cannot show." in said
    assert "Answered: accepted {'colour': 'blue'}" in said
    assert await client.leave() == 0


async def test_the_rules_of_a_file_answer_without_being_asked_for_by_name(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(ANSWERS)
    client = await start("--answers", str(answers), "--via", "native")
    assert "Answered: accepted {'colour': 'blue'}" in await client.prompt("ask")
    assert await client.leave() == 0


async def test_the_agent_that_cannot_be_started_is_named() -> None:
    code, err = await refused(agent=("/nonexistent/agent",))
    assert code == 127
    assert "could not start /nonexistent/agent: No such file or directory" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--via", "telepathy"), "no such means: telepathy; there are native, permission, web"),
        (("--ui", "script"), "--ui script needs --answers FILE"),
        (("--ui", "web", "--answers", "a.yaml"), "--answers needs --ui script"),
        (("--ui", "web", "--via", "native"), "--ui web needs web among --via"),
        (("--ui", "tui"), "invalid choice: 'tui'"),
        (("--answers", "/nonexistent.yaml"), "/nonexistent.yaml"),
        (("--log", "/nonexistent/log"), "/nonexistent/log: No such file or directory"),
    ],
)
async def test_wrong_usage_is_said_and_exits_with_2(options: tuple[str, ...], said: str) -> None:
    code, err = await refused(*options)
    assert code == 2
    assert said in err


@pytest.mark.parametrize("option", ["--ui", "--via"])
def test_the_extra_is_named_where_the_page_was_asked_for(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)  # as Python marks what is not there
    with pytest.raises(SystemExit) as ended:
        run_proxy([option, "web", "--", "agent"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"{option} web needs a package" in said
    assert "pip install 'acp-elicitation[web]'" in said


async def test_a_missing_command_is_said() -> None:
    code, err = await refused(agent=())
    assert code == 2
    assert "put it after --" in err
