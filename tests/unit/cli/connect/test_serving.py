"""The server under the connect service: what it writes down, and whom it believes."""

import asyncio
import sys
from pathlib import Path

import pytest

from acp_elicitation.cli.connect.serving import _configure
from tests.connecting import running

LOUD = """
import logging, sys
logging.basicConfig(level=logging.DEBUG)
from acp_elicitation.cli.connect.command import run_connect
sys.exit(run_connect(sys.argv[1:]))
"""
"""What an environment would do that has everything logged."""


async def test_no_request_is_logged_and_no_header_of_a_proxy_is_believed(tmp_path: Path) -> None:
    async with running(tmp_path, []) as run:
        config = _configure(run.service)
    assert (config.access_log, config.log_config, config.log_level) == (False, None, "critical")
    assert config.proxy_headers is False  # `HeaderIdentity` and `LocalUser` look at who connects


@pytest.mark.requirement("URL-2")
async def test_no_address_no_cookie_and_no_garbage_is_in_the_log(tmp_path: Path) -> None:
    (tmp_path / "providers.json").write_text(
        '[{"name": "hub", "kind": "oauth", "client_id": "acp", "issuer": "https://hub.example"}]'
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LOUD, "serve", "--providers", str(tmp_path / "providers.json")),
        *("--store", f"sqlite:{tmp_path / 'links'}", "--key-file", str(tmp_path / "key")),
        stdout=-1,
        stderr=-1,
    )
    assert process.stdout is not None
    async with asyncio.timeout(30):
        port = int((await process.stdout.readline()).rpartition(b":")[2])
        answers = [
            await _ask(port, "GET /callback/hub?state=s3cr3t-state&code=s3cr3t-code HTTP/1.1"),
            await _ask(port, "GET /link/s3cr3t-link HTTP/1.1"),
            await _ask(port, "POST /link/s3cr3t-link/begin HTTP/1.1"),
            await _ask(port, "s3cr3t garbage"),
        ]
        process.terminate()
        _, said = await process.communicate()
    assert [answer.split()[1] for answer in answers] == [b"404", b"404", b"415", b"400"]
    assert b"s3cr3t" not in said


async def _ask(port: int, line: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"Host: 127.0.0.1:{port}\r\nCookie: acp-connect=s3cr3t-cookie\r\nConnection: close"
    writer.write(f"{line}\r\n{head}\r\n\r\n".encode())
    answer = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return answer
