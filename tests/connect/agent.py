"""An agent of the tests, which connects the account of its user when it is told to."""

import asyncio
import os
import sys
from pathlib import Path

from acp_elicitation.agent.serve import Agent
from acp_elicitation.agent.turn import Turn
from acp_elicitation.connect.asking import AccountConnecting
from acp_elicitation.connect.errors import ConnectFailed
from acp_elicitation.connect.keys import keys_from_environment
from acp_elicitation.connect.provider_file import read_providers
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.errors import ElicitationError
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.records import Identity


async def _on_prompt(turn: Turn) -> None:
    try:
        grant = await turn.elicitor.connect(
            "openid", purpose="For a test.", again="again" in turn.text, session=turn.session_id
        )
    except ConnectFailed as error:
        turn.say(f"not connected: {error.reason.value}")
    except ElicitationError as error:
        turn.say(f"{type(error).__name__}: {error}")
    else:
        turn.say(f"connected {grant.account}")


async def _main(store_url: str, base_url: str, providers: str, user: str) -> None:
    keys = keys_from_environment(os.environ)
    assert keys is not None
    async with store_at(store_url) as store:
        connecting = AccountConnecting(
            store,
            Vault(store, Sealer(keys)),
            read_providers(Path(providers), os.environ),
            base_url=base_url,
            identity=Identity(user),
            agent="tester",
        )
        await Agent(_on_prompt, name="tester", connecting=connecting).serve_stdio()
        await connecting.aclose()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
