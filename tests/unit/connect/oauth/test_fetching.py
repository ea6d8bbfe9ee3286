"""Asking a provider: every answer is bounded, and none of them leads elsewhere."""

import asyncio
import contextlib
import gzip
import logging
import ssl
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from acp_elicitation.connect.errors import ProviderDown, ProviderFault
from acp_elicitation.connect.oauth import fetching as fetching_module
from acp_elicitation.connect.oauth.fetching import MOST_BYTES, Fetched, Fetching, provider_http
from tests.openid.strict import StrictProvider, strict_provider
from tests.serving import answer, serving

PLACE = "/.well-known/openid-configuration"
PUBLIC, PRIVATE = "93.184.215.14", "10.0.0.1"


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with provider_http() as http:
        yield http


@pytest.fixture
async def provider() -> AsyncIterator[StrictProvider]:
    async with strict_provider() as provider:
        yield provider


def fetching(http: httpx2.AsyncClient, **settings: Any) -> Fetching:
    return Fetching(http, provider="hub", **{"local": True, **settings})


class Network:
    """What is sent into the network, seen where it would leave; names have the given addresses."""

    def __init__(
        self,
        *addresses: str | OSError,
        answer: bytes = b"{}",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.addresses = list(addresses)
        self.answer = answer
        self.headers = headers
        self.asked: list[tuple[str, int]] = []
        self.sent: list[httpx2.Request] = []

    async def look_up(self, host: str, port: int) -> list[str]:
        self.asked.append((host, port))
        found = self.addresses.pop(0)
        if isinstance(found, OSError):
            raise found
        return found.split()

    def send(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(request)
        stream = httpx2.ByteStream(self.answer)
        return httpx2.Response(200, stream=stream, headers=self.headers)

    def fetching(self, **settings: Any) -> Fetching:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(self.send))
        return fetching(http, **{"local": False, "look_up": self.look_up, **settings})


async def test_an_answer_is_its_status_and_its_json(
    http: httpx2.AsyncClient, provider: StrictProvider
) -> None:
    found = await fetching(http).get(f"{provider.issuer}{PLACE}")
    assert found.status == 200
    assert found.body is not None
    assert found.body["issuer"] == provider.issuer
    refused = await fetching(http).post(f"{provider.issuer}/token", {"a": "b"})
    assert (refused.status, refused.body) == (
        401,
        {
            "error": "invalid_client",
            "error_description": "not the way this client proves itself",
        },
    )


@pytest.mark.parametrize("how", ["garbage", "list", "html"])
async def test_what_is_no_json_object_has_no_body(
    http: httpx2.AsyncClient, provider: StrictProvider, how: str
) -> None:
    provider.faults.add(f"metadata-{how}")
    assert (await fetching(http).get(f"{provider.issuer}{PLACE}")).body is None


async def test_json_that_is_nested_without_end_is_none() -> None:
    network = Network(answer=b'{"a":' * 100_000)
    found = await network.fetching(trusted=["a.example"]).get("https://a.example/")
    assert found.body is None


@pytest.mark.parametrize("how", ["down", "broken", "cut"])
async def test_a_provider_that_cannot_answer_is_down(
    http: httpx2.AsyncClient, provider: StrictProvider, how: str
) -> None:
    provider.faults.add(f"metadata-{how}")
    with pytest.raises(ProviderDown) as caught:
        await fetching(http).get(f"{provider.issuer}{PLACE}")
    assert "secret-of-a-trace" not in str(caught.value)


@pytest.mark.parametrize("how", ["silent", "endless"])
async def test_a_provider_that_takes_too_long_is_down(
    http: httpx2.AsyncClient, provider: StrictProvider, how: str
) -> None:
    provider.faults.add(f"metadata-{how}")
    with pytest.raises(ProviderDown, match="TimeoutError"):
        await fetching(http, patience=0.1).get(f"{provider.issuer}{PLACE}")


async def test_a_client_that_was_closed_reaches_nobody(provider: StrictProvider) -> None:
    async with provider_http() as http:
        asking = fetching(http)
    with pytest.raises(ProviderDown, match="was closed"):
        await asking.get(f"{provider.issuer}{PLACE}")


async def test_a_provider_that_nobody_runs_is_down(http: httpx2.AsyncClient) -> None:
    async with strict_provider() as provider:
        pass
    with pytest.raises(ProviderDown, match="ConnectError"):
        await fetching(http).get(f"{provider.issuer}{PLACE}")


async def test_a_redirect_is_not_followed(
    http: httpx2.AsyncClient, provider: StrictProvider
) -> None:
    provider.faults.add("metadata-moved")
    with pytest.raises(ProviderFault, match="elsewhere"):
        await fetching(http).get(f"{provider.issuer}{PLACE}")
    assert "/moved" not in provider.visits


async def test_the_client_follows_no_redirect_whoever_sends_with_it(
    http: httpx2.AsyncClient, provider: StrictProvider
) -> None:
    provider.faults.add("metadata-moved")
    assert (await http.get(f"{provider.issuer}{PLACE}")).is_redirect
    assert "/moved" not in provider.visits


async def test_a_client_that_follows_redirects_does_not_here(provider: StrictProvider) -> None:
    provider.faults.add("metadata-moved")
    async with httpx2.AsyncClient(follow_redirects=True) as http:
        with pytest.raises(ProviderFault, match="elsewhere"):
            await fetching(http).get(f"{provider.issuer}{PLACE}")
    assert "/moved" not in provider.visits


async def test_an_answer_without_end_is_not_read_to_its_end(
    http: httpx2.AsyncClient, provider: StrictProvider
) -> None:
    provider.faults.add("metadata-huge")
    with pytest.raises(ProviderFault, match="larger"):
        await fetching(http).get(f"{provider.issuer}{PLACE}")


async def test_an_answer_that_is_packed_is_not_unpacked() -> None:
    packed = gzip.compress(b'{"a":"' + b"a" * 10 * MOST_BYTES + b'"}')
    network = Network(answer=packed, headers={"content-encoding": "gzip"})
    with pytest.raises(ProviderFault, match="packed"):
        await network.fetching(trusted=["a.example"]).get("https://a.example/")
    assert network.sent[0].headers["accept-encoding"] == "identity"


async def test_a_provider_s_own_host_may_be_anywhere() -> None:
    network = Network()
    await network.fetching(trusted=["idp.example"]).get("https://idp.example/token")
    assert (network.asked, network.sent[0].url.host) == ([], "idp.example")


async def test_another_host_is_reached_at_the_address_that_was_looked_at() -> None:
    network = Network(PUBLIC)
    await network.fetching(trusted=["idp.example"]).post("https://API.example:8443/token", {})
    request = network.sent[0]
    assert network.asked == [("api.example", 8443)]
    assert (request.url.host, request.url.port) == (PUBLIC, 8443)
    assert request.headers["host"] == "api.example:8443"
    assert request.extensions["sni_hostname"] == "api.example"
    assert request.headers["connection"] == "close"


@pytest.mark.parametrize("addresses", [PRIVATE, "127.0.0.1", "::1", f"{PUBLIC} {PRIVATE}", ""])
async def test_another_host_in_a_private_network_is_not_asked(addresses: str) -> None:
    network = Network(addresses)
    with pytest.raises(ProviderFault, match="private network"):
        await network.fetching(trusted=["idp.example"]).get("https://api.example/")
    assert network.sent == []


async def test_a_host_whose_address_changes_after_it_was_looked_at_is_not_asked_again() -> None:
    network = Network(PUBLIC, "169.254.169.254")
    asking = network.fetching()
    await asking.get("https://api.example/")
    with pytest.raises(ProviderFault, match="private network"):
        await asking.get("https://api.example/")
    assert [request.url.host for request in network.sent] == [PUBLIC]


async def test_a_host_without_an_address_is_down() -> None:
    with pytest.raises(ProviderDown, match="no address"):
        await Network(OSError("secret")).fetching().get("https://api.example/")


@pytest.mark.parametrize(("host", "local"), [("127.0.0.1", False), ("192.168.0.1", True)])
async def test_an_address_in_the_place_of_a_name_is_looked_at_too(host: str, local: bool) -> None:
    async with provider_http() as http:
        with pytest.raises(ProviderFault, match="private network"):
            await fetching(http, local=local).get(f"https://{host}/")


@contextlib.asynccontextmanager
async def tls_server(name: str, folder: Path) -> AsyncIterator[tuple[int, ssl.SSLContext]]:
    """Serve `{}` by TLS with a certificate for `name`, and yield what trusts that certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public = certificate.public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "pem").write_bytes(public + private)
    own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.load_cert_chain(folder / "pem")

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await answer(writer, b"{}")

    async with serving(handle, tls=own) as port:
        yield port, ssl.create_default_context(cadata=public.decode())


@pytest.mark.parametrize(("name", "status"), [("api.example", 200), ("evil.example", None)])
async def test_the_certificate_has_to_be_for_the_name_and_not_for_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, status: int | None
) -> None:
    monkeypatch.setattr(fetching_module, "is_public", lambda address: address == "127.0.0.1")
    network = Network("127.0.0.1")
    async with (
        tls_server(name, tmp_path) as (port, trusting),
        httpx2.AsyncClient(verify=trusting, trust_env=False) as http,
    ):
        asking = fetching(http, local=False, look_up=network.look_up)
        if status is None:
            with pytest.raises(ProviderDown):
                await asking.get(f"https://api.example:{port}/")
        else:
            assert (await asking.get(f"https://api.example:{port}/")).status == status


async def test_cookies_of_one_user_s_answer_are_not_sent_with_another_s() -> None:
    network = Network(headers={"set-cookie": "session=ada; Path=/"})
    async with provider_http() as http:
        http._transport = httpx2.MockTransport(network.send)
        for _ in range(2):
            await fetching(http, trusted=["a.example"]).get("https://a.example/")
    assert ["cookie" in request.headers for request in network.sent] == [False, False]


async def test_no_address_and_no_header_gets_into_the_log(
    http: httpx2.AsyncClient, provider: StrictProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await fetching(http).get(f"{provider.issuer}/userinfo?code=private", bearer="private")
    assert not [record for record in caplog.records if record.name.startswith("http")]
    assert "private" not in caplog.text


def test_an_answer_shows_nothing_of_its_body() -> None:
    assert repr(Fetched(200, {"access_token": "private"})) == "<Fetched 200>"


async def test_an_endpoint_is_checked_by_its_name(http: httpx2.AsyncClient) -> None:
    assert fetching(http).check_endpoint("jwks_uri", "https://a.example/") == "https://a.example/"
    with pytest.raises(ProviderFault, match="its jwks_uri is not https"):
        fetching(http).check_endpoint("jwks_uri", "http://a.example/")
