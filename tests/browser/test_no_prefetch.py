"""Nothing reaches a link's host before the user consented, and only the new tab does after it.

The hosts have names that this browser alone can resolve, to an address that nothing else on this
machine uses, and one that it would have to ask the system for. Three witnesses: the host itself;
the record of every packet that leaves (where the user may capture); and Chromium's own log, which
has every lookup, prefetch and connection by name. `test_harness` shows that they see each of these.
"""

from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.browser.chat import WebChat, button, web_chat
from tests.browser.chromium import eager_chromium
from tests.browser.net_log import NetLog
from tests.browser.visit import watching
from tests.network.packets import Packets, captured_packets
from tests.network.trap import Trap, listening_trap

LINK, SAID, UNKNOWN = "link-host.example", "said-host.example", "unknown-host.invalid"


def is_untouched(trap: Trap, packets: Packets | None) -> bool:
    """Whether nothing has knocked at the hosts, and nobody was asked for their names."""
    if packets is not None and (
        packets.connections_to(trap.address, trap.port)
        or any(packets.questions_for(host) for host in (LINK, SAID, UNKNOWN))
    ):
        return False
    return trap.connections == 0


async def look_around(page: Page, host: str) -> None:
    """Do whatever a person may do with a question before they answer it."""
    texts = page.get_by_text(host)
    await texts.first.wait_for()
    for text in await texts.all():
        await text.hover()
        await text.click()
        await text.click(button="right")
    for _ in range(10):
        await page.keyboard.press("Tab")
    await page.reload(wait_until="networkidle")
    await texts.first.wait_for()


async def refuse(chat: WebChat, page: Page, trap: Trap) -> None:
    """Ask in every way that names a host, look at it, and say no."""
    where = f"http://{SAID}:{trap.port}/"
    chat.agent.order("say", text=f"See {where} and <link rel=prefetch href={where}>.\n")
    described = {"a": {"type": "string", "title": where, "description": where, "default": where}}
    asked = chat.agent.form(f"Do you know {where}?", described)
    await look_around(page, SAID)
    await button(page, "submit").click()
    assert (await asked.result())["content"] == {"a": where}
    asked = chat.agent.link(f"Please connect, see {where}.", f"https://{UNKNOWN}/connect")
    await look_around(page, UNKNOWN)
    await button(page, "decline").click()
    assert await asked.result() == {"action": "decline"}


@pytest.mark.requirement("URL-10", "URL-11", "FORM-8")
async def test_only_the_tab_that_the_user_agreed_to_reaches_the_host(tmp_path: Path) -> None:
    async with web_chat() as chat, listening_trap() as trap:
        url = f"http://{LINK}:{trap.port}/connect?state=1"
        hosts = {LINK: trap.address, SAID: trap.address}
        with captured_packets() as packets:
            async with eager_chromium(tmp_path, hosts=hosts, looked_up=[UNKNOWN]) as context:
                visit = await watching(context)
                page = await visit.open(chat.address)
                await refuse(chat, page, trap)
                asked = chat.agent.link("Please connect.", url)
                await look_around(page, LINK)
                assert is_untouched(trap, packets)
                assert not [request for request in visit.requested if trap.address in request]

                async with context.expect_page() as opened:
                    await button(page, "open").click()
                await (await opened.value).wait_for_url(url)
                assert await asked.result() == {"action": "accept"}
                await page.wait_for_load_state("networkidle")
            assert trap.requests == ["GET /connect?state=1 HTTP/1.1"]
            assert {"purpose", "referer", "sec-purpose"}.isdisjoint(trap.headers[0])
            if packets is not None:
                assert packets.connections_to(trap.address, trap.port) == trap.connections
                assert not any(packets.questions_for(host) for host in (LINK, SAID, UNKNOWN))
    log = NetLog(tmp_path / "net.json")
    assert log.requests_to(LINK) == [url]
    assert log.dealt_with(SAID) == set()
    assert log.dealt_with(UNKNOWN) == set()
