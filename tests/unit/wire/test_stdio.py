"""Real child processes on both ends: `spawn`, and `serve_stdio` inside of what is spawned."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.protocol.errors import ConnectionLost, MisuseError, RemoteError
from acp_elicitation.wire import process
from acp_elicitation.wire.connection import IncomingRequest
from acp_elicitation.wire.stdio import Child, spawn

AGENT = """
import asyncio, os, subprocess, sys
from acp_elicitation.wire.connection import method_not_found
from acp_elicitation.wire.stdio import serve_stdio

class Agent:
    async def on_request(self, request):
        match request.method:
            case "echo":
                return request.params
            case "ask back":
                return await self.connection.request("question", request.params)
            case "print":
                print("printed")
                os.write(1, b"written\\n")
                subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
                return [sys.stdin.read(), sys.stdout is not None]
            case "where":
                return [os.getcwd(), dict(os.environ), os.getpgid(0) == os.getpid()]
        raise method_not_found(request.method)

    def on_notification(self, method, params):
        print("told", method, file=sys.stderr, flush=True)

    def on_closed(self, error):
        print("closed:", error, file=sys.stderr, flush=True)

async def main():
    agent = Agent()
    agent.connection = await serve_stdio(agent)
    await agent.connection.wait_closed()

asyncio.run(main())
"""


class Client:
    """Answers with what it is asked."""

    def __init__(self) -> None:
        self.closed: list[str] = []

    async def on_request(self, request: IncomingRequest) -> object:
        return [request.method, request.params]

    def on_notification(self, method: str, params: object) -> None:
        pass

    def on_closed(self, error: ConnectionLost) -> None:
        self.closed.append(error.reason)


class Lines:
    """What a child writes to stderr."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.news = asyncio.Event()

    def __call__(self, line: bytes) -> None:
        self.lines.append(line)
        self.news.set()

    async def until(self, *expected: bytes) -> None:
        while not set(expected) <= set(self.lines):
            self.news.clear()
            await self.news.wait()


@asynccontextmanager
async def running(program: str, **options: Any) -> AsyncIterator[Child]:
    command = [sys.executable, "-c", textwrap.dedent(program)]
    if program is not AGENT:
        # Without site-packages: coverage of a child that is killed leaves broken files behind.
        command.insert(1, "-S")
    child = await spawn(command, Client(), **options)
    try:
        yield child
    finally:
        await child.stop(grace_seconds=5)


def request(id: int, method: str = "echo", **members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, **members}).encode() + b"\n"


# --- spawn ---


async def test_a_child_answers_asks_back_and_ends_when_it_is_stopped() -> None:
    errors = Lines()
    async with running(AGENT, on_stderr=errors) as child:
        assert await child.connection.request("echo", {"n": 2**64}) == {"n": 2**64}
        assert await child.connection.request("ask back", [1]) == ["question", [1]]
        with pytest.raises(RemoteError, match="method not found"):
            await child.connection.request("unknown")
        child.connection.notify("news")
        await errors.until(b"told news")
        assert child.pid != os.getpid()
        running_code = child.returncode
        await child.stop()
        assert [running_code, child.returncode, await child.wait()] == [None, 0, 0]
        assert child.connection.closed
    assert b"closed: the client closed the connection" in errors.lines


async def test_a_child_gets_its_folder_and_environment_and_a_group_of_its_own(
    tmp_path: Path,
) -> None:
    env = {**os.environ, "SECRET": "x"}
    async with running(AGENT, cwd=tmp_path, env=env, on_stderr=Lines()) as child:
        result = await child.connection.request("where")
    assert isinstance(result, list)
    folder, environment, leads_group = result
    assert os.path.samefile(folder, tmp_path)
    assert environment["SECRET"] == "x"
    assert leads_group is True


async def test_without_a_listener_stderr_is_ours(capfd: pytest.CaptureFixture[str]) -> None:
    async with running("import sys; print('trouble', file=sys.stderr)") as child:
        assert await child.wait() == 0
    assert capfd.readouterr().err == "trouble\n"


@pytest.mark.parametrize(
    ("command", "cwd", "why"),
    [
        (["no-such-agent"], None, "'no-such-agent': not found; check the command"),
        (["/no/such/agent"], None, "not found; check the command"),
        ([os.devnull], None, "not allowed; check that it may be executed"),
        (["agent\0"], None, "null characters"),
        ([sys.executable], "/no/such/folder", "the folder '/no/such/folder' does not exist"),
        ([sys.executable, "x" * 10_000_000], None, "too long"),
    ],
)
async def test_a_command_that_cannot_be_started_says_why(
    command: list[str], cwd: str | None, why: str
) -> None:
    before = open_descriptors()
    with pytest.raises(ConnectionLost, match="could not start") as raised:
        await spawn(command, Client(), cwd=cwd)
    assert why in str(raised.value)
    assert open_descriptors() <= before


