"""The example of an agent that connects an account, with the service as the README runs it."""

import asyncio
import os
import re
import sys
from pathlib import Path

import httpx2

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("acp-elicit")
KEY = "wk-0123456789abcdef"


async def read_until(stream: asyncio.StreamReader, pattern: str, seen: list[str]) -> str:
    """Read lines until one has the pattern; what it matched."""
    async for line in stream:
        seen.append(line.decode())
        if found := re.search(pattern, seen[-1]):
            return found[0]
    raise AssertionError(f"no {pattern} in {seen}")


async def test_the_example_connects_an_account_by_a_typed_key(tmp_path: Path) -> None:
    answers = tmp_path / "answers.yaml"
    answers.write_text("- {when: {mode: url}, action: accept, open: false}\n")
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    providers = str(ROOT / "examples/providers.yaml")
    service = await asyncio.create_subprocess_exec(
        COMMAND, "connect", "serve", "--providers", providers, stdout=-1, env=environment
    )  # fmt: skip
    seen: list[str] = []
    try:
        async with asyncio.timeout(50):
            assert service.stdout is not None
            address = await read_until(service.stdout, r"http://127\.0\.0\.1:\d+", seen)
            chat = await asyncio.create_subprocess_exec(
                COMMAND, "chat", "--answers", str(answers), "--prompt", "weather", "--",
                sys.executable, str(ROOT / "examples/connecting_agent.py"),
                stdout=-1, env={**environment, "AGENT_CONNECT_URL": address},
            )  # fmt: skip
            assert chat.stdout is not None
            url = await read_until(chat.stdout, rf"{address}/link/\S+", seen)
            async with httpx2.AsyncClient(trust_env=False) as http:
                page = await http.get(url)
                assert "Connecting agent" in page.text
                token = page.text.partition('name="token" value="')[2].partition('"')[0]
                await http.post(f"{url}/begin", data={"token": token, "secret": KEY})
            await read_until(chat.stdout, "Connected: weather", seen)
            assert await chat.wait() == 0
    finally:
        service.kill()
        await service.wait()
    assert KEY not in "".join(seen)
    assert not [
        path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    ]


async def test_the_example_says_what_can_be_connected_where_a_prompt_names_none(
    tmp_path: Path,
) -> None:
    answers = tmp_path / "answers.yaml"
    answers.write_text("[]\n")
    chat = await asyncio.create_subprocess_exec(
        COMMAND, "chat", "--answers", str(answers), "--prompt", "hello", "--",
        sys.executable, str(ROOT / "examples/connecting_agent.py"),
        stdout=-1, stderr=-1, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    )  # fmt: skip
    async with asyncio.timeout(50):
        said, complained = await chat.communicate()
    assert b"take one of those that it has: weather" in said
    assert (chat.returncode, b"Traceback" in complained) == (0, False)
