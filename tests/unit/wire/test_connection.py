"""The asyncio driver, over real sockets: calls, handlers, order, flow, and the end."""

import asyncio
import gc
import json
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from acp_elicitation.protocol.errors import ConnectionLost, ErrorReply, MisuseError, RemoteError
from acp_elicitation.wire.connection import Connection, IncomingRequest, method_not_found
from acp_elicitation.wire.events import Limits
from acp_elicitation.wire.sockets import open_pair, open_socket

SECRET = "what the user typed"


class Recorder:
    """A handler that answers with `answer`, and keeps what it was told."""

    def __init__(
        self, answer: Callable[[IncomingRequest], Awaitable[object]] | None = None
    ) -> None:
        self.answer = answer
        self.told: list[tuple[str, object]] = []
        self.closed: list[str] = []
        self.news = asyncio.Event()

    async def on_request(self, request: IncomingRequest) -> object:
        self.told.append((f"? {request.method}", request.params))
        self.news.set()
        return request.params if self.answer is None else await self.answer(request)

    def on_notification(self, method: str, params: object) -> None:
        self.told.append((method, params))
        self.news.set()
        if method == "fail":
            raise ValueError(SECRET)

    def on_closed(self, error: ConnectionLost) -> None:
        self.closed.append(error.reason)
        self.news.set()

    async def until(self, count: int) -> None:
        """Return when so much was told."""
        while len(self.told) < count:
            self.news.clear()
            await self.news.wait()


