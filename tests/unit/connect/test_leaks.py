"""No credential goes out over ACP, in whatever disguise a tool gives it."""

import base64
import html
import json
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.connect.errors import CredentialLeak
from acp_elicitation.connect.leaks import SHORTEST, LeakGuard
from acp_elicitation.connect.secret import Secret
from acp_elicitation.wire.jsonrpc import Peer

pytestmark = pytest.mark.requirement("URL-2")
TOKEN = 'gho_16C7e42F292c"/+\\ü%&='


def stops(guard: LeakGuard, message: bytes) -> bool:
    try:
        guard.check(message)
    except CredentialLeak:
        return True
    return False


def guarding(*secrets: str) -> LeakGuard:
    guard = LeakGuard()
    for secret in secrets:
        guard.add(Secret(secret))
    return guard


DISGUISES = {
    "as it is": lambda token: token,
    "in a sentence": lambda token: f"the token is {token}, keep it",
    "percent-encoded": lambda token: quote(token, safe=""),
    "all percent-encoded": lambda token: "".join(f"%{b:02x}" for b in token.encode()),
    "percent-encoded twice": lambda token: quote(quote(token, safe=""), safe=""),
    "base64": lambda token: base64.b64encode(token.encode()).decode(),
    "base64, one byte before": lambda token: base64.b64encode(b"u" + token.encode()).decode(),
    "base64 of user and token": lambda token: base64.b64encode(f"me:{token}@x".encode()).decode(),
    "base64 for URLs": lambda token: base64.urlsafe_b64encode(f"a{token}~~?".encode()).decode(),
    "base64 in a URL": lambda token: quote(base64.b64encode(token.encode()).decode(), safe=""),
    "hexadecimal": lambda token: token.encode().hex(),
    "hexadecimal in capitals": lambda token: token.encode().hex().upper(),
    "JSON within JSON": lambda token: json.dumps({"token": token}),
    "JSON within JSON within JSON": lambda token: json.dumps(json.dumps({"token": token})),
    "a URL": lambda token: f"https://x-access-token:{quote(token, safe='')}@example.com/",
    "a header": lambda token: f"Authorization: Bearer {token}\r\n",
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=list(DISGUISES))
@pytest.mark.parametrize("write", [msgspec.json.encode, lambda m: json.dumps(m).encode()])
def test_a_secret_is_found_in_every_usual_disguise(disguise, write) -> None:  # type: ignore[no-untyped-def]
    guard = guarding("another-secret-here", TOKEN)
    text = disguise(TOKEN)
    assert stops(guard, write({"method": "session/update", "params": {"text": text}}))
    assert not stops(guard, write({"params": {"text": disguise("gho_16C7e42F292d")}}))


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "u", "me", "me:"])
def test_base64_is_found_in_either_alphabet(encode, before: str) -> None:  # type: ignore[no-untyped-def]
    token = "gho_~~?>\u00ff\u00bf>?" * 2
    encoded = encode(f"{before}{token}".encode())
    assert stops(guarding(token), b'{"t":"' + encoded + b'"}')


@given(st.text(min_size=SHORTEST, max_size=60), st.binary(max_size=9), st.binary(max_size=9))
def test_base64_is_found_wherever_the_secret_begins(
    token: str, before: bytes, after: bytes
) -> None:
    plain = token.encode("utf-8", "surrogatepass")
    encoded = base64.b64encode(before + plain + after)
    assert stops(guarding(token), b'{"t":"' + encoded + b'"}')


@given(st.text("QZ", min_size=SHORTEST), st.dictionaries(st.text("123 %"), st.text("456\\\n%")))
def test_other_messages_pass(token: str, message: dict[str, str]) -> None:
    assert not stops(guarding(token), msgspec.json.encode(message))


def test_nothing_is_looked_for_that_stands_in_innocent_text() -> None:
    assert not stops(guarding("x" * (SHORTEST - 1), ""), b'{"t":"' + b"x" * 50 + b'"}')


def test_a_secret_that_was_revoked_is_not_looked_for() -> None:
    guard = guarding(TOKEN, "the-other-secret")
    assert stops(guard, TOKEN.encode())
    guard.remove(Secret(TOKEN))
    assert not stops(guard, TOKEN.encode())
    assert stops(guard, b"the-other-secret")
    guard.remove(Secret("never added"))


def test_a_secret_that_comes_later_is_looked_for() -> None:
    guard = guarding("the-first-secret")
    assert not stops(guard, TOKEN.encode())
    guard.add(Secret(TOKEN))
    assert stops(guard, TOKEN.encode())


def test_of_many_secrets_that_come_one_by_one_each_is_looked_for() -> None:
    many = [f"secret number {number:03}" for number in range(40)]
    guard = guarding()
    for count, token in enumerate(many):
        assert not stops(guard, token.encode())
        guard.add(Secret(token))
        assert all(stops(guard, known.encode()) for known in many[: count + 1])
    for token in many[::3]:
        guard.remove(Secret(token))
        guard.remove(Secret(token))  # is not there any more
    for number, token in enumerate(many):
        assert stops(guard, token.encode()) is (number % 3 != 0)
    guard.add(Secret(many[0]))
    assert stops(guard, many[0].encode())


def test_entities_of_html_are_no_disguise_that_is_undone() -> None:
    """What is not found, so that nobody relies on it."""
    assert not stops(guarding("tok&en<>tok&en"), html.escape("tok&en<>tok&en").encode())


def test_a_peer_with_a_guard_sends_no_secret() -> None:
    peer = Peer(check_outgoing=guarding(TOKEN).check)
    with pytest.raises(CredentialLeak) as caught:
        peer.request("elicitation/create", {"message": f"Your token {TOKEN} works"})
    assert TOKEN not in str(caught.value)
    assert peer.notify("session/update", {"text": "fine"})
