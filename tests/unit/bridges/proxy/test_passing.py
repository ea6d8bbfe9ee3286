"""The switch of the proxy: what is kept of each message that is not its own to answer, row by row.

The rows are those of the requirements that say "preserved raw when proxied", "when forwarded",
"kept", "carried" or "end to end". The agent is a process that says what it hears, so that each line
passes in both directions.
"""

import json
from typing import Any

import pytest

from acp_elicitation.bridges.proxy.line import Opaque, look_into
from acp_elicitation.bridges.proxy.lines import LineTransport
from acp_elicitation.bridges.proxy.passing import PassingTransport
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted
from tests.unit.bridges.proxy.proxied import ECHO, TEXT, OneAnswer, proxied
from tests.unit.bridges.proxy.wires import wire

BOTH: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}}
HELLOS: tuple[dict[str, Any], ...] = (
    {"protocolVersion": 1, "clientCapabilities": BOTH},
    {"protocolVersion": 2, "capabilities": BOTH, "info": {"name": "c", "version": "1"}},
)


def asked(text: str) -> bytes:
    """Return a question with these params, as they are spelled."""
    return b'{"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":%s}\n' % text.encode()


def form(schema: str) -> bytes:
    return asked(
        '{"mode": "form","sessionId":"s","message":"?","requestedSchema":{"type":"object",'
        + (schema + "}}")
    )


async def passes(line: bytes) -> None:
    """Assert that a line comes out of the proxy as it went in, on both sides and in both versions.

    The proxy could answer it: the client can do so itself.
    """
    assert json.loads(line)  # or it would pass for noise
    for hello in HELLOS:
        async with proxied(ECHO, presenter=OneAnswer(None)) as proxy:
            proxy.client.tell(id=0, method="initialize", params=hello)
            assert json.loads(await proxy.client.hear())["params"] == hello
            proxy.client.say(line)
            assert await proxy.client.hear() == line


@pytest.mark.requirement("FWD-1")
async def test_a_mode_that_nobody_here_knows_is_kept() -> None:
    await passes(asked('{ "sessionId":"s","mode":"_voice","message":"?","pitch":1.50,"mode2":{}}'))


@pytest.mark.requirement("FWD-2")
async def test_a_property_of_an_unknown_type_is_kept() -> None:
    await passes(form(r'"properties":{"where":{"zoom":1e1,"type":"\u005fmap","layers":[[]]}}'))


@pytest.mark.requirement("FWD-3")
async def test_items_of_an_unknown_type_are_kept() -> None:
    await passes(form('"properties":{"c":{"type":"array","items":{"gamut":"p3","type":"_rgb"}}}'))


@pytest.mark.requirement("FWD-4")
async def test_an_unknown_format_is_kept() -> None:
    await passes(form('"properties":{"c":{"format":"_iban", "type":"string"}}'))


@pytest.mark.requirement("FWD-7")
@pytest.mark.parametrize(
    "meta", ["null", '{"b":{"a":-0},"a":[1.0,{}]}', '{"n":123456789012345678901234567890}', "[7]"]
)
async def test_meta_is_carried_wherever_it_stands(meta: str) -> None:
    await passes(
        asked(
            '{"_meta":$,"mode":"form","sessionId":"s","message":"?","requestedSchema":'
            '{"_meta":$,"type":"object","properties":{"a":{"_meta":$,"type":"string","oneOf":'
            '[{"const":"x","title":"X","_meta":$}]}}}}'.replace("$", meta)
        )
    )


@pytest.mark.requirement("FWD-8")
@pytest.mark.parametrize(
    "line",
    [
        form('"$defs":{},"properties":{"a":{"_x":1,"type":"boolean","title":7}},"_y":[ ]'),
        b'{"_w":{"w":[1 ,2]},"jsonrpc":"2.0","method":"elicitation/complete","params":'
        b'{"elicitationId":"e","when":1e2}}\n',
        b'{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"no","why":"?","data":[1.0]}}\n',
        b'{"jsonrpc":"2.0","method":"session/update","params":{"update":{"_new":1},"_z":null}}\n',
    ],
    ids=["form", "completion", "error", "update"],
)
async def test_unknown_members_are_kept(line: bytes) -> None:
    await passes(line)


@pytest.mark.requirement("FWD-9")
async def test_the_order_of_properties_is_kept() -> None:
    kind = '{"type":"string"}'
    names = ("10", "2", "b", "a", "1", "\u00e9", "__proto__")
    await passes(form('"properties":{' + ",".join(f'"{name}":{kind}' for name in names) + "}"))


