"""A transport with a check: what it stops is not sent, and who waits for an answer gets one."""

import pytest

from acp_elicitation.bridges.checked import CheckedTransport
from tests.unit.bridges.raw import Message, RawEnd, pair


class Leak(Exception):
    """What the check raises."""


def check(message: bytes) -> None:
    if b"secret" in message:
        raise Leak


def checked() -> tuple[CheckedTransport, RawEnd]:
    ours, raw = pair()
    return CheckedTransport(ours, check), raw


async def test_what_passes_is_the_same_object_in_both_directions() -> None:
    transport, raw = checked()
    sent: Message = {"jsonrpc": "2.0", "method": "session/update", "params": {"text": "hello"}}
    await transport.send(sent)
    assert await raw.hear() is sent
    told = await raw.tell(method="session/prompt", params={"text": "my secret"})
    assert await transport.receive() is told


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("members", [{}, {"id": 1}])
async def test_what_is_stopped_is_not_sent_and_its_sender_hears_of_it(members: Message) -> None:
    transport, raw = checked()
    with pytest.raises(Leak):
        await transport.send({"jsonrpc": "2.0", "method": "m", "params": ["a secret"], **members})
    assert raw.heard_all


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("answer", [{"result": "a secret"}, {"error": {"message": "secret"}}])
async def test_an_answer_that_is_stopped_becomes_an_error(
    answer: Message, caplog: pytest.LogCaptureFixture
) -> None:
    transport, raw = checked()
    await transport.send({"jsonrpc": "2.0", "id": 7, **answer})
    heard = await raw.hear()
    assert (heard["id"], heard["error"]["code"]) == (7, -32603)
    assert "secret" not in str(heard) + caplog.text
    assert "Leak" in caplog.text


async def test_a_value_that_json_does_not_know_is_looked_at_too() -> None:
    transport, raw = checked()
    with pytest.raises(Leak):
        await transport.send({"method": "m", "params": Leak("a secret")})
    assert raw.heard_all


async def test_it_is_closed_with_what_it_wraps() -> None:
    transport, raw = checked()
    await transport.close()
    assert await raw.receive() is None
