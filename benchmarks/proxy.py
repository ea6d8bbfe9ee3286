"""What passing costs the proxy: a flood of `session/update`, its rate, and the proxy's memory.

Owns: an agent that floods (`benchmarks/peers/flooding.py`), a client that counts, and the peak of
the proxy's resident memory at each milestone.
Deliberately does not know: how the proxy passes lines. It asserts nothing but that they came whole.
Above it: `make soak`, a test that asserts more. Below it: the processes that it starts, /proc.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from benchmarks.peers.flooding import UPDATES

__all__ = ["Milestone", "flood", "main"]

ROOT = Path(__file__).resolve().parent.parent
MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
MILESTONES = (10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Milestone:
    """So many messages have passed."""

    messages: int
    seconds: float
    peak_kib: int
    """The proxy's peak of resident memory so far, in KiB."""


def flood(milestones: Sequence[int], options: Sequence[str] = ()) -> Iterator[Milestone]:
    """Have updates pass the proxy; yields what was measured at each milestone.

    Raises:
        SystemExit: a message came otherwise than it was sent, or too few came.
    """
    agent = (sys.executable, "-m", "benchmarks.peers.flooding", str(milestones[-1]))
    with subprocess.Popen(
        (sys.executable, "-c", MAIN, "proxy", *options, "--", *agent),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as proxy:
        assert proxy.stdin is not None
        assert proxy.stdout is not None
        hello = {"protocolVersion": 1, "clientCapabilities": {}}
        _call(proxy.stdin, proxy.stdout, "initialize", hello)
        begun = time.perf_counter()
        _send(proxy.stdin, "session/prompt", {"sessionId": "s", "prompt": []})
        yield from _counted(proxy, proxy.stdout, milestones, begun)
        proxy.stdin.close()


def _counted(
    proxy: "subprocess.Popen[bytes]", stream: IO[bytes], milestones: Sequence[int], begun: float
) -> Iterator[Milestone]:
    count = 0
    for milestone in milestones:
        while count < milestone:
            if stream.readline() != UPDATES[count % len(UPDATES)]:
                raise SystemExit(f"message {count} was changed, or did not come")
            count += 1
        yield Milestone(count, time.perf_counter() - begun, _peak(proxy.pid))


def _peak(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise SystemExit("this system does not tell the peak of a process's memory")


def _call(to: IO[bytes], answers: IO[bytes], method: str, params: object) -> None:
    _send(to, method, params)
    answers.readline()


def _send(to: IO[bytes], method: str, params: object) -> None:
    message = {"jsonrpc": "2.0", "id": 0, "method": method, "params": params}
    to.write(json.dumps(message).encode() + b"\n")
    to.flush()


def main() -> None:
    """Run it and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--log", metavar="FILE", help="have the proxy keep its log as well")
    log = parser.parse_args().log
    size = sum(map(len, UPDATES)) / len(UPDATES)
    print(f"session/update of {size:.0f} bytes on average, from an agent through the proxy")
    for at in flood(MILESTONES, () if log is None else ("--log", log)):
        rate = at.messages / at.seconds
        print(
            f"{at.messages:>9,} messages {rate:>10,.0f}/s   peak {at.peak_kib / 1024:>6.1f} MiB",
            flush=True,
        )


if __name__ == "__main__":
    main()
