"""The cookies of a browser: their attributes, and that each is of use for one link alone."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from acp_elicitation.connect.cookies import Cookies
from acp_elicitation.connect.sealing import KEY_BYTES, Sealer
from acp_elicitation.protocol.requests import ElicitationId

LINK, OTHER = ElicitationId("one"), ElicitationId("other")
KEY = b"k" * KEY_BYTES


def cookies(base_url: str = "https://agent.example/connect", key: bytes = KEY) -> Cookies:
    return Cookies(Sealer([key]), base_url=base_url)


def request(response: Response) -> Request:
    """The next request of a browser that got `response`."""
    pairs = [value.partition(";")[0] for value in response.headers.getlist("set-cookie")]
    headers = [(b"cookie", "; ".join(pairs).encode())]
    return Request({"type": "http", "headers": headers})


def test_over_https_a_cookie_is_this_hosts_alone() -> None:
    response = Response()
    cookies().greet(response)
    cookies().bind(response, LINK, "binding", age=60)
    for cookie in response.headers.getlist("set-cookie"):
        assert cookie.startswith("__Host-acp-connect")
        attributes = {part.strip().lower() for part in cookie.split(";")}
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= attributes


def test_on_this_machine_it_is_for_the_path_of_the_service() -> None:
    response = Response()
    cookies("http://127.0.0.1:1/connect").greet(response)
    cookie = response.headers["set-cookie"]
    assert "secure" not in cookie.lower()
    assert "Path=/connect;" in cookie + ";"


def test_a_token_is_of_use_for_one_browser_and_one_link() -> None:
    here, response = cookies(), Response()
    token = here.token(here.greet(response), LINK)
    assert here.knows(token, request(response), LINK)
    assert cookies().knows(token, request(response), LINK)  # any worker with the same keys
    assert not here.knows(token, request(response), OTHER)
    assert not cookies(key=b"o" * KEY_BYTES).knows(token, request(response), LINK)
    another = Response()
    here.greet(another)
    assert not here.knows(token, request(another), LINK)
    assert not here.knows(token, request(Response()), LINK)


@pytest.mark.parametrize("token", ["", "x", "AAAA", "ä", "a" * 5000])
def test_a_token_that_was_not_given_here_is_none(token: str) -> None:
    here, response = cookies(), Response()
    here.greet(response)
    assert not here.knows(token, request(response), LINK)


def test_a_browser_is_bound_to_each_link_that_it_begins() -> None:
    here, response = cookies(), Response()
    here.bind(response, LINK, "first", age=60)
    here.bind(response, OTHER, "second", age=60)
    assert here.binding(request(response), LINK) == "first"
    assert here.binding(request(response), OTHER) == "second"
    assert here.binding(request(Response()), LINK) == ""
    assert here.new_binding() != here.new_binding()


def test_what_is_over_is_forgotten() -> None:
    response = Response()
    cookies().unbind(response, LINK)
    assert "Max-Age=0" in response.headers["set-cookie"]
