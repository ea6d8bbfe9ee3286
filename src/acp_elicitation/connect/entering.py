"""A secret that the user types on the connect page: straight into the vault, and nowhere else.

Owns: taking it, having it checked, and ending the link with it. Knows nothing of: HTML, requests.
Above it: `service`. Below it: `visiting`, the vault, the store.
"""

from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.providers import SecretEntry
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.visiting import Place
from acp_elicitation.stores.records import StoredLink
from acp_elicitation.text.language import tr

__all__ = ["LONGEST", "enter"]

LONGEST = 8192
"""Characters."""


async def enter(place: Place, link: StoredLink, provider: SecretEntry, typed: str) -> str | None:
    """Keep what was typed, and complete the link; or return what is wrong with it.

    Raises:
        LinkEnded, LinkClaimed, UnknownLink: it is over, or was finished by another.
        StoreUnavailable: the store cannot be reached.
    """
    text = typed.strip()
    if not text:
        return tr("Type it in here.")
    if len(text) > LONGEST or not text.isprintable():
        return tr("This cannot be right: it is too long, or has characters that nobody can see.")
    secret, account = Secret(text), ""
    del text, typed
    if provider.check is not None:
        try:
            account = await provider.check(secret)
        except ValueError:
            return tr("This does not work. Look whether it is complete and still valid.")
    grant = place.vault.seal(
        link.identity, provider.name, Credential(secret=secret, account=account)
    )
    await place.store.complete(link.id, identity=link.identity, grant=grant)
    return None
