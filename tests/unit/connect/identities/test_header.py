"""When the header of a proxy is believed, and every way in which it is not."""

import httpx2
import pytest

from acp_elicitation.connect.errors import NotSafeHere
from acp_elicitation.connect.identities.header import HeaderIdentity
from acp_elicitation.connect.secret import Secret
from acp_elicitation.stores.records import Identity
from tests.unit.connect.identities.asked import LINK, asked, send, served

pytestmark = pytest.mark.requirement("URL-13")

PROXY = "10.0.0.7"
SECRET = Secret("what only the proxy knows")
NOBODY = "NotKnown"


async def ask(
    identity: HeaderIdentity, *headers: tuple[str, str | bytes], client: str = PROXY
) -> str:
    transport = httpx2.ASGITransport(asked(identity), client=(client, 40_000))
    async with httpx2.AsyncClient(transport=transport, base_url="https://agent.example") as http:
        raw = [(n.encode(), v if isinstance(v, bytes) else v.encode()) for n, v in headers]
        return (await http.get("/", headers=raw)).text


def proxied(**options: object) -> HeaderIdentity:
    return HeaderIdentity(**{"trusted": ["10.0.0.0/24", "::1"], **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["ada", "CN=Ada, O=Example", "ada@example.org", "Ádám 王"])
async def test_the_user_is_who_the_proxy_names(name: str) -> None:
    assert await ask(proxied(), ("X-Remote-User", name)) == name
    assert await ask(proxied(header="Remote-User"), ("remote-user", f" {name} ")) == name


@pytest.mark.parametrize("client", ["10.0.1.7", "127.0.0.1", "192.0.2.1", "::2", "testclient"])
async def test_who_does_not_come_from_the_proxy_names_nobody(client: str) -> None:
    assert await ask(proxied(), ("X-Remote-User", "ada"), client=client) == NOBODY


@pytest.mark.parametrize("client", ["10.0.0.1", "::ffff:10.0.0.255", "::1"])
async def test_a_proxy_is_known_by_its_address_however_it_is_written(client: str) -> None:
    assert await ask(proxied(), ("X-Remote-User", "ada"), client=client) == "ada"


async def test_an_address_that_a_header_claims_is_not_the_proxys() -> None:
    """As uvicorn sees it where it is told to believe everybody."""
    claimed = ("X-Forwarded-For", f"{PROXY}:40000")
    assert await ask(proxied(), ("X-Remote-User", "ada"), claimed) == NOBODY
    passed_on = ("X-Forwarded-For", "198.51.100.9")
    assert await ask(proxied(), ("X-Remote-User", "ada"), passed_on) == "ada"


async def test_a_server_that_believes_headers_lets_no_stranger_be_the_proxy() -> None:
    async with served(asked(proxied(trusted=[PROXY]))) as url:
        assert await send(url, x_remote_user="ada", x_forwarded_for=PROXY) == NOBODY
        assert await send(url, x_remote_user="ada", x_forwarded_for=f"{PROXY}:5") == NOBODY


async def test_of_two_headers_neither_is_believed() -> None:
    both = [("X-Remote-User", "eve"), ("x-remote-user", "ada")]
    assert await ask(proxied(), *both) == NOBODY
    assert await ask(proxied(), *reversed(both)) == NOBODY


@pytest.mark.parametrize(
    "value",
    ["", " ", "\t", b"\xff\xfe", "a\u202eb", "a\x7fb", "a" * 1025, "\u200b", "ada\u00a0",
     "\u3000ada", "ada\u2028"],
)  # fmt: skip
async def test_a_name_that_is_none_is_nobodys(value: str | bytes) -> None:
    assert await ask(proxied(), ("X-Remote-User", value)) == NOBODY
    assert await ask(proxied()) == NOBODY


async def test_with_a_secret_the_address_is_not_enough() -> None:
    identity, user = proxied(secret=SECRET), ("X-Remote-User", "ada")
    proof = ("X-Proxy-Secret", SECRET.reveal())
    assert await ask(identity, user, proof) == "ada"
    assert await ask(identity, user) == NOBODY
    assert await ask(identity, user, ("X-Proxy-Secret", "guess")) == NOBODY
    assert await ask(identity, user, ("X-Proxy-Secret", "guess"), proof) == NOBODY
    assert await ask(identity, user, proof, client="192.0.2.1") == NOBODY


async def test_a_link_is_the_users_that_it_was_made_for_and_nothing_is_remembered() -> None:
    transport = httpx2.ASGITransport(asked(proxied()), client=(PROXY, 40_000))
    async with httpx2.AsyncClient(transport=transport, base_url="https://agent.example") as http:
        answer = await http.post("/", headers={"x-remote-user": "ada"})
    assert Identity(answer.text) == LINK.identity
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("everybody", ["0.0.0.0/0", "::/0"])
def test_everybody_is_trusted_only_with_a_secret_or_on_this_machine(everybody: str) -> None:
    with pytest.raises(NotSafeHere, match="every address"):
        proxied(trusted=[everybody]).check_address("agent.example")
    proxied(trusted=[everybody]).check_address("127.0.0.1")
    proxied(trusted=[everybody], secret=SECRET).check_address("agent.example")
    proxied().check_address("agent.example")
    assert list(proxied().routes("")) == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"header": "X Remote"}, "header"),
        ({"header": ""}, "header"),
        ({"secret_header": "a:b"}, "header"),
        ({"trusted": []}, "trusted"),
        ({"trusted": ["proxy.example"]}, "proxy"),
        ({"trusted": ["10.0.0.7/24"]}, "host bits"),
        ({"secret": Secret("")}, "secret"),
    ],
)
def test_what_would_not_hold_is_refused_at_once(options: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        proxied(**options)