@pytest.mark.requirement("RES-6", "RES-2")
@pytest.mark.parametrize(
    "result",
    [
        '{"content":{"a": 1.0},"action":"_defer","until":"\\u0031"}',
        '{"action":7}',
        '{"action":"decline","content":null}',
    ],
)
async def test_an_answer_is_kept_also_with_an_unknown_action(result: str) -> None:
    await passes(b'{"jsonrpc":"2.0","id":"5","result":%s}\n' % result.encode())


@pytest.mark.requirement("URL-4")
@pytest.mark.parametrize("id", ['"\\u0065-1 "', '"E-1\\n"', '"1.0"'])
async def test_the_id_of_a_link_is_kept(id: str) -> None:
    await passes(
        asked(
            '{"mode":"url","sessionId":"s","message":"?","url":"https://A.example/%41",'
            f'"elicitationId":{id}}}'
        )
    )


@pytest.mark.requirement("FWD-1")
async def test_a_mode_that_no_client_behind_it_can_show_is_refused_by_the_proxy() -> None:
    presenter = OneAnswer(Accepted({}))
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params={**TEXT, "mode": "_voice"})
        assert (await proxy.told())["error"]["code"] == -32602
        assert presenter.prompts == []


@pytest.mark.requirement("FWD-7", "FWD-8")
async def test_of_initialize_only_the_capability_is_changed() -> None:
    hello = (
        b'{"params":{"_meta":{"a":1.0},"clientCapabilities":{"fs":{ },"_new":1e1},"_x":[1 ],'
        b'"protocolVersion":1},"_y":-0,"method":"initialize","id":0,"jsonrpc":"2.0"}\n'
    )
    async with proxied(ECHO, presenter=OneAnswer(None)) as proxy:
        proxy.client.say(hello)
        added = b'"_new":1e1,"elicitation":{"form":{},"url":{}}}'
        assert await proxy.client.hear() == hello.replace(b'"_new":1e1}', added)


@pytest.mark.requirement("CAP-7", "FWD-8")
@pytest.mark.parametrize(
    ("own", "advertised"),
    [
        (3, {"form": {}, "url": {}}),
        ({}, {"form": {}, "url": {}}),
        ({"form": 3, "url": None, "_x": 1}, {"form": {}, "url": {}, "_x": 1}),
        ({"form": {"_y": 1}}, {"form": {"_y": 1}, "url": {}}),
    ],
    ids=["number", "empty", "malformed", "own"],
)
async def test_a_capability_that_says_nothing_hides_none_of_the_proxys(
    own: Any, advertised: Any
) -> None:
    async with proxied(presenter=OneAnswer(None)) as proxy:
        got = await proxy.initialize(elicitation=own)
        assert got["clientCapabilities"]["elicitation"] == advertised


async def test_what_is_no_object_and_what_comes_in_pieces_is_handed_on_as_bytes() -> None:
    async with wire(limit=100) as (reader, writer, agent):
        passing = PassingTransport(LineTransport(reader, writer), Responder(OneAnswer(None)))
        for noise in (b"[1, 2]\n", b"Loading...\n", b'"x"\n'):
            await passing.pass_on(Opaque(noise))
            assert await agent.hear() == noise
            agent.say(noise)
            assert await passing.receive() == noise
        line = look_into(Opaque(b'{"method": "_x"}\n'))
        await passing.pass_on(line)
        assert await agent.hear() == b'{"method": "_x"}\n'
        agent.say(b'{"a":"' + b"x" * 300_000 + b'"}\n')
        pieces = b""
        while not pieces.endswith(b"\n"):
            piece = await passing.receive()
            assert isinstance(piece, Opaque)
            pieces += piece
        assert len(pieces) == 300_009
        await passing.close()
        assert await agent.hear() == b""


async def test_which_modes_are_the_clients_own_is_read_from_its_initialize() -> None:
    hello = b'{"id":0,"method":"initialize","params":%s}\n'
    for use_native, own in ((True, {"url"}), (False, set())):
        async with wire() as (reader, writer, agent):
            passing = PassingTransport(
                LineTransport(reader, writer), Responder(OneAnswer(None)), use_native=use_native
            )
            assert not passing.native.modes
            params = {"protocolVersion": 1, "clientCapabilities": {"elicitation": {"url": {}}}}
            await passing.pass_on(look_into(Opaque(hello % json.dumps(params).encode())))
            heard = await agent.hear_message()
            assert heard["params"]["clientCapabilities"] == {"elicitation": {"form": {}, "url": {}}}
            assert set(passing.native.modes) == own
