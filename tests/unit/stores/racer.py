"""A process that tries to complete every link it is given, and says which it has completed.

It opens the store, says "ready", and begins when its input says so.
"""

import asyncio
import sys

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import LinkEnded
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.records import NewGrant
from acp_elicitation.stores.trial import ALICE


async def race(url: str, own_name: str, ids: list[str]) -> None:
    async with store_at(url) as store:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for link_id in map(ElicitationId, ids):
            grant = NewGrant(owner=ALICE, name=link_id, sealed=own_name.encode())
            try:
                await store.complete(link_id, identity=ALICE, grant=grant)
            except LinkEnded:
                continue
            print(link_id, flush=True)


if __name__ == "__main__":
    asyncio.run(race(sys.argv[1], sys.argv[2], sys.argv[3:]))
