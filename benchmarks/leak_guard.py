"""What the leak guard costs: each outgoing message, beside writing that message at all.

Owns: messages of three sizes, guards that know few and many secrets, taking turns, the table.
Deliberately does not know: how the guard looks. It asserts nothing: these are numbers to read.
Above it: `make bench`. Below it: `connect.leaks`, msgspec.
"""

import platform
import secrets
import time
from collections.abc import Callable
from statistics import median

import msgspec

from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.secret import Secret
from benchmarks.peers.pacing import QUESTION

KNOWN = (0, 1, 100, 10_000)
ROUNDS = 15
ROUND_SECONDS = 0.02


def messages() -> dict[str, object]:
    """A question, a piece of an agent's answer with escapes in it, and a whole file."""
    text = 'She said: "a\\b" - 100% of it,\nand more.\n'
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text * 5}}
    whole = {"sessionUpdate": "tool_call_update", "content": text * 1500}
    return {
        "a question": {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "elicitation/create",
            "params": QUESTION,
        },
        "a piece of text": {"jsonrpc": "2.0", "method": "session/update", "params": update},
        "a file of 60 kB": {"jsonrpc": "2.0", "method": "session/update", "params": whole},
    }


def guard_of(count: int) -> LeakGuard:
    """A guard that knows `count` secrets, its finder made."""
    guard = LeakGuard()
    for _ in range(count):
        guard.add(Secret(secrets.token_urlsafe(30)))
    guard.check(b"")
    return guard


def seconds_each(work: Callable[[], object]) -> float:
    """Seconds of one call, over a round."""
    done, start = 0, time.perf_counter()
    while (now := time.perf_counter()) - start < ROUND_SECONDS:
        for _ in range(10):
            work()
        done += 10
    return (now - start) / max(done, 1)


def main() -> None:
    """Measure everything in turn, and print it."""
    guards = {count: guard_of(count) for count in KNOWN}
    print("The leak guard's look at one message, beside writing the message as JSON.")
    print(f"Median of {ROUNDS} rounds, taken in turn; Python {platform.python_version()}.\n")
    heads = "".join(f"{f'{count:,} secrets':>18}" for count in KNOWN)
    print(f"{'message':<18}{'bytes':>8}{'written in':>14}{heads}")
    for name, message in messages().items():
        line = msgspec.json.encode(message)
        written: list[float] = []
        looked: dict[int, list[float]] = {count: [] for count in KNOWN}
        for _ in range(ROUNDS):
            written.append(seconds_each(lambda message=message: msgspec.json.encode(message)))  # type: ignore[misc]
            for count, guard in guards.items():
                looked[count].append(
                    seconds_each(lambda guard=guard, line=line: guard.check(line))  # type: ignore[misc]
                )
        own = median(written)
        cells = "".join(
            f"{f'{median(each) * 1e6:.1f} us {median(each) / own:6.2f}x':>18}"
            for each in looked.values()
        )
        print(f"{name:<18}{len(line):>8,}{own * 1e6:>11.1f} us{cells}")
    print("\nLearning secrets one by one, with a message after each, for each secret:")
    few = learning(KNOWN[-2])
    for count in KNOWN[-2:]:
        each = learning(count)
        print(f"{f'{count:,} secrets':<18}{each * 1e6:>19.1f} us {each / few:6.2f}x")


def learning(count: int) -> float:
    """Seconds for each of `count` secrets that a guard learns, a message after each."""
    guard, start = LeakGuard(), time.perf_counter()
    for _ in range(count):
        guard.add(Secret(secrets.token_urlsafe(30)))
        guard.check(b"{}")
    return (time.perf_counter() - start) / count


if __name__ == "__main__":
    main()