class Raw:
    """The other end of a connection, by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def send(self, *messages: object) -> None:
        """In one chunk."""
        texts = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
        self.writer.write(b"".join(text + b"\n" for text in texts))

    async def receive(self) -> Any:
        line = await self._reader.readline()
        return json.loads(line) if line else None


@asynccontextmanager
async def by_hand(handler: Recorder, **options: Any) -> AsyncIterator[tuple[Connection, Raw]]:
    """A connection, and its other end by hand."""
    one, other = socket.socketpair()
    connection = await open_socket(one, handler, **options)
    reader, writer = await asyncio.open_connection(sock=other, limit=2**26)
    try:
        yield connection, Raw(reader, writer)
    finally:
        writer.transport.abort()
        connection.abort()
        await connection.wait_closed()


@asynccontextmanager
async def both(first: Recorder, second: Recorder) -> AsyncIterator[tuple[Connection, Connection]]:
    one, other = await open_pair(first, second)
    try:
        yield one, other
    finally:
        one.abort()
        await one.wait_closed()
        await other.wait_closed()


def request(id: object, method: str = "m", **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, **members}


def notification(method: str, params: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


async def forever(_: IncomingRequest) -> object:
    return await asyncio.Event().wait()


# --- calls and answers ---


async def test_both_sides_call_each_other_at_once() -> None:
    async with both(Recorder(), Recorder()) as (one, other):
        answers = await asyncio.gather(
            *(one.request("a", {"n": n}) for n in range(50)),
            *(other.request("b", [n]) for n in range(50)),
        )
        for connection in (one, other):
            assert (connection._waiting, connection._serving._tasks) == ({}, {})
    assert answers == [{"n": n} for n in range(50)] + [[n] for n in range(50)]


async def test_a_handler_may_call_back_before_it_answers() -> None:
    async def ask_back(request: IncomingRequest) -> object:
        return [await other.request("back", request.params)]

    async with both(Recorder(), Recorder(ask_back)) as (one, other):
        assert await one.request("ask", {"x": 1}) == [{"x": 1}]


async def test_an_error_reply_is_what_the_caller_gets() -> None:
    async def refuse(request: IncomingRequest) -> object:
        raise ErrorReply(-32602, "no such thing", {"path": "/a"})

    async with both(Recorder(), Recorder(refuse)) as (one, _):
        with pytest.raises(RemoteError) as raised:
            await one.request("m")
    error = raised.value
    assert (error.code, error.message, error.data) == (-32602, "no such thing", {"path": "/a"})


async def test_a_method_that_is_not_served_is_named_in_its_error() -> None:
    async def refuse(request: IncomingRequest) -> object:
        raise method_not_found(request.method)

    async with both(Recorder(), Recorder(refuse)) as (one, _):
        with pytest.raises(RemoteError) as raised:
            await one.request("session/unknown")
    assert (raised.value.code, raised.value.data) == (-32601, {"method": "session/unknown"})


async def test_a_handler_that_fails_gives_a_fixed_error_and_its_details_stay_here(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(request: IncomingRequest) -> object:
        raise KeyError(SECRET)

    async with both(Recorder(), Recorder(fail)) as (one, _):
        with pytest.raises(RemoteError) as raised:
            await one.request("m", {"text": SECRET})
        assert (raised.value.code, raised.value.message) == (-32603, "internal error")
        assert raised.value.data is None
        assert "KeyError" in caplog.text
        assert "in fail" in caplog.text
        assert SECRET not in caplog.text


async def test_a_result_that_json_cannot_say_is_an_internal_error_and_the_connection_goes_on() -> (
    None
):
    async def odd(request: IncomingRequest) -> object:
        return object() if request.params else "fine"

    async with both(Recorder(), Recorder(odd)) as (one, _):
        with pytest.raises(RemoteError) as raised:
            await one.request("m", [1])
        assert raised.value.code == -32603
        assert await one.request("m") == "fine"


async def test_a_slow_handler_holds_up_nothing() -> None:
    release = asyncio.Event()

    async def slow_or_fast(request: IncomingRequest) -> object:
        if request.method == "slow":
            await release.wait()
        return request.method

    async with both(Recorder(), Recorder(slow_or_fast)) as (one, _):
        slow = asyncio.create_task(one.request("slow"))
        assert await one.request("fast") == "fast"
        one.notify("note")
        assert not slow.done()
        release.set()
        assert await slow == "slow"


async def test_params_that_json_cannot_say_send_nothing() -> None:
    handler = Recorder()
    async with both(Recorder(), handler) as (one, _):
        with pytest.raises(MisuseError):
            await one.request("m", [object()])
        with pytest.raises(MisuseError):
            one.notify("n", [object()])
        assert await one.request("ok") is None
        assert handler.told == [("? ok", None)]


async def test_a_response_that_cannot_be_used_ends_its_call() -> None:
    async with by_hand(Recorder()) as (connection, raw):
        call = asyncio.create_task(connection.request("m"))
        raw.send({"jsonrpc": "2.0", "id": (await raw.receive())["id"], "error": "odd"})
        with pytest.raises(RemoteError, match="the response has neither"):
            await call


# --- notifications, and the order of things ---


async def test_notifications_are_handled_in_order() -> None:
    handler = Recorder()
    async with both(Recorder(), handler) as (one, _):
        for n in range(200):
            one.notify("n", [n])
        await handler.until(200)
    assert handler.told == [("n", [n]) for n in range(200)]


async def test_a_notification_that_fails_is_logged_without_values(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with both(Recorder(), Recorder()) as (one, _):
        one.notify("fail", {"text": SECRET})
        assert await one.request("still there") is None
        assert "ValueError" in caplog.text
        assert SECRET not in caplog.text


async def test_in_one_chunk_a_notification_comes_after_the_start_of_the_request_before_it() -> None:
    handler = Recorder()
    async with by_hand(handler) as (_, raw):
        chunk: list[object] = []
        for n in range(20):
            chunk += [request(n, "ask"), notification("done", [n])]
        raw.send(*chunk)
        await handler.until(40)
    expected: list[tuple[str, object]] = []
    for n in range(20):
        expected += [("? ask", None), ("done", [n])]
    assert handler.told == expected


async def test_in_one_chunk_a_notification_comes_after_what_the_response_before_it_woke() -> None:
    handler = Recorder()
    async with by_hand(handler) as (connection, raw):

        async def open_session() -> None:
            handler.told.append(("opened", await connection.request("open")))

        call = asyncio.create_task(open_session())
        id = (await raw.receive())["id"]
        raw.send({"jsonrpc": "2.0", "id": id, "result": 1}, notification("update"))
        await handler.until(2)
        await call
    assert handler.told == [("opened", 1), ("update", None)]


async def test_chunks_that_come_while_some_messages_wait_come_after_them() -> None:
    handler = Recorder()
    async with by_hand(handler) as (connection, _):
        chunk = json.dumps(request(1, "ask")).encode() + b"\n" + b'{"jsonrpc":"2.0","method":"a"}\n'
        connection.data_received(chunk)
        connection.data_received(b'{"jsonrpc":"2.0","method":"b"}\n')
        await handler.until(3)
    assert [method for method, _ in handler.told] == ["? ask", "a", "b"]


async def test_a_long_backlog_stops_the_reading_until_it_is_worked_off() -> None:
    handler = Recorder()
    async with by_hand(handler) as (connection, raw):
        chunk: list[object] = []
        for n in range(3000):
            chunk += [request(n, "ask"), notification("done", [n])]
        raw.send(*chunk)
        transport = connection._transport
        await handler.until(10)
        assert not transport.is_reading()
        await handler.until(6000)
        await asyncio.sleep(0)
        assert transport.is_reading()
        raw.send(notification("last"))
        await handler.until(6001)
    assert [told for told in handler.told if told[0] == "done"] == [
        ("done", [n]) for n in range(3000)
    ]


# --- cancellation ---


@pytest.mark.requirement("REQ-6")
async def test_a_cancelled_request_is_answered_with_32800() -> None:
    handler = Recorder(forever)
    async with by_hand(handler) as (_, raw):
        raw.send(request("q"))
        await handler.until(1)
        raw.send(notification("$/cancel_request", {"requestId": "q"}))
        answer = await raw.receive()
        assert (answer["id"], answer["error"]["code"]) == ("q", -32800)
        raw.send(request("q"))  # the id is free again
        await handler.until(2)


@pytest.mark.requirement("REQ-6")
async def test_a_request_cancelled_before_its_handler_ran_is_answered_and_never_handled() -> None:
    handler = Recorder()
    async with by_hand(handler) as (_, raw):
        raw.send(
            request("q"), notification("$/cancel_request", {"requestId": "q"}), request("next")
        )
        answer = await raw.receive()
        assert (answer["id"], answer["error"]["code"]) == ("q", -32800)
        assert (await raw.receive())["id"] == "next"
        assert len(handler.told) == 1


@pytest.mark.parametrize("between", [[], ["cancel"], ["note"], ["cancel", "note", "cancel"]])
async def test_a_cancellation_may_come_too_late_or_twice(between: list[str]) -> None:
    cancel = notification("$/cancel_request", {"requestId": "q"})
    messages = {"cancel": cancel, "note": notification("note")}
    async with by_hand(Recorder()) as (connection, raw):
        raw.send(request("q"), *(messages[name] for name in between), cancel, request("next"))
        answers = [await raw.receive() for _ in range(2)]
        assert [answer["id"] for answer in answers] == ["q", "next"]
        assert not connection.closed


@pytest.mark.requirement("REQ-6")
async def test_a_cancelled_handler_may_still_answer_in_its_own_way() -> None:
    async def at_the_last_moment(request: IncomingRequest) -> object:
        try:
            return await forever(request)
        except asyncio.CancelledError:
            if request.params:
                raise ErrorReply(-1, "closing") from None
            return {"action": "cancel"}

    handler = Recorder(at_the_last_moment)
    async with by_hand(handler) as (_, raw):
        raw.send(request(1), request(2, params={"fail": True}))
        await handler.until(2)
        for id in (1, 2):
            raw.send(notification("$/cancel_request", {"requestId": id}))
        assert (await raw.receive())["result"] == {"action": "cancel"}
        assert (await raw.receive())["error"] == {"code": -1, "message": "closing"}


@pytest.mark.requirement("REQ-5")
async def test_a_call_given_up_tells_the_other_side_and_drops_the_late_response() -> None:
    async with by_hand(Recorder()) as (connection, raw):
        call = asyncio.create_task(connection.request("ask"))
        id = (await raw.receive())["id"]
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        cancelled = await raw.receive()
        assert cancelled == notification("$/cancel_request", {"requestId": id})
        raw.send({"jsonrpc": "2.0", "id": id, "result": "late"})
        again = asyncio.create_task(connection.request("ask"))
        raw.send({"jsonrpc": "2.0", "id": (await raw.receive())["id"], "result": "in time"})
        assert await again == "in time"


@pytest.mark.parametrize(
    "answer", [{"result": 1}, {"error": {"code": 1, "message": "m"}}], ids=["result", "error"]
)
@pytest.mark.parametrize("first", ["answer", "cancel", "cancel and end"])
async def test_an_answer_and_a_giving_up_that_meet_leave_nothing_behind(
    answer: dict[str, Any], first: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with by_hand(Recorder()) as (connection, raw):
        call = asyncio.create_task(connection.request("ask"))
        id = (await raw.receive())["id"]
        line = json.dumps({"jsonrpc": "2.0", "id": id, **answer}).encode() + b"\n"
        if first == "answer":
            connection.data_received(line)
            call.cancel()
        else:
            call.cancel()
            if first == "cancel and end":
                connection.close()
            connection.data_received(line)
        with pytest.raises(asyncio.CancelledError):
            await call
        del call
        gc.collect()  # which tells of exceptions that nobody looked at
        if connection.closed:
            assert await raw.receive() is None
            return
        connection.notify("next")
        assert await raw.receive() == {"jsonrpc": "2.0", "method": "next"}
        assert connection._waiting == {}
    assert caplog.text == ""  # no "exception was never retrieved"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="there are no eager tasks before 3.12")
@pytest.mark.requirement("REQ-6")
async def test_handlers_may_run_as_eager_tasks() -> None:
    loop = asyncio.get_running_loop()
    loop.set_task_factory(getattr(asyncio, "eager_task_factory"))  # noqa: B009
    try:
        async with by_hand(Recorder()) as (connection, raw):
            raw.send(request(1), request(1))
            assert [(await raw.receive())["id"] for _ in range(2)] == [1, 1]
            assert connection._serving._tasks == {}
    finally:
        loop.set_task_factory(None)


# --- what cannot be taken ---


async def test_bad_lines_are_answered_and_the_connection_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with by_hand(Recorder()) as (_, raw):
        raw.send(b"{", [request(1), request(2)], b"word", request(3, params=["x" * 5]))
        answers = [await raw.receive() for _ in range(4)]
    assert [(a["id"], a.get("error", {}).get("code")) for a in answers] == [
        (None, -32700),
        (None, -32600),
        (None, -32700),
        (3, None),
    ]
    assert "word" not in caplog.text


async def test_a_client_hands_noise_to_its_listener_and_survives_its_failure() -> None:
    noise: list[bytes] = []

    def listen(text: bytes) -> None:
        noise.append(text)
        raise OSError(SECRET)

    async with by_hand(Recorder(), answer_noise=False, on_noise=listen) as (_, raw):
        raw.send(b"Loading...", b"{'a': 1}", request(1, params=[]))
        assert (await raw.receive())["error"]["code"] == -32700
        assert (await raw.receive())["result"] == []
    assert noise == [b"Loading...", b"{'a': 1}"]


async def test_noise_without_a_listener_is_logged_as_harmless_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with by_hand(Recorder(), answer_noise=False) as (_, raw):
        raw.send(b"\x1b[31mred", request(1))
        await raw.receive()
    assert r"\x1b[31mred" in caplog.text
    assert "\x1b" not in caplog.text


async def test_an_error_for_no_call_is_logged_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with by_hand(Recorder()) as (_, raw):
        error = {"code": -32700, "message": SECRET}
        raw.send({"jsonrpc": "2.0", "id": None, "error": error}, request(1))
        await raw.receive()
    assert "-32700" in caplog.text
    assert SECRET not in caplog.text


async def test_a_call_of_ours_has_the_prefix() -> None:
    async with by_hand(Recorder(), id_prefix="x-") as (connection, raw):
        call = asyncio.create_task(connection.request("m"))
        assert (await raw.receive())["id"] == "x-0"
        raw.send({"jsonrpc": "2.0", "id": "x-0", "result": 1})
        assert await call == 1


# --- the end ---


@pytest.mark.requirement("RES-5")
@pytest.mark.parametrize("how", ["close", "half", "abort", "in a message"])
async def test_a_side_that_leaves_ends_every_waiting_call_and_handler_once(how: str) -> None:
    handler = Recorder(forever)
    async with by_hand(handler) as (connection, raw):
        calls = [asyncio.create_task(connection.request("m")) for _ in range(3)]
        raw.send(request(1))
        await handler.until(1)
        (task,) = connection._serving._tasks.values()
        match how:
            case "close":
                raw.writer.close()
            case "half":
                raw.writer.write_eof()
            case "abort":
                raw.writer.transport.abort()
            case _:
                raw.writer.write(b'{"jsonrpc":"2.0","id":0,"result":{"a')
                raw.writer.close()
        results = await asyncio.gather(*calls, return_exceptions=True)
        await connection.wait_closed()
        assert connection.closed
        assert [type(error) for error in results] == [ConnectionLost] * 3
        assert len(handler.closed) == 1
        await asyncio.wait([task])
        assert task.cancelled()
        with pytest.raises(ConnectionLost):
            await connection.request("m")
        with pytest.raises(ConnectionLost):
            connection.notify("n")


async def test_what_was_asked_just_before_the_end_of_input_is_still_answered() -> None:
    handler = Recorder()
    async with by_hand(handler) as (_, raw):
        raw.send(request(1), notification("n"), request(2), notification("n"))
        raw.writer.write(json.dumps(request(3)).encode())  # without a newline
        raw.writer.write_eof()
        answers = [await raw.receive() for _ in range(4)]
    assert [answer and answer["id"] for answer in answers] == [1, 2, 3, None]
    assert handler.closed == ["the other side closed the connection"]


async def test_what_waits_for_its_turn_at_the_end_of_input_is_still_handled() -> None:
    handler = Recorder()
    async with by_hand(handler) as (connection, raw):
        for id in range(5):
            text = json.dumps(request(id)) + "\n" + json.dumps(notification("n", [id])) + "\n"
            connection.data_received(text.encode())
        connection.eof_received()
        answers = [await raw.receive() for _ in range(6)]
    assert [answer and answer["id"] for answer in answers] == [0, 1, 2, 3, 4, None]
    assert handler.told == [told for id in range(5) for told in (("? m", None), ("n", [id]))]


async def test_closing_sends_what_was_said_before() -> None:
    handler = Recorder()
    async with by_hand(handler) as (connection, raw):
        call = asyncio.create_task(connection.request("m"))
        await raw.receive()
        big = "x" * 3_000_000
        connection.notify("big", [big])
        connection.close()
        assert (await raw.receive())["params"] == [big]
        assert await raw.receive() is None
        with pytest.raises(ConnectionLost, match="this side closed"):
            await call
        await connection.wait_closed()
        connection.close()
    assert handler.closed == ["this side closed the connection"]


async def test_a_handler_may_close_its_own_connection() -> None:
    finished = asyncio.Event()

    async def close(request: IncomingRequest) -> object:
        connection.close()
        await asyncio.sleep(0)
        finished.set()
        return "nobody hears this"

    async with by_hand(Recorder(close)) as (connection, raw):
        raw.send(request(1))
        await finished.wait()
        assert await raw.receive() is None


async def test_nothing_is_handled_after_a_notification_that_closes() -> None:
    class Closer(Recorder):
        def on_notification(self, method: str, params: object) -> None:
            super().on_notification(method, params)
            connection.close()

    handler = Closer()
    async with by_hand(handler) as (connection, raw):
        raw.send(notification("a"), notification("b"), request(1))
        assert await raw.receive() is None
        connection.data_received(b'{"jsonrpc":"2.0","method":"c"}\n')
    assert [method for method, _ in handler.told] == ["a"]


async def test_a_listener_for_the_end_that_fails_harms_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Failing(Recorder):
        def on_closed(self, error: ConnectionLost) -> None:
            raise RuntimeError(SECRET)

    async with by_hand(Failing()) as (connection, _):
        connection.close()
        await connection.wait_closed()
    assert "RuntimeError" in caplog.text
    assert SECRET not in caplog.text


# --- flow ---


async def test_calls_wait_while_the_other_side_does_not_read() -> None:
    async with by_hand(Recorder()) as (connection, raw):
        while not connection._flow.blocked:
            connection.notify("fill", ["x" * 100_000])
        held = connection._transport.get_write_buffer_size()
        call = asyncio.create_task(connection.request("m", ["x" * 100_000]))
        given_up = asyncio.create_task(connection.request("given up"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert connection._transport.get_write_buffer_size() <= held
        given_up.cancel()
        while (message := await raw.receive())["method"] == "fill":
            pass
        assert message["method"] == "m"
        raw.send({"jsonrpc": "2.0", "id": message["id"], "result": 1})
        assert await call == 1
        connection.notify("next")
        assert (await raw.receive())["method"] == "next"  # what was never sent needs no cancelling


@pytest.mark.requirement("RES-5")
async def test_a_call_that_waits_to_be_sent_ends_with_the_connection() -> None:
    async with by_hand(Recorder()) as (connection, raw):
        while not connection._flow.blocked:
            connection.notify("fill", ["x" * 100_000])
        call = asyncio.create_task(connection.request("m"))
        await asyncio.sleep(0)
        raw.writer.transport.abort()
        with pytest.raises(ConnectionLost):
            await call


async def test_a_side_that_never_reads_is_given_up_with_bounded_memory() -> None:
    limits = Limits(unsent_bytes=1_000_000)
    handler = Recorder()
    async with by_hand(handler, limits=limits) as (connection, _):
        sent = 0
        while not connection.closed and sent < 1000:
            connection.notify("n", ["x" * 10_000])
            sent += 1
        assert 100 <= sent < 1000
        with pytest.raises(ConnectionLost, match="does not read: more than 1000000 bytes"):
            connection.notify("n")
        await connection.wait_closed()


async def test_a_side_that_floods_and_does_not_read_is_not_read_until_it_does() -> None:
    async def long_answer(request: IncomingRequest) -> object:
        return "x" * 10_000

    limits = Limits(unsent_bytes=2_000_000)
    handler = Recorder(long_answer)
    async with by_hand(handler, limits=limits) as (connection, raw):
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        asked = 0
        while connection._transport.is_reading():
            raw.send(*(request(asked + n) for n in range(20)))
            asked += 20
            await handler.until(asked)
            await asyncio.sleep(0)
        assert asked < 1000
        raw.writer.transport.resume_reading()  # type: ignore[attr-defined]
        for id in range(asked):
            assert (await raw.receive())["id"] == id
        raw.send(request("after"))
        assert (await raw.receive())["id"] == "after"


def test_logging_is_left_to_the_application() -> None:
    assert logging.getLogger("acp_elicitation").handlers == []
