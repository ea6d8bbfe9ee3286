"""`elicitor.connect`, from the question to the grant, with the service and a strict provider."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from msgspec.structs import replace

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.serve import Agent, AgentConnection
from acp_elicitation.agent.turn import Turn
from acp_elicitation.connect.asking import AccountConnecting
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.details import read_details
from acp_elicitation.connect.errors import ConnectFailed, CredentialLeak, NoGrant, ProviderDenied
from acp_elicitation.connect.oauth.client import OAuthClient
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.providers import OAuthProvider, Provider, SecretEntry, by_name
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.connect.secret import Secret
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import (
    AnswerTimeout,
    ConnectionLost,
    InvalidQuestion,
    ModeNotAdvertised,
    NotAccepted,
    NotPossible,
)
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.wire.connection import Connection, IncomingRequest
from acp_elicitation.wire.sockets import open_pair
from tests.connecting import ADA, BASE, BOB, LINK, Browser, Running, clients_made_by, running
from tests.openid.strict import Client as Registered
from tests.openid.strict import StrictProvider, strict_provider, visit

WIKI = SecretEntry(name="wiki", title="The Wiki")
KEY = "wk-0123456789abcdef"


class Person:
    """A client whose user answers each link with `action`, and is at the page in `at_page`."""

    def __init__(self, action: str = "accept") -> None:
        self.action = action
        self.asked: list[JsonObject] = []
        self.at_page: asyncio.Queue[str] = asyncio.Queue()
        self.told: asyncio.Queue[JsonObject] = asyncio.Queue()

    async def request(self, method: str, params: JsonObject) -> object:
        self.asked.append(params)
        self.at_page.put_nowait(str(params["url"]))
        return {"action": self.action}

    def notify(self, method: str, params: JsonObject) -> None:
        if method == "elicitation/complete":
            self.told.put_nowait(params)


class Here:
    """An agent, its client and its connect service."""

    def __init__(self, run: Running, connecting: AccountConnecting, person: Person) -> None:
        self.run = run
        self.connecting = connecting
        self.person = person
        self.elicitor = Elicitor(person, capabilities=Capabilities(url=True))
        connecting.attach(self.elicitor)
        self.browser = Browser(run.service)

    async def page(self) -> httpx2.Response:
        async with asyncio.timeout(10):
            return await self.browser.open(await self.person.at_page.get())

    async def end(self) -> str:
        """How the link ended that was asked for last."""
        return await self.end_of(self.person.asked[-1])

    async def end_of(self, asked: JsonObject) -> str:
        link_id = ElicitationId(str(asked["elicitationId"]))
        connection = (await self.run.store.read(link_id)).connection
        async with asyncio.timeout(10):
            return (await self.run.store.wait(link_id, connection=connection)).state.name


@asynccontextmanager
async def connected(
    folder: Path,
    *providers: Provider,
    action: str = "accept",
    http: httpx2.AsyncClient | None = None,
    lifetime: float = 600.0,
) -> AsyncIterator[Here]:
    async with running(folder, providers) as run:
        connecting = AccountConnecting(
            run.store, run.vault, by_name(providers), base_url=BASE, identity=ADA, agent="Coder",
            http=http, lifetime=lifetime,
        )  # fmt: skip
        try:
            yield Here(run, connecting, Person(action))
        finally:
            await connecting.aclose()


@pytest.mark.requirement("URL-2", "URL-5", "URL-9", "URL-14")
async def test_the_agent_gets_a_grant_and_never_the_secret(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI) as here:
        asking = asyncio.create_task(
            here.elicitor.connect("wiki", purpose="To read it.", session="s")
        )
        page = await here.page()
        assert "To read it." in page.text
        assert (await here.browser.answer(page, secret=KEY)).status_code == 303
        assert await asking == Grant(provider="wiki")
        [asked] = here.person.asked
        assert asked["message"] == "Connect your account: The Wiki.\nTo read it."
        assert asked["url"] == f"{BASE}/link/{asked['elicitationId']}"
        told = await here.person.told.get()
        assert told == {"elicitationId": asked["elicitationId"]}
        assert (await here.connecting.credential("wiki")).secret == Secret(KEY)
        with pytest.raises(CredentialLeak):
            here.connecting.check_outgoing(f'{{"text":"{KEY}"}}'.encode())


async def test_what_was_granted_is_not_asked_for_twice_but_on_demand(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI) as here:
        both = [asyncio.create_task(here.elicitor.connect("wiki", session="s")) for _ in range(2)]
        await here.browser.answer(await here.page(), secret=KEY)
        assert await asyncio.gather(*both) == [Grant(provider="wiki")] * 2
        assert len(here.person.asked) == 1
        again = asyncio.create_task(here.elicitor.connect("wiki", again=True, session="s"))
        await here.browser.answer(await here.page(), secret="another-key")
        await again
        assert (await here.connecting.credential("wiki")).secret == Secret("another-key")
        await here.connecting.revoke("wiki")
        with pytest.raises(NoGrant):
            await here.connecting.credential("wiki")


async def test_a_typed_key_has_no_scopes_to_be_asked_for_once_more(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI) as here:
        asking = asyncio.create_task(here.elicitor.connect("wiki", scopes=("read",), session="s"))
        await here.browser.answer(await here.page(), secret=KEY)
        assert await asking == Grant(provider="wiki")
        async with asyncio.timeout(5):
            assert await here.elicitor.connect("wiki", scopes=("read",), session="s") == Grant(
                provider="wiki"
            )
        assert len(here.person.asked) == 1


@pytest.mark.requirement("URL-1")
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_who_does_not_consent_connects_nothing(tmp_path: Path, action: str) -> None:
    async with connected(tmp_path, WIKI, action=action) as here:
        with pytest.raises(NotAccepted):
            await here.elicitor.connect("wiki", session="s")
        assert await here.end() == "WITHDRAWN"  # so that the page cannot be used any more


@pytest.mark.requirement("FORM-6", "CAP-4")
async def test_without_url_mode_nothing_else_is_tried(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI) as here:
        forms_only = Elicitor(here.person, capabilities=Capabilities(form=True))
        here.connecting.attach(forms_only)
        with pytest.raises(ModeNotAdvertised):
            await forms_only.connect("wiki", session="s")
        assert here.person.asked == []


async def test_a_provider_that_nobody_knows_is_named_with_those_that_there_are(
    tmp_path: Path,
) -> None:
    async with connected(tmp_path, WIKI) as here:
        with pytest.raises(InvalidQuestion, match="those that it has: wiki"):
            await here.elicitor.connect("wikki", session="s")


async def test_an_agent_without_a_service_is_told_how_to_have_one() -> None:
    with pytest.raises(NotPossible, match=r"Agent\(connecting="):
        await Elicitor(Person(), capabilities=Capabilities(url=True)).connect("wiki", session="s")


async def test_a_refusal_on_the_page_reaches_the_agent(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI) as here:
        asking = asyncio.create_task(here.elicitor.connect("wiki", session="s"))
        await here.browser.answer(await here.page(), "refuse")
        with pytest.raises(ConnectFailed) as failed:
            await asking
        assert failed.value.reason is Reason.DENIED


async def test_who_waits_no_more_takes_the_link_back(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI) as here:
        with pytest.raises(AnswerTimeout):
            await here.elicitor.connect("wiki", wait=0.01, session="s")
        assert await here.end() == "WITHDRAWN"


async def test_a_link_that_expires_while_it_is_waited_for_has_failed(tmp_path: Path) -> None:
    async with connected(tmp_path, WIKI, lifetime=0.2) as here:
        asking = asyncio.create_task(here.elicitor.connect("wiki", session="s"))
        page = await here.page()
        async with asyncio.timeout(10):
            with pytest.raises(ConnectFailed, match="did not finish in time") as failed:
                await asking
        assert (failed.value.provider, failed.value.reason) == ("wiki", Reason.EXPIRED)
        late = await here.browser.answer(page, secret=KEY)
        assert "The time is over" in (await here.browser.open(late.headers["location"])).text
        with pytest.raises(NoGrant):
            await here.connecting.credential("wiki")


async def test_who_is_cancelled_takes_the_link_back_and_the_next_in_line_asks(
    tmp_path: Path,
) -> None:
    async with connected(tmp_path, WIKI) as here:
        first = asyncio.create_task(here.elicitor.connect("wiki", session="s"))
        await here.page()
        second = asyncio.create_task(here.elicitor.connect("wiki", session="s"))
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        page = await here.page()
        given_up, asked = here.person.asked
        assert await here.end_of(given_up) == "WITHDRAWN"
        await here.browser.answer(page, secret=KEY)
        assert await second == Grant(provider="wiki")
        assert await here.end_of(asked) == "COMPLETED"


# --- over a connection ----------------------------------------------------------------------------


class Client:
    """A client that consents to each link; a `liar` says at once that it is complete, too."""

    def __init__(self, *, liar: bool = False) -> None:
        self.liar = liar
        self.url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.connection: Connection | None = None
        self.said: list[str] = []

    async def on_request(self, request: IncomingRequest) -> object:
        assert isinstance(request.params, dict)
        assert self.connection is not None
        if self.liar:
            link_id = request.params["elicitationId"]
            self.connection.notify("elicitation/complete", {"elicitationId": link_id})
        self.url.set_result(request.params["url"])
        return {"action": "accept"}

    def on_notification(self, method: str, params: object) -> None:
        self.said.append(f"{method}: {params}")

    def on_closed(self, error: ConnectionLost) -> None:
        pass

    async def prompt(self, agent: Agent) -> asyncio.Task[object]:
        """Connect to an agent and begin a turn."""
        served = AgentConnection(agent)
        agent_end, self.connection = await open_pair(served, self)
        served.attach(agent_end)
        hello: JsonObject = {
            "protocolVersion": 1,
            "clientCapabilities": {"elicitation": {"url": {}}},
        }
        await self.connection.request("initialize", hello)
        session = await self.connection.request("session/new", {"cwd": "/", "mcpServers": []})
        assert isinstance(session, dict)
        prompt = {**session, "prompt": []}
        return asyncio.create_task(self.connection.request("session/prompt", prompt))


@pytest.mark.requirement("URL-1", "URL-6")
async def test_a_client_cannot_say_that_it_is_done(tmp_path: Path) -> None:
    async def on_prompt(turn: Turn) -> None:
        grant = await turn.elicitor.connect("wiki", session=turn.session_id)
        turn.say(f"connected {grant.provider}")

    async with connected(tmp_path, WIKI) as here:
        liar = Client(liar=True)
        turn = await liar.prompt(Agent(on_prompt, name="Coder", connecting=here.connecting))
        async with asyncio.timeout(10):
            page = await here.browser.open(await liar.url)
            assert page.status_code == 200  # open still, whatever the client has said
            assert not turn.done()
            await here.browser.answer(page, secret=KEY)
            await turn
        assert "connected wiki" in "".join(liar.said)
        assert liar.connection is not None
        liar.connection.close()


@pytest.mark.requirement("URL-6", "REQ-3", "RES-5")
async def test_what_is_finished_after_the_connection_was_lost_is_kept_for_its_user_alone(
    tmp_path: Path,
) -> None:
    ends: asyncio.Queue[object] = asyncio.Queue()

    async def on_prompt(turn: Turn) -> None:
        try:
            ends.put_nowait(await turn.elicitor.connect("wiki", session=turn.session_id))
        except ConnectionLost as lost:
            ends.put_nowait(lost)
            raise

    async with connected(tmp_path, WIKI) as here, asyncio.timeout(10):
        agent = Agent(on_prompt, name="Coder", connecting=here.connecting)
        gone, next_one = Client(), Client()
        turn = await gone.prompt(agent)
        page = await here.browser.open(await gone.url)
        assert gone.connection is not None
        gone.connection.close()
        with pytest.raises(ConnectionLost):
            await turn
        assert isinstance(await ends.get(), ConnectionLost)  # the wait has ended
        done = await here.browser.answer(page, secret=KEY)
        assert "Connected" in (await here.browser.open(done.headers["location"])).text
        await (await next_one.prompt(agent))
        assert await ends.get() == Grant(provider="wiki")
        assert not next_one.url.done()  # nobody was asked again
        assert "elicitation/complete" not in "".join(next_one.said)
        bob = AccountConnecting(
            here.run.store, here.run.vault, here.connecting.providers, base_url=BASE,
            identity=BOB, agent="Coder",
        )  # fmt: skip
        with pytest.raises(NoGrant):
            await bob.credential("wiki")
        assert next_one.connection is not None
        next_one.connection.close()


# --- with a provider ------------------------------------------------------------------------------


@pytest.fixture
async def strict() -> AsyncIterator[StrictProvider]:
    registered = Registered(redirect_uris=(f"{BASE}/callback/hub",))
    async with strict_provider(registered) as provider:
        yield provider


def hub(strict: StrictProvider) -> OAuthProvider:
    client = strict.clients["acp"]
    return OAuthProvider(
        name="hub", title="Hub", client_id=client.id, client_secret=Secret(client.secret),
        issuer=strict.issuer, scopes=("openid", "profile", "read"),
    )  # fmt: skip


def lasting_hub(strict: StrictProvider) -> OAuthProvider:
    """The same, which gives something to refresh with."""
    return replace(hub(strict), scopes=("openid", "profile", "read", "offline_access"))


async def hub_connected(here: Here, *scopes: str, again: bool = False) -> Grant:
    """Connect the account at the provider, as its user does."""
    asking = asyncio.create_task(
        here.elicitor.connect("hub", scopes=scopes, again=again, session="s")
    )
    back = await visit(await away(here))
    assert (await here.browser.open(back)).status_code == 303
    return await asking


async def away(here: Here) -> str:
    """Go on from the connect page; the address that the browser is then led to."""
    left = await here.browser.answer(await here.page())
    assert left.status_code == 200, left.text
    found = re.search(r'id="onward" href="([^"]+)"', left.text)
    assert found is not None
    return found[1].replace("&amp;", "&")


@pytest.mark.requirement("URL-2", "URL-13", "REQ-3")
async def test_an_account_at_a_provider_is_connected(
    tmp_path: Path, strict: StrictProvider
) -> None:
    async with connected(tmp_path, hub(strict)) as here:
        asking = asyncio.create_task(here.elicitor.connect("hub", session="s"))
        back = await visit(await away(here))
        end = await here.browser.open(back)
        assert end.status_code == 303
        assert "Connected" in (await here.browser.open(end.headers["location"])).text
        grant = await asking
        assert grant.provider == "hub"
        assert grant.account
        assert set(grant.scopes) >= {"openid", "read"}
        assert strict.is_valid((await here.connecting.credential("hub")).secret.reveal())
        replayed = await here.browser.open(back)
        assert replayed.status_code == 409


async def test_a_denial_at_the_provider_reaches_the_agent(
    tmp_path: Path, strict: StrictProvider
) -> None:
    async with connected(tmp_path, hub(strict)) as here:
        asking = asyncio.create_task(here.elicitor.connect("hub", session="s"))
        back = await visit(await away(here), allow=False)
        end = await here.browser.open(back)
        with pytest.raises(ConnectFailed) as failed:
            await asking
        assert failed.value.reason is Reason.DENIED
        assert "Not connected" in (await here.browser.open(end.headers["location"])).text
        assert strict.token_requests == []


async def test_a_provider_that_grants_less_is_not_asked_again_but_on_demand(
    tmp_path: Path, strict: StrictProvider
) -> None:
    strict.faults.add("token-scope-less")
    async with connected(tmp_path, hub(strict)) as here:
        less = await hub_connected(here, "write")
        assert less.scopes == ("openid",)
        async with asyncio.timeout(5):
            assert await here.elicitor.connect("hub", scopes=("write",), session="s") == less
        assert len(here.person.asked) == 1
        strict.faults.clear()
        assert "write" in (await hub_connected(here, "write", again=True)).scopes
        assert len(here.person.asked) == 2


async def test_scopes_that_were_not_asked_for_are_asked_for_with_those_that_were(
    tmp_path: Path, strict: StrictProvider
) -> None:
    async with connected(tmp_path, hub(strict)) as here:
        await hub_connected(here, "write")
        both = await hub_connected(here, "email", "read")
        assert strict.asked[-1]["scope"] == "openid profile read write email"
        link = await here.run.store.read(ElicitationId(str(here.person.asked[-1]["elicitationId"])))
        assert read_details(link.details).scopes == ("write", "email", "read")
        for scopes in (("write",), ("email",), ("write", "email", "openid"), ()):
            assert await here.elicitor.connect("hub", scopes=scopes, session="s") == both
        await hub_connected(here, "email", again=True)
        assert strict.asked[-1]["scope"] == "openid profile read email"


async def test_scopes_that_were_granted_though_nobody_asked_will_do(tmp_path: Path) -> None:
    provider = OAuthProvider(name="hub", client_id="acp", issuer="https://hub.example")
    async with connected(tmp_path, provider) as here:
        more = Credential(secret=Secret("more-than-asked-for"), scopes=("read", "write"))
        await here.run.link("hub")
        await here.run.store.complete(
            LINK, identity=ADA, grant=here.run.vault.seal(ADA, "hub", more)
        )
        async with asyncio.timeout(5):
            grant = await here.elicitor.connect("hub", scopes=("write",), session="s")
        assert grant == Grant(provider="hub", scopes=("read", "write"))


async def test_a_refreshed_grant_keeps_what_was_asked_for(
    tmp_path: Path, strict: StrictProvider
) -> None:
    strict.life = 1
    strict.faults.add("token-scope-less")
    async with connected(tmp_path, lasting_hub(strict)) as here:
        await hub_connected(here, "write")
        refreshed = await here.connecting.credential("hub")
        assert refreshed.scopes == ("openid",)
        assert {"write", "profile"} <= set(refreshed.asked)


# --- a grant that runs out ------------------------------------------------------------------------


async def test_a_grant_that_ran_out_for_good_is_asked_for_again(
    tmp_path: Path, strict: StrictProvider
) -> None:
    strict.life = 0  # and there is nothing to refresh it with
    async with connected(tmp_path, hub(strict)) as here:
        await hub_connected(here)
        await hub_connected(here)
        assert len(here.person.asked) == 2


async def take_back(strict: StrictProvider, here: Here) -> None:
    """Have the user take the grant back at the provider, where nobody else is told."""
    async with provider_http() as http:
        await OAuthClient(lasting_hub(strict), http=http).revoke(
            await here.run.vault.credential(ADA, "hub")
        )


async def test_what_the_provider_has_taken_back_is_forgotten_and_asked_for_again(
    tmp_path: Path, strict: StrictProvider
) -> None:
    strict.life = 0
    async with connected(tmp_path, lasting_hub(strict)) as here:
        await hub_connected(here)
        await take_back(strict, here)
        with pytest.raises(ProviderDenied):
            await here.connecting.credential("hub")
        with pytest.raises(NoGrant):
            await here.connecting.credential("hub")
        await hub_connected(here)
        await take_back(strict, here)
        await hub_connected(here)  # which notices it by itself
        assert len(here.person.asked) == 3


async def test_what_runs_out_is_refreshed_without_asking_and_kept_while_the_provider_is_away(
    tmp_path: Path, strict: StrictProvider
) -> None:
    strict.life = 0
    async with connected(tmp_path, lasting_hub(strict)) as here:
        grant = await hub_connected(here)
        async with asyncio.timeout(5):
            strict.faults.add("token-down")
            assert await here.elicitor.connect("hub", session="s") == grant
            strict.faults.clear()
            assert await here.elicitor.connect("hub", session="s") == grant
        assert strict.is_valid((await here.run.vault.credential(ADA, "hub")).secret.reveal())
        assert len(here.person.asked) == 1


async def test_two_agents_that_refresh_at_once_lose_nothing_at_a_strict_provider(
    tmp_path: Path, strict: StrictProvider
) -> None:
    strict.life = 1
    async with (
        connected(tmp_path, lasting_hub(strict)) as here,
        connected(tmp_path, lasting_hub(strict)) as there,  # as another process has them
    ):
        await hub_connected(here)
        strict.life = 3600
        both = await asyncio.gather(*(at.connecting.credential("hub") for at in (here, there)))
        assert both[0] == both[1]
        assert strict.is_valid(both[0].secret.reveal())
        assert [form["grant_type"] for form in strict.token_requests] == [
            "authorization_code",
            "refresh_token",
        ]


# --- what is spoken to a provider with ------------------------------------------------------------


async def test_the_client_that_was_made_here_is_closed_here_and_made_anew_where_needed(
    tmp_path: Path, strict: StrictProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = clients_made_by("asking", monkeypatch)
    strict.life = 1  # second: each look at the credential refreshes it
    async with connected(tmp_path, lasting_hub(strict)) as here:
        await here.connecting.aclose()  # it has made none yet
        await hub_connected(here)
        first = await here.connecting.credential("hub")
        await here.connecting.aclose()
        await here.connecting.aclose()
        assert [client.is_closed for client in made] == [True]
        second = await here.connecting.credential("hub")
        assert strict.is_valid(second.secret.reveal())
        assert second.secret != first.secret
        assert [client.is_closed for client in made] == [True, False]
    assert [client.is_closed for client in made] == [True, True]


async def test_a_client_that_was_given_stays_its_owners_to_close(
    tmp_path: Path, strict: StrictProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = clients_made_by("asking", monkeypatch)
    strict.life = 1
    async with provider_http() as http:
        async with connected(tmp_path, lasting_hub(strict), http=http) as here:
            await hub_connected(here)
            await here.connecting.credential("hub")
            await here.connecting.aclose()
            assert not http.is_closed
            await here.connecting.credential("hub")
        assert not http.is_closed
    assert made == []
