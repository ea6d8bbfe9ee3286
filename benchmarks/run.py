"""What one question costs: ours beside the official SDKs and a floor, interleaved in one run.

Owns: starting the contenders (benchmarks/peers), taking turns among them, medians, the table.
Deliberately does not know: how a contender asks. It asserts nothing: these are numbers to read.
Above it: `make bench`. Below it: the processes that it starts.
"""

import argparse
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
AT_ONCE = (1, 64)
ROUND_SECONDS = 0.12
OURS, FLOOR, PYTHON, TYPESCRIPT = (
    "acp-elicitation (all checks)",
    "floor (bytes only)",
    "Python SDK (no checks)",
    "TypeScript SDK (no checks)",
)


@dataclass
class Contender:
    """One process to be measured, and what it has shown so far."""

    name: str
    process: "subprocess.Popen[str]"
    seconds: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in AT_ONCE})

    def measure(self, questions: int, at_once: int) -> float:
        """Seconds per question, over one round of `questions`."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"questions": questions, "at_once": at_once}) + "\n")
        stdin.flush()
        if not (line := stdout.readline()):
            raise SystemExit(f"{self.name} ended with status {self.process.wait()}")
        return float(line)

    def median(self, at_once: int) -> float:
        """Median seconds per question."""
        return median(self.seconds[at_once])


@contextmanager
def started(name: str, *command: str) -> Iterator[Contender]:
    """A contender that ends with the block: its stdin closes, and it leaves."""
    process = subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        yield Contender(name, process)
    finally:
        process.communicate(timeout=10)


def contenders(stack: ExitStack, way: str) -> list[Contender]:
    """Everyone who can travel this way ("socketpair" or "stdio")."""
    commands: dict[str, tuple[str, ...]] = {
        FLOOR: (sys.executable, "-m", "benchmarks.peers.floor", way),
        OURS: (sys.executable, "-m", "benchmarks.peers.ours", way),
        PYTHON: (sys.executable, "-m", "benchmarks.peers.python_sdk", way),
    }
    if way == "stdio" and (node := shutil.which("node")):
        commands[TYPESCRIPT] = (node, "benchmarks/peers/typescript_sdk.mjs", way)
    return [stack.enter_context(started(name, *command)) for name, command in commands.items()]


def compare(everyone: list[Contender], at_once: int, rounds: int) -> None:
    """Let everyone ask in turn, `rounds` times, after a warm-up that finds the rounds' size."""
    sizes = {}
    for one in everyone:
        one.measure(20 * at_once, at_once)
        sizes[one.name] = max(at_once, int(ROUND_SECONDS / one.measure(20 * at_once, at_once)))
    for _ in range(rounds):
        for one in everyone:
            one.seconds[at_once].append(one.measure(sizes[one.name], at_once))


def table(way: str, everyone: list[Contender]) -> str:
    """One row per contender: time alone, rate of 64 at once, each beside the floor."""
    floor = next(one for one in everyone if one.name == FLOOR)
    lines = [f"{way:<30}{'one at a time':>16}{'x floor':>9}{'64 at once':>16}{'x floor':>9}"]
    for one in everyone:
        alone, many = one.median(1), one.median(64)
        lines.append(
            f"{one.name:<30}{alone * 1e6:>13.1f} us{alone / floor.median(1):>9.2f}"
            f"{1 / many:>14,.0f}/s{many / floor.median(64):>9.2f}"
        )
    return "\n".join(lines)


def targets(way: str, everyone: list[Contender]) -> Iterator[str]:
    """How ours stands against what it set out to be."""
    by_name = {one.name: one for one in everyone}
    ours = by_name[OURS]
    for at_once in AT_ONCE:
        mine = ours.median(at_once)
        yield line(way, at_once, "rate / Python SDK's", by_name[PYTHON].median(at_once) / mine, 3)
        if TYPESCRIPT in by_name:
            ratio = by_name[TYPESCRIPT].median(at_once) / mine
            yield line(way, at_once, "rate / TypeScript SDK's", ratio, 1)
        ratio = mine / by_name[FLOOR].median(at_once)
        yield line(way, at_once, "time / floor's", ratio, 1.6, at_most=True)


def line(
    way: str, at_once: int, what: str, ratio: float, bound: float, *, at_most: bool = False
) -> str:
    """One comparison in words."""
    kept = ratio <= bound if at_most else ratio >= bound
    wanted = f"at {'most' if at_most else 'least'} {bound:g}"
    where = f"{way}, {at_once} at once"
    return (
        f"  {where:<24}{what:<26}{ratio:>6.2f}   wanted {wanted:<13}{'kept' if kept else 'MISSED'}"
    )


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each (default 15)")
    rounds = parser.parse_args().rounds
    print("One form question, 5 properties of 5 kinds, from the agent's call to the answer.")
    print(f"Median of {rounds} rounds, taken in turn; Python {platform.python_version()}.")
    verdicts: list[str] = []
    for way in ("socketpair", "stdio"):
        with ExitStack() as stack:
            everyone = contenders(stack, way)
            for at_once in AT_ONCE:
                compare(everyone, at_once, rounds)
            print(f"\n{table(way, everyone)}", flush=True)
            verdicts += targets(way, everyone)
    print("\n" + "\n".join(verdicts))


if __name__ == "__main__":
    main()
