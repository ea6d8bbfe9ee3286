"""`acp-elicit connect` as a program: serving the pages, and what was granted."""

import asyncio
import base64
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from acp_elicitation.cli.connect.command import run_connect
from acp_elicitation.connect.details import LinkDetails, write_details
from acp_elicitation.connect.identities.local import local_identity
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import ConnectionId
from acp_elicitation.stores.sqlite import sqlite_store
from tests.openid.strict import Client, strict_provider

LINK, CONNECTION = ElicitationId("link-0123456789"), ConnectionId("connection")
COMMAND = Path(sys.executable).with_name("acp-elicit")
KEY = "wk-0123456789abcdef"


class Place:
    """A folder with a store, a key and a providers file."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "links.sqlite3"
        self.providers = folder / "providers.yaml"
        self.providers.write_text("- {name: wiki, kind: secret, title: Wiki}\n")
        self.options = [
            *("--store", f"sqlite:{self.store}"),
            *("--providers", str(self.providers)),
            *("--key-file", str(folder / "key")),
        ]

    async def link(self) -> str:
        async with sqlite_store(self.store) as store:
            details = write_details(LinkDetails(provider="wiki", agent="Coder"))
            await store.create(
                LINK,
                connection=CONNECTION,
                identity=local_identity(),
                lifetime=60,
                details=details,
            )
        return f"/link/{LINK}"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@asynccontextmanager
async def serving(
    place: Place, *options: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    process = await asyncio.create_subprocess_exec(
        COMMAND, "connect", "serve", *place.options, *options,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            yield process, (await process.stdout.readline()).decode().strip()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_secret_is_typed_listed_and_revoked(
    place: Place, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    path = await place.link()
    async with serving(place) as (process, address), httpx2.AsyncClient(trust_env=False) as http:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
        page = await http.get(address + path)
        token = page.text.partition('name="token" value="')[2].partition('"')[0]
        done = await http.post(f"{address}{path}/begin", data={"token": token, "secret": KEY})
        assert done.status_code == 303
        process.send_signal(number)
        async with asyncio.timeout(30):
            assert await process.wait() == 0
    assert await asyncio.to_thread(run_connect, ["list", *place.options]) == 0
    assert capfd.readouterr().out == "wiki\t-\t-\n"
    assert await asyncio.to_thread(run_connect, ["revoke", *place.options, "wiki"]) == 0
    assert await asyncio.to_thread(run_connect, ["list", *place.options]) == 0
    said = capfd.readouterr()
    assert said.out == "Disconnected: wiki\n"
    assert "No account is connected." in said.err
    assert KEY.encode() not in place.store.read_bytes()


@pytest.mark.requirement("URL-13")
@pytest.mark.parametrize(
    ("proxy", "secret", "status"),
    [("127.0.0.1", "proof", 200), ("127.0.0.1", "guess", 403), ("10.0.0.7", "proof", 403)],
)
async def test_a_user_is_who_the_proxy_says_that_was_named(
    place: Place, monkeypatch: pytest.MonkeyPatch, proxy: str, secret: str, status: int
) -> None:
    monkeypatch.setenv("ACP_ELICIT_PROXY_SECRET", "proof")
    path = await place.link()
    async with (
        serving(place, "--identity", "header:X-User", "--proxy", proxy) as (_, address),
        httpx2.AsyncClient(trust_env=False) as http,
    ):
        said = {"x-user": local_identity(), "x-proxy-secret": secret}
        page = await http.get(address + path, headers=said)
    assert page.status_code == status


@pytest.mark.requirement("URL-13")
async def test_users_sign_in_at_one_of_the_providers(place: Place) -> None:
    path = await place.link()
    async with strict_provider(Client(redirect_uris=("http://127.0.0.1/nowhere",))) as provider:
        hub = f"- {{name: hub, kind: oauth, issuer: '{provider.issuer}', client_id: acp}}\n"
        place.providers.write_text(place.providers.read_text() + hub)
        async with (
            serving(place, "--identity", "oidc:hub") as (_, address),
            httpx2.AsyncClient(trust_env=False) as http,
        ):
            away = await http.get(address + path)
    assert away.status_code == 303
    to = httpx2.URL(away.headers["location"])
    assert str(to).startswith(provider.issuer)
    assert to.params["redirect_uri"] == f"{address}/sign-in/callback"
    assert to.params["scope"] == "openid"


@pytest.mark.requirement("URL-13")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "on this machine only"),
        (["--base-url", "https://agent.example"], "on this machine only"),
        (
            ["--base-url", "http://agent.example", "--identity", "header:X-User"],
            "serve it with https",
        ),
        (["--identity", "nobody"], "header:NAME"),
        (["--identity", "oidc:wiki"], "header:NAME"),
        (["--proxy", "10.0.0.7"], "only with --identity header:NAME"),
        (["--identity", "header:X-User", "--proxy", "proxy.example"], "proxy.example"),
        (
            [
                *("--identity", "header:X-User", "--proxy", "0.0.0.0/0"),
                *("--base-url", "https://agent.example"),
            ],
            "every address is trusted",
        ),
    ],
)
def test_what_would_not_be_safe_is_not_served(
    place: Place, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_connect(["serve", *place.options, *options]) in (1, 2)
    assert said in capsys.readouterr().err


def test_what_is_missing_is_said(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place.providers.write_text("- {name: wiki}\n")
    assert run_connect(["list", *place.options]) == 2
    assert "providers.yaml: provider 1" in capsys.readouterr().err
    place.providers.write_text("- {name: wiki, kind: secret}\n")
    (tmp_path / "key").write_text(base64.b64encode(b"k" * 32).decode())
    os.chmod(tmp_path / "key", 0o644)
    assert run_connect(["list", *place.options]) == 1
    assert "chmod 600" in capsys.readouterr().err


def test_nothing_was_granted_for_that_provider(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_connect(["revoke", *place.options, "wiki"]) == 1
    assert capsys.readouterr().err == "No account is connected: wiki\n"


@pytest.mark.parametrize("port", ["65536", "-1", "eighty", "9" * 5000])
def test_a_port_that_is_none_is_refused_with_what_a_port_is(
    place: Place, port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run_connect(["serve", *place.options, f"--port={port}"])
    assert ended.value.code == 2
    assert "--port: a port is a number from 0 to 65535" in capsys.readouterr().err


def test_an_address_that_is_taken_is_named(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run_connect(["serve", *place.options, "--port", str(port)]) == 1
    assert f"127.0.0.1:{port}: Address already in use" in capsys.readouterr().err


async def test_ctrl_c_while_the_store_is_waited_for_ends_without_a_traceback(place: Place) -> None:
    reached = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.set()
        await reader.read()  # till the other end has gone
        writer.close()

    silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        COMMAND, "connect", "serve", *place.options, "--store", f"redis://127.0.0.1:{port}",
        stderr=asyncio.subprocess.PIPE,
        # What runs in the background of a shell is born deaf to it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    async with asyncio.timeout(30):
        await reached.wait()
        process.send_signal(signal.SIGINT)
        _, said = await process.communicate()
        silent.close()
        await silent.wait_closed()
    assert (process.returncode, said) == (130, b"")
