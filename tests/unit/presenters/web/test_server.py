"""The life of the server, and what it does to the program that it runs in."""

import asyncio
import signal
import socket
from urllib.parse import urlsplit

import pytest

from acp_elicitation.presenters.web import server
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.server import serving
from acp_elicitation.text.html import Html
from tests.web_client import Client

_AT_ONCE = 2.0


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert isinstance(port, int)
        return port


async def test_the_page_is_served_on_this_machine_alone() -> None:
    presenter = WebPresenter()
    async with serving(presenter) as address:
        parts = urlsplit(address)
        assert (parts.scheme, parts.hostname) == ("http", "127.0.0.1")
        assert parts.path == f"/{presenter.desk.secret}/"
        assert (await Client(address).get()).status == 200
        with pytest.raises(OSError), socket.create_connection(("::1", parts.port or 0), 1):
            pass


async def test_no_answer_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nagle's algorithm would have each wait for the browser's delayed word that it listens."""
    held_back: list[bool] = []

    class Protocol(server._Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            connection = transport.get_extra_info("socket")
            held_back.append(not connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            super().connection_made(transport)

    monkeypatch.setattr(server, "_Protocol", Protocol)
    async with serving(WebPresenter()) as address:
        assert (await Client(address).get()).status == 200
    assert held_back == [False]


async def test_a_port_can_be_chosen_and_is_free_again_afterwards() -> None:
    port = free_port()
    for _ in range(2):
        async with serving(WebPresenter(), port=port) as address:
            assert urlsplit(address).port == port
            assert (await Client(address).get()).status == 200


async def test_a_port_that_is_taken_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OSError):
            async with serving(WebPresenter(), port=taken.getsockname()[1]):
                pass


async def test_nobody_is_served_after_the_end() -> None:
    async with serving(WebPresenter()) as address:
        pass
    with pytest.raises(ConnectionError):
        await Client(address).get()


async def test_open_pages_do_not_hold_up_the_end() -> None:
    presenter = WebPresenter()
    loop = asyncio.get_running_loop()
    async with serving(presenter) as address:
        client = Client(address)
        await client.get()
        idle, writer = await asyncio.open_connection("127.0.0.1", urlsplit(address).port)
        opened = [client.listening(after=0) for _ in range(4)]
        tabs = [await tab.__aenter__() for tab in opened]
        for tab in tabs:
            assert await tab.block() == "retry: 1000"
        before = loop.time()
    assert loop.time() - before < _AT_ONCE
    assert [await tab.block() for tab in tabs] == ["event: over\ndata:"] * 4
    assert [await tab.block() for tab in tabs] == [""] * 4
    assert await idle.read() == b""
    writer.close()
    for tab_ in opened:
        await tab_.__aexit__(None, None, None)


async def test_a_tab_that_never_reads_does_not_hold_up_anybody() -> None:
    presenter = WebPresenter()
    filler = Html("<p>" + "x" * 100_000 + "</p>")
    presenter.desk.add_region("log", lambda: filler)
    loop = asyncio.get_running_loop()
    async with serving(presenter) as address:
        client = Client(address)
        await client.get()
        async with client.listening(after=0), client.listening(after=0) as reading:
            for _ in range(300):
                presenter.desk.changed("log")
                await asyncio.sleep(0)
            number = 0
            while number < presenter.desk.events.number:
                number, _ = await reading.change()
            before = loop.time()
            assert (await client.get()).status == 200
            assert loop.time() - before < _AT_ONCE
            before = loop.time()
            presenter.desk.events.close()
    assert loop.time() - before < 2 * _AT_ONCE


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: "])
async def test_a_connection_that_brings_no_request_is_closed(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_FIRST_REQUEST", 0.05)
    presenter = WebPresenter()
    async with serving(presenter) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(address).port)
        writer.write(sent)
        async with asyncio.timeout(10):
            assert await reader.read() == b""
        writer.close()
        client = Client(address)
        await client.get()
        async with client.listening(after=0) as tab:  # this one is in use
            assert await tab.block() == "retry: 1000"
            idle = asyncio.ensure_future(tab.block())
            await asyncio.wait([idle], timeout=0.1)
            assert not idle.done()
            presenter.desk.events.close()
            assert await idle == "event: over\ndata:"


async def test_a_tab_that_is_gone_is_forgotten() -> None:
    presenter = WebPresenter()
    presenter.desk.add_region("log", Html)
    async with serving(presenter) as address:
        client = Client(address)
        await client.get()
        for _ in range(100):  # more than the server takes at once
            async with client.listening(after=0) as tab:
                await tab.block()
        assert (await client.get()).status == 200


async def test_signals_are_left_to_the_program() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    async with serving(WebPresenter()):
        during = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert before == during == after


async def test_the_end_of_the_program_ends_the_server() -> None:
    started = asyncio.Event()

    async def serve() -> None:
        async with serving(WebPresenter()) as address:
            assert (await Client(address).get()).status == 200
            started.set()
            await asyncio.Event().wait()

    program = asyncio.create_task(serve())
    await started.wait()
    program.cancel()
    await asyncio.wait([program])
    assert program.cancelled()
    assert len(asyncio.all_tasks()) == 1


async def test_no_secret_and_nothing_of_a_strangers_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    async with serving(WebPresenter()) as address:
        client = Client(address)
        await client.get()
        await client.get("/x")
        assert (await client.raw(b"GET / HTTP/1.1\r\nrubbish\r\n\r\n")).status == 400
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []
    assert urlsplit(address).path.strip("/") not in caplog.text


async def test_no_header_makes_a_stranger_somebody_else() -> None:
    async with serving(WebPresenter()) as address:
        client = Client(address)
        answer = await client.get(
            Host="evil.example", X_Forwarded_Host=client.host, X_Forwarded_For="127.0.0.1",
            Forwarded=f"host={client.host}", X_Original_URL="/", X_HTTP_Method_Override="GET",
        )  # fmt: skip
        assert answer.status == 403
