"""An agent that has its user connect an account, and never sees the password or the token travel.

In one terminal:  acp-elicit connect serve --port 8765 --providers examples/providers.yaml
In another one:   acp-elicit chat -- python examples/connecting_agent.py
"""

import asyncio
import os
from pathlib import Path

from acp_elicitation import Agent, InvalidQuestion, NotAccepted, Turn
from acp_elicitation.connect.asking import AccountConnecting
from acp_elicitation.connect.errors import ConnectFailed
from acp_elicitation.connect.identities.local import local_identity
from acp_elicitation.connect.keys import find_keys
from acp_elicitation.connect.provider_file import read_providers
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.vault import Vault
from acp_elicitation.stores.opening import store_at

PROVIDERS = Path(__file__).with_name("providers.yaml")
BASE_URL = "http://127.0.0.1:8765"


async def on_prompt(turn: Turn) -> None:
    """Have the account connected that the user names, and say which one it is."""
    provider = turn.text.strip() or "weather"
    try:
        grant = await turn.elicitor.connect(
            provider, purpose="To look things up for you.", session=turn.session_id
        )
    except InvalidQuestion as wrong:  # there is no provider of that name; it says which there are
        turn.say(str(wrong))
    except NotAccepted:
        turn.say("Then I do without.")
    except ConnectFailed as failed:
        turn.say(f"Not connected: {failed.reason.value}.")
    else:
        turn.say(f"Connected: {grant.provider} {grant.account}".rstrip())


async def main() -> None:
    """Serve one client; the store, the keys and the providers are those of the connect service."""
    store_url = os.environ.get("AGENT_STORE", "sqlite:")
    async with store_at(store_url) as store:
        connecting = AccountConnecting(
            store,
            Vault(store, Sealer(find_keys(os.environ))),
            read_providers(Path(os.environ.get("AGENT_PROVIDERS", PROVIDERS)), os.environ),
            base_url=os.environ.get("AGENT_CONNECT_URL", BASE_URL),
            identity=local_identity(),
            agent="Connecting agent",
        )
        await Agent(on_prompt, name="connector", connecting=connecting).serve_stdio()


if __name__ == "__main__":
    asyncio.run(main())
