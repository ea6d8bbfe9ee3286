"""`acp-elicit connect list` and `revoke`: what a user has connected, and undoing it.

Owns: what is printed of it: accounts and scopes, never a credential.
Knows nothing of: options. Above it: `command`. Below it: `shop`, `text.terminal`.
"""

import sys

from acp_elicitation.cli.connect.shop import Shop
from acp_elicitation.connect.errors import NoGrant, ProviderError
from acp_elicitation.stores.records import Identity
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line

__all__ = ["list_granted", "revoke_granted"]

_FAILED = 1


async def list_granted(shop: Shop, user: Identity | None) -> int:
    """Print a line for each account; returns the exit status."""
    async with shop.open() as opened:
        grants = await opened.vault.grants(opened.accounts_of(user).identity)
    if not grants:
        print(tr("No account is connected."), file=sys.stderr)
    for grant in grants:
        account = one_line(grant.account, 80) or "-"
        print(grant.provider, account, one_line(" ".join(grant.scopes), 200) or "-", sep="\t")
    return 0


async def revoke_granted(shop: Shop, user: Identity | None, provider: str) -> int:
    """Disconnect an account; returns the exit status."""
    async with shop.open() as opened:
        accounts = opened.accounts_of(user)
        try:
            await accounts.revoke(provider)
        except NoGrant:
            print(tr("No account is connected: {provider}", provider=provider), file=sys.stderr)
            return _FAILED
        except ProviderError as error:
            print(
                tr("Forgotten here, but the provider could not be told: {why}", why=error),
                file=sys.stderr,
            )
            return _FAILED
        finally:
            await accounts.aclose()
    print(tr("Disconnected: {provider}", provider=provider))
    return 0
