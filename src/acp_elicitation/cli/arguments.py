"""What the command lines of all commands that start an agent have in common.

Owns: where the options end and the agent's command begins.
Knows nothing of: any option. Above it: `chat`, `proxy`. Below it: nothing.
"""

from collections.abc import Sequence

__all__ = ["split_command"]


def split_command(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options before `--`, and the agent's command after it."""
    given = list(arguments)
    place = given.index("--") if "--" in given else len(given)
    return given[:place], given[place + 1 :]
