"""The cookies for signing in, over http on this machine and between two beginnings."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from acp_elicitation.connect.attempt import Begun
from acp_elicitation.connect.identities.visits import Visit, Visitor, Visits
from acp_elicitation.connect.sealing import Sealer, new_key
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import Identity

ADA = Visitor(identity=Identity("ada"), until=10_000)
VISIT = Visit(
    link=ElicitationId("link"),
    identity=Identity("ada"),
    until=10_000,
    begun=Begun(provider="users", verifier="verifier", nonce="nonce"),
)


def visits(base_url: str = "https://agent.example/connect") -> Visits:
    return Visits(Sealer([new_key()]), base_url=base_url, users="users", clock=lambda: 0)


def given(response: Response) -> tuple[str, str]:
    name, _, rest = response.headers["set-cookie"].partition("=")
    return name, rest.partition(";")[0].strip('"')


def carrying(**cookies: str) -> Request:
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return Request({"type": "http", "headers": [(b"cookie", sent.encode())]})


@pytest.mark.requirement("URL-13")
def test_what_was_begun_comes_back_with_its_own_state_alone() -> None:
    place, response = visits(), Response()
    place.leave(response, "state", VISIT)
    name, value = given(response)
    assert place.come_back(carrying(**{name: value}), "state") == VISIT
    for other in (f"state-{number}" for number in range(64)):  # some of them have the same name
        assert place.come_back(carrying(**{name: value}), other) is None


@pytest.mark.requirement("URL-13")
def test_beginnings_without_end_leave_few_cookies() -> None:
    place, names = visits(), set()
    for number in range(200):
        response = Response()
        place.leave(response, f"state-{number}", VISIT)
        names.add(given(response)[0])
    assert 1 < len(names) <= 16


@pytest.mark.requirement("URL-13")
def test_on_this_machine_the_cookie_is_for_the_path_of_the_service() -> None:
    place, response = visits("http://127.0.0.1:8000/connect/"), Response()
    place.greet(response, ADA)
    name, value = given(response)
    said = response.headers["set-cookie"]
    assert name == "acp-user"
    assert "Path=/connect;" in said
    assert "Secure" not in said
    assert place.visitor(carrying(**{name: value})) == ADA
    assert visits().visitor(carrying(**{name: value})) is None