async def test_an_empty_command_is_misuse() -> None:
    with pytest.raises(MisuseError):
        await spawn([], Client())


def open_descriptors() -> int:
    return len(os.listdir("/dev/fd"))


@pytest.mark.parametrize("steps", range(8))
async def test_a_start_that_is_given_up_leaves_nothing_open(steps: int) -> None:
    before = open_descriptors()
    starting = asyncio.create_task(spawn(["/bin/cat"], Client()))
    for _ in range(steps):
        await asyncio.sleep(0)
    starting.cancel()
    try:
        child = await starting
    except asyncio.CancelledError:
        pass
    else:  # it was too late for that
        await child.stop()
    for _ in range(10):
        await asyncio.sleep(0)
    assert open_descriptors() <= before


async def test_all_that_travels_goes_to_the_tap() -> None:
    lines: list[tuple[str, bytes]] = []
    async with running(
        AGENT, on_stderr=Lines(), on_raw=lambda where, line: lines.append((where, line))
    ) as child:
        await child.connection.request("echo", [1])
    assert [(where, json.loads(line)) for where, line in lines] == [
        ("out", {"jsonrpc": "2.0", "id": 0, "method": "echo", "params": [1]}),
        ("in", {"jsonrpc": "2.0", "id": 0, "result": [1]}),
    ]


async def test_lines_on_stderr_are_handed_on_whole_and_bounded() -> None:
    program = r"""
        import sys
        sys.stderr.write("one\ntwo\r\n" + "x" * 100_000 + "\nlast")
    """
    errors = Lines()
    async with running(program, on_stderr=errors) as child:
        await child.wait()
        await errors.until(b"last")
    assert errors.lines == [b"one", b"two", b"x" * 1024, b"last"]


# --- stop ---


async def test_a_child_that_ignores_the_end_of_its_input_is_terminated() -> None:
    async with running("import signal; signal.pause()") as child:
        await child.stop(grace_seconds=0.1)
        assert child.returncode == -signal.SIGTERM


async def test_a_child_that_ignores_that_too_is_killed() -> None:
    up = asyncio.Event()
    program = """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("up", flush=True)
        while True:
            signal.pause()
    """
    async with running(program, on_noise=lambda _: up.set()) as child:
        await up.wait()
        await child.stop(grace_seconds=0.1)
        assert child.returncode == -signal.SIGKILL


def with_helper(fifo: Path, leader: str) -> str:
    """A program with a helper, which holds its stdout and `fifo`, that goes on as `leader`."""
    helper = (
        f"import time; file = open({str(fifo)!r}, 'w'); print('up', flush=True); time.sleep(60)"
    )
    return f"""
        import subprocess, sys
        subprocess.Popen([sys.executable, "-S", "-c", {helper!r}])
        {leader}
    """


