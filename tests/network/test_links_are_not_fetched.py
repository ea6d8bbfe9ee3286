"""Nothing reaches a link's host before the user consented, and only the browser does after it.

Three witnesses, of which each sees what the others cannot: the host itself, which answers on an
address of this machine that nothing else uses; the record of every packet that leaves (where the
user may capture); and CPython's report of every connection and lookup of the process. Together
they would see a fetch, a bare connection, and a lookup of the name alone. The browser is a stand-in
here, so that its own requests can be told apart; `tests/browser` has a real one.
"""

import os
import sys
from pathlib import Path
from time import monotonic

import pytest

from tests.network.packets import Packets, captured_packets
from tests.network.trap import Trap, listening_trap
from tests.terminal.program import on_a_terminal
from tests.terminal.screen import on_a_screen
from tests.told import told_agent

_FIRST_MOMENTS = 1.0
"""Seconds in which a person reads the question."""
WATCHED = Path(__file__).with_name("watched_command.py")
BROWSER = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"


def knocks(packets: Packets | None, trap: Trap) -> int | None:
    """How often anybody began to connect to the trap; None where nobody may capture."""
    return None if packets is None else packets.connections_to(trap.address, trap.port)


def stand_in_for_a_browser(folder: Path) -> str:
    """A command that asks for the address once, as the first thing that a browser does."""
    script = folder / "browser"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{BROWSER}" "$1"\n')
    script.chmod(0o700)
    return str(script)


@pytest.mark.requirement("URL-10", "URL-1")
@pytest.mark.parametrize("consent", [False, True])
async def test_line_mode_leaves_a_link_alone_until_the_user_consents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, consent: bool
) -> None:
    monkeypatch.setenv("BROWSER", stand_in_for_a_browser(tmp_path))
    record = tmp_path / "record"
    async with told_agent() as agent, listening_trap() as trap:
        with captured_packets() as packets:
            chat = (sys.executable, str(WATCHED), str(record), "chat", "--prompt", "Go.", "--")
            async with on_a_terminal(*chat, *agent.command) as program:
                await agent.turn()
                asked = agent.link("Please connect.", f"http://{trap.address}:{trap.port}/connect")
                await program.expects("yes, decline or cancel> ")
                assert trap.connections == 0
                assert knocks(packets, trap) in (None, 0)
                program.types("yes" if consent else "decline")
                assert await asked.result() == {"action": "accept" if consent else "decline"}
                if consent:
                    await trap.requested()
                    agent.complete()
                agent.order("end")
                assert await program.ends() == 0
            assert trap.requests == (["GET /connect HTTP/1.1"] if consent else [])
            assert trap.connections == len(trap.requests)
            assert knocks(packets, trap) in (None, len(trap.requests))
    assert not record.exists() or trap.address not in record.read_text()


@pytest.mark.requirement("URL-10", "URL-1")
@pytest.mark.parametrize("consent", [False, True])
async def test_a_full_screen_leaves_a_link_alone_until_the_user_consents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, consent: bool
) -> None:
    monkeypatch.setenv("BROWSER", stand_in_for_a_browser(tmp_path))
    record = tmp_path / "record"
    async with told_agent() as agent, listening_trap() as trap:
        with captured_packets() as packets:
            chat = (sys.executable, str(WATCHED), str(record), "chat", "--ui", "tui")
            async with on_a_screen(*chat, "--prompt", "Go.", "--", *agent.command) as screen:
                await agent.turn()
                url = f"http://{trap.address}:{trap.port}/connect"
                asked = agent.link("Please connect.", url)
                await screen.shows(url, "Open in the browser", "Decline ctrl+d")
                # In its first moments it takes no keys: they were meant for what was before.
                begun = monotonic()
                while monotonic() < begun + _FIRST_MOMENTS:
                    await screen.rows()
                assert trap.connections == 0
                assert knocks(packets, trap) in (None, 0)
                await screen.presses(*(("BTab", "Enter") if consent else ("C-d",)))
                assert await asked.result() == {"action": "accept" if consent else "decline"}
                if consent:
                    await trap.requested()
                    agent.complete()
                agent.order("end")
                await screen.shows("The conversation is over.")
            assert trap.requests == (["GET /connect HTTP/1.1"] if consent else [])
            assert trap.connections == len(trap.requests)
            assert knocks(packets, trap) in (None, len(trap.requests))
    assert not record.exists() or trap.address not in record.read_text()


@pytest.mark.requirement("URL-10")
async def test_the_witnesses_see_a_connection_and_a_lookup(tmp_path: Path) -> None:
    record = tmp_path / "record"
    program = f"""
import socket, sys
sys.path.insert(0, {str(WATCHED.parents[2])!r})
from tests.network.watched_command import watch
watch({str(record)!r})
try:
    socket.getaddrinfo("a-host.invalid", 443)
except OSError:
    pass
question = b"\\x06a-host\\x07invalid\\x00\\x00\\x01\\x00\\x01"  # as a query has it
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(question, (sys.argv[1], 53))
socket.create_connection((sys.argv[1], int(sys.argv[2])))
"""
    async with listening_trap() as trap:
        with captured_packets() as packets:
            place = (trap.address, str(trap.port))
            async with on_a_terminal(sys.executable, "-c", program, *place) as running:
                assert await running.ends() == 0, running.output
            assert trap.connections == 1
            if packets is None:
                assert os.geteuid() != 0
            else:
                assert knocks(packets, trap) == 1
                assert packets.questions_for("a-host.invalid") > 0
    written = record.read_text()
    assert "socket.getaddrinfo ('a-host.invalid', 443" in written
    assert f"socket.connect (('{trap.address}'" in written
