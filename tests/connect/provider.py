"""The provider as workers and agents of the tests know it, from the environment.

Knows nothing of: which provider it is. Above it: `worker`, `agent`. Below it: `connect.providers`.
"""

import os

from acp_elicitation.connect.providers import OAuthProvider, Providers, by_name
from acp_elicitation.connect.secret import Secret

__all__ = ["CLIENT_ID", "CLIENT_SECRET", "ISSUER", "NAME", "providers"]

ISSUER = "TEST_ISSUER"
"""The environment variable that names it."""

NAME = "openid"
CLIENT_ID, CLIENT_SECRET = "agent", "a secret of the tests, with % and +"


def providers() -> Providers:
    """Return the one provider of the tests."""
    return by_name(
        [
            OAuthProvider(
                name=NAME,
                client_id=CLIENT_ID,
                client_secret=Secret(CLIENT_SECRET),
                issuer=os.environ[ISSUER],
                scopes=("openid", "offline_access", "profile"),
                parameters={"prompt": "consent"},
            )
        ]
    )