@pytest.mark.parametrize("leader", ["import signal; signal.pause()", "input()"])
async def test_what_a_child_has_started_is_ended_with_it(leader: str, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    up = asyncio.Event()
    # Reads until nobody has it open for writing.
    helper_ended = asyncio.get_running_loop().run_in_executor(None, fifo.read_bytes)
    async with running(
        with_helper(fifo, leader), on_noise=lambda _: up.set(), on_stderr=Lines()
    ) as child:
        await up.wait()
        await child.stop(grace_seconds=0.3)
        assert await helper_ended == b""


STUBBORN = """
    import signal, subprocess, sys
    helper = subprocess.Popen(
        [sys.executable, "-S", "-c", {helper!r}], stdout=subprocess.PIPE
    )
    helper.stdout.readline()
    print("up", flush=True)
    {leader}
"""


@pytest.mark.parametrize("leader", ["input()", "pass"])
async def test_a_helper_that_ignores_to_be_terminated_is_killed_when_its_leader_ends(
    leader: str, tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    helper = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"file = open({str(fifo)!r}, 'w'); print('up', flush=True); time.sleep(60)"
    )
    up = asyncio.Event()
    helper_ended = asyncio.get_running_loop().run_in_executor(None, fifo.read_bytes)
    program = STUBBORN.format(helper=helper, leader=leader)
    async with running(program, on_noise=lambda _: up.set(), on_stderr=Lines()) as child:
        await up.wait()
        if leader == "pass":
            await child.wait()
        await child.stop(grace_seconds=0.2)
        assert await helper_ended == b""


async def test_what_was_left_behind_long_ago_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    up = asyncio.Event()
    helper_ended = asyncio.get_running_loop().run_in_executor(None, fifo.read_bytes)
    async with running(
        with_helper(fifo, "input()"), on_noise=lambda _: up.set(), on_stderr=Lines()
    ) as child:
        await up.wait()
        child.connection.notify("a line for input()")
        await child.wait()
        monkeypatch.setattr(process, "_SWEEPS_WITHIN", -1.0)
        await child.stop()
        assert not helper_ended.done()
        os.killpg(child.pid, signal.SIGKILL)
        await helper_ended


async def test_a_child_that_ends_is_gone_even_if_its_output_is_held_open(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    up = asyncio.Event()
    helper_ended = asyncio.get_running_loop().run_in_executor(None, fifo.read_bytes)
    async with running(
        with_helper(fifo, "input()"), on_noise=lambda _: up.set(), on_stderr=Lines()
    ) as child:
        await up.wait()
        child.connection.notify("a line for input()")
        with pytest.raises(ConnectionLost):
            await child.connection.request("m")
        assert child.returncode == 0
        assert not helper_ended.done()  # what a program leaves behind on purpose is left alone
        os.killpg(child.pid, signal.SIGKILL)
        await helper_ended


# --- serve_stdio ---


async def test_only_messages_travel_on_the_stdout_of_an_agent() -> None:
    errors = Lines()
    noise: list[bytes] = []
    async with running(AGENT, on_stderr=errors, on_noise=noise.append) as child:
        assert await child.connection.request("print") == ["", True]
        await errors.until(b"printed", b"written", b"by a child")
    assert noise == []


def serve(**options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", AGENT]
    return subprocess.run(command, timeout=30, check=False, **options)


def answers(output: bytes) -> list[Any]:
    return [json.loads(line) for line in output.splitlines()]


def test_an_agent_serves_files(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(request(1) + request(2, params=["x" * 100_000]) + request(3))
    with (tmp_path / "in").open("rb") as stdin, (tmp_path / "out").open("wb") as stdout:
        finished = serve(stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
    assert finished.returncode == 0, finished.stderr
    assert [a["id"] for a in answers((tmp_path / "out").read_bytes())] == [1, 2, 3]
    assert b"closed: the client closed the connection" in finished.stderr


def test_an_agent_that_reads_nothing_ends_at_once() -> None:
    finished = serve(stdin=subprocess.DEVNULL, capture_output=True)
    assert (finished.returncode, finished.stdout) == (0, b"")


def test_an_agent_serves_a_pipe_that_is_closed_behind_its_last_message() -> None:
    finished = serve(input=request(1) + request(2).rstrip(), capture_output=True)
    assert [a["id"] for a in answers(finished.stdout)] == [1, 2]


def test_an_agent_survives_a_reader_that_has_left() -> None:
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb", buffering=0) as broken:
        finished = serve(input=request(1), stdout=broken, stderr=subprocess.PIPE)
    assert finished.returncode == 0
    assert finished.stderr.count(b"closed:") == 1
    assert b"Traceback" not in finished.stderr


def test_an_agent_serves_one_socket_for_both_directions() -> None:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", AGENT]
    with (
        ours,
        theirs,
        subprocess.Popen(
            command, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=subprocess.PIPE
        ) as agent,
    ):
        theirs.close()
        ours.settimeout(30)
        with ours.makefile("rb") as lines:
            for id in (1, 2, 3):
                ours.sendall(request(id))
                assert json.loads(lines.readline())["id"] == id
            ours.shutdown(socket.SHUT_WR)
            assert lines.readline() == b""
        assert agent.wait(30) == 0


def test_an_agent_serves_a_terminal() -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", AGENT]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True
    ) as agent:
        os.close(theirs)
        with open(ours, "r+b", buffering=0) as terminal:
            terminal.write(request(1))
            text = b""
            while b'"result"' not in text:
                text += terminal.read(1000)
            terminal.write(b"\x04")  # the end of input, as Ctrl-D types it
            assert agent.wait(30) == 0


@pytest.mark.parametrize("closed", ["0<&-", "1>&-"])
def test_an_agent_without_stdin_or_stdout_says_so(closed: str) -> None:
    command = ["/bin/sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, AGENT]
    finished = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert finished.returncode != 0
    assert b"stdin or stdout is closed" in finished.stderr


def test_an_agent_without_stderr_keeps_its_stdout_clean() -> None:
    command = ["/bin/sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, AGENT]
    data = request(1, "print") + request(2, "unknown")
    finished = subprocess.run(command, input=data, stdout=subprocess.PIPE, timeout=30, check=False)
    first, second = answers(finished.stdout)
    assert (first["id"], first["result"]) == (1, ["", True])
    assert (second["id"], second["error"]["code"]) == (2, -32601)
