"""Writes docs/lifecycle.md: the diagrams of the state tables in `protocol/ledger.py` and `stores`.

Owns: the page. Knows nothing of: what a state means beyond the words in the table.
Above it: `make docs` (writes the page) and `make check` (fails where it is stale). Below it: the
ledger, `stores/lifecycle.py`.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from acp_elicitation.protocol.ledger import AGENT, CLIENT, EventT, LedgerTable, StateT, is_final
from acp_elicitation.stores.lifecycle import STORED
from tools.pages import PROJECT, is_current, write

__all__ = ["diagram", "legend", "main", "page"]

_PAGE = "docs/lifecycle.md"
_OPENING = """\
# The life of one elicitation

<!-- Written by `make docs` from protocol/ledger.py and stores/lifecycle.py; do not edit. -->

Each side keeps a ledger of the elicitations it has not finished with, and each entry is in one
state of a table. An event that the table does not have for a state raises `IllegalTransition`, so
that nothing can be answered twice or completed after its end. A form takes the same way as a link,
without consent and completion.
"""


def page() -> str:
    """The whole text of the page."""
    return (
        f"{_OPENING}"
        f"\n## In the eyes of the agent that asks\n\n{diagram(AGENT)}\n{legend(AGENT)}"
        f"\n## In the eyes of the client that is asked\n\n{diagram(CLIENT)}\n{legend(CLIENT)}"
        f"\n## In a store, for links that several processes share\n\n"
        f"The outside part of a link alone: the consent is between the agent and its client, and\n"
        f"may come after the completion ([stores.md](stores.md)).\n\n"
        f"{diagram(STORED)}\n{legend(STORED)}"
    )


def diagram(table: LedgerTable[StateT, EventT]) -> str:
    """A Mermaid diagram: the first state of the table is where a life begins."""
    lines = "".join(f"    {line}\n" for line in _arrows(table))
    return f"```mermaid\nstateDiagram-v2\n{lines}```\n"


def legend(table: LedgerTable[StateT, EventT]) -> str:
    """The states and the events of a table, in words."""
    events = dict.fromkeys(event for steps in table.values() for event in steps)
    rows = "".join(f"| `{item.name}` | {item.value} |\n" for item in [*table, *events])
    return f"| state or event | meaning |\n|---|---|\n{rows}"


def main(arguments: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the page, or with `--check` say whether it is current; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where stale")
    target = project / _PAGE
    if not parser.parse_args(arguments).check:
        write(target, page())
    elif not is_current(target, page()):
        print(f"{_PAGE} is not up to date: run `make docs` and commit it", file=sys.stderr)
        return 1
    return 0


def _arrows(table: LedgerTable[StateT, EventT]) -> Iterator[str]:
    yield f"[*] --> {next(iter(table)).name}"
    for state, steps in table.items():
        for event, following in steps.items():
            yield f"{state.name} --> {following.name}: {event.name}"
        if is_final(table, state):
            yield f"{state.name} --> [*]"


if __name__ == "__main__":
    sys.exit(main())
