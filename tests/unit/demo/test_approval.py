"""The page behind the demo's link, asked for by a real HTTP client."""

import asyncio
import http.client
from urllib.parse import urlsplit

import pytest

from acp_elicitation.demo.approval import ApprovalPage


def ask(method: str, url: str) -> tuple[int, str]:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
    connection.request(method, address.path)
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, body


class Approvals:
    def __init__(self) -> None:
        self.count = 0

    def add(self) -> None:
        self.count += 1


@pytest.mark.requirement("URL-10")
async def test_opening_the_page_approves_nothing_and_its_button_approves_once() -> None:
    approvals = Approvals()
    async with ApprovalPage(approvals.add) as page:
        status, body = await asyncio.to_thread(ask, "GET", page.url)
        assert (status, approvals.count) == (200, 0)
        assert '<form method="post"><button' in body
        for _ in range(2):
            status, body = await asyncio.to_thread(ask, "POST", page.url)
            assert (status, approvals.count) == (200, 1)
        assert "go back to the terminal" in body
        assert "Approved" in (await asyncio.to_thread(ask, "GET", page.url))[1]


async def test_whoever_does_not_hold_the_link_finds_nothing() -> None:
    approvals = Approvals()
    async with ApprovalPage(approvals.add) as page:
        root = page.url.partition("/connect")[0]
        for path in ("/", "/connect/", "/connect/guess"):
            assert (await asyncio.to_thread(ask, "POST", root + path))[0] == 404
        assert (await asyncio.to_thread(ask, "PUT", page.url))[0] == 405
    assert approvals.count == 0


async def test_each_page_has_an_address_of_its_own_on_this_machine_only() -> None:
    async with ApprovalPage(lambda: None) as one, ApprovalPage(lambda: None) as other:
        assert urlsplit(one.url).path != urlsplit(other.url).path
        assert urlsplit(one.url).hostname == "127.0.0.1"


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"x" * 40_000])
async def test_what_is_no_request_gets_no_answer(sent: bytes) -> None:
    async with ApprovalPage(lambda: None) as page:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(page.url).port)
        writer.write(sent)
        writer.write_eof()
        try:
            received = await reader.read()
        except ConnectionResetError:  # it was closed with much of it unread
            received = b""
        assert received == b""
        writer.close()


async def test_the_page_is_gone_after_its_block() -> None:
    async with ApprovalPage(lambda: None) as page:
        url = page.url
    with pytest.raises(ConnectionRefusedError):
        await asyncio.to_thread(ask, "GET", url)
