"""Who counts as the user of this machine, over real sockets: each way to be another is refused."""

import base64
import os
import socket
import sys
from pathlib import Path

import httpx2
import pytest

from acp_elicitation.connect.errors import NotSafeHere
from acp_elicitation.connect.identities.local import LocalUser, local_identity
from acp_elicitation.connect.sealing import Sealer, new_key
from tests.unit.connect.identities.asked import BEGUN, LINK, asked, send, served

pytestmark = pytest.mark.requirement("URL-13")

ME = local_identity()
STRANGER = "NotKnown"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the users of sockets")


def browser(user: LocalUser, link: object = LINK, client: str = "127.0.0.1") -> httpx2.AsyncClient:
    """A browser that a server believes to be at `client`; it keeps cookies."""
    assert link in (LINK, BEGUN)
    transport = httpx2.ASGITransport(
        asked(user, BEGUN if link is BEGUN else LINK), client=(client, 40_000)
    )
    return httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000")


def unseeing(folder: Path, sealer: Sealer | None = None) -> LocalUser:
    """On a system that does not tell the users of sockets."""
    return LocalUser(proc=folder / "none", sealer=sealer, clock=lambda: 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_a_browser_of_the_agents_own_user_is_the_user(host: str) -> None:
    async with served(asked(LocalUser()), host) as url:
        assert await send(url) == ME


async def test_a_server_for_both_families_knows_its_user_too() -> None:
    async with served(asked(LocalUser()), "::ffff:127.0.0.1") as url:
        assert await send(url.replace("[::ffff:127.0.0.1]", "127.0.0.1")) == ME


@linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="takes root")
async def test_a_browser_of_another_user_of_the_machine_is_refused() -> None:
    os.seteuid(65_534)
    try:
        theirs = socket.socket()
    finally:
        os.seteuid(0)
    async with served(asked(LocalUser())) as url:
        assert await send(url, by=theirs) == STRANGER


@linux
async def test_the_agent_may_run_as_another_user_than_the_one_it_is_for() -> None:
    own = os.getuid()
    async with served(asked(LocalUser(uid=own + 1))) as url:
        assert await send(url) == STRANGER
    assert local_identity(own) == f"local:{own}" == ME


@linux
async def test_a_browser_whose_socket_is_not_listed_is_refused() -> None:
    async with browser(LocalUser()) as http:  # it has no socket at all
        assert (await http.get("/")).text == STRANGER


async def test_a_header_cannot_lend_a_browser_the_socket_of_another() -> None:
    """uvicorn believes `X-Forwarded-For` from 127.0.0.1, with the port that it names."""
    async with served(asked(LocalUser())) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as users_own:
            own = f"127.0.0.1:{users_own.getsockname()[1]}"
            assert await send(url, x_forwarded_for=own) == STRANGER


@pytest.mark.parametrize(
    "name", ["forwarded", "x-forwarded-host", "x-real-ip", "via", "cf-connecting-ip"]
)
async def test_what_comes_through_a_proxy_or_a_tunnel_is_refused(tmp_path: Path, name: str) -> None:
    async with browser(unseeing(tmp_path)) as http:
        assert (await http.get("/")).text == ME
        assert (await http.get("/", headers={name: "somebody"})).text == STRANGER


@pytest.mark.parametrize("client", ["192.0.2.7", "2001:db8::7", "testclient"])
async def test_what_comes_from_another_machine_is_refused(tmp_path: Path, client: str) -> None:
    async with browser(unseeing(tmp_path), client=client) as http:
        assert (await http.get("/")).text == STRANGER


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil.example:8000", "[", "", "localhost@x.y"],
)
async def test_a_name_of_a_strangers_that_leads_here_is_refused(tmp_path: Path, host: str) -> None:
    async with browser(unseeing(tmp_path)) as http:
        assert (await http.get("/", headers={"host": host})).text == STRANGER
        assert (await http.get("/", headers={"host": "localhost:8000"})).text == ME


async def test_two_hosts_are_refused(tmp_path: Path) -> None:
    async with browser(unseeing(tmp_path)) as http:
        twice = [("host", "127.0.0.1"), ("host", "evil.example")]
        assert (await http.get("/", headers=twice)).text == STRANGER


async def test_a_link_that_one_browser_began_is_refused_to_every_other(tmp_path: Path) -> None:
    sealer = Sealer([new_key()])
    async with browser(unseeing(tmp_path, sealer)) as first:
        assert (await first.post("/")).text == ME
        kept = first.cookies
    began = unseeing(tmp_path, sealer)  # in another worker, or after a restart
    async with browser(began, BEGUN) as first, browser(began, BEGUN) as second:
        first.cookies = kept
        assert (await first.get("/")).text == ME
        assert (await second.get("/")).text == STRANGER
        assert (await second.post("/")).text == STRANGER
        assert not second.cookies


async def test_a_get_binds_nobody_so_that_a_prefetch_locks_nobody_out(tmp_path: Path) -> None:
    user = unseeing(tmp_path)
    async with browser(user) as prefetching, browser(user) as own:
        assert (await prefetching.get("/")).text == ME
        assert not prefetching.cookies
        assert (await own.post("/")).text == ME
        assert own.cookies


@pytest.mark.parametrize("forged", ["", "x", "AAAA", "é", "A" * 60])
async def test_a_cookie_that_was_not_given_here_opens_nothing(tmp_path: Path, forged: str) -> None:
    user = unseeing(tmp_path)
    async with browser(user) as own:
        (name,) = (await own.post("/")).cookies
    async with browser(user, BEGUN) as other:
        sent = {b"cookie": f"{name}={forged}".encode()}
        assert (await other.get("/", headers=sent)).text == STRANGER


async def test_the_cookie_of_one_link_opens_no_other(tmp_path: Path) -> None:
    sealer = Sealer([new_key()])
    user = unseeing(tmp_path, sealer)
    async with browser(user) as own:
        (name,) = (await own.post("/")).cookies
        value = sealer.seal(b"", "local", "another-link")
    async with browser(user, BEGUN) as other:
        sent = {"cookie": f"{name}={base64.urlsafe_b64encode(value).decode()}"}
        assert (await other.get("/", headers=sent)).text == STRANGER


async def test_the_cookie_is_for_this_service_alone_and_no_script(tmp_path: Path) -> None:
    async with browser(unseeing(tmp_path)) as own:
        given = (await own.post("/")).headers["set-cookie"].lower()
    assert "httponly" in given
    assert "samesite=lax" in given
    assert "max-age=86460" in given


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "agent.example", ""])
def test_it_is_not_served_where_others_reach_it(host: str) -> None:
    with pytest.raises(NotSafeHere, match=r"127\.0\.0\.1"):
        LocalUser().check_address(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_it_is_served_on_this_machine(host: str) -> None:
    LocalUser().check_address(host)
    assert list(LocalUser().routes("")) == []
