"""An agent of the tests that connects its user's account when it is told to."""

import asyncio
import os
import sys

from acp_elicitation.agent.serve import Agent
from acp_elicitation.agent.shared import SharedLinks
from acp_elicitation.agent.turn import Turn
from acp_elicitation.connect.details import LinkDetails, write_details
from acp_elicitation.connect.keys import keys_from_environment
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.errors import ElicitationError
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.records import Identity
from acp_elicitation.stores.settings import StoreSettings


async def _main(store_url: str, base_url: str, user: str) -> None:
    keys = keys_from_environment(os.environ)
    assert keys is not None
    async with store_at(store_url, StoreSettings(scan_every=0.2)) as store:
        vault = Vault(store, Sealer(keys))

        async def on_prompt(turn: Turn) -> None:
            links = SharedLinks(turn.elicitor, store, identity=Identity(user))
            details = LinkDetails(provider="openid", agent="tester", purpose="Test.")
            try:
                link = await links.link(
                    "Please connect your account.",
                    lambda id: f"{base_url}/link/{id}",
                    details=write_details(details),
                    session=turn.session_id,
                )
                if not link.consented:
                    turn.say("not consented")
                    return
                await link.completed()
                grant = (await vault.grants(Identity(user)))[0]
                turn.say(f"connected {grant.account}")
            except ElicitationError as error:
                turn.say(f"{type(error).__name__}: {error}")

        await Agent(on_prompt, name="tester", check_outgoing=vault.guard.check).serve_stdio()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
