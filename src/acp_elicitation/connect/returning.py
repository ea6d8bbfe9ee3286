"""What a provider sends a browser back with, where it is the browser's user that comes back.

Owns: that judgement, and nothing of what stands in the parameters. Knows nothing of: links, users.
Above it: `coming_back`, `identities.oidc`. Below it: Starlette.
"""

from starlette.requests import Request

__all__ = ["brought_back"]


def brought_back(request: Request) -> dict[str, str] | None:
    """Return the parameters; None where nothing of them counts.

    That is so of a look at the address, as scanners have it (HEAD), and where a parameter is there
    twice, so that nobody picks the other.
    """
    pairs = request.query_params.multi_items()
    found = dict(pairs)
    return found if request.method != "HEAD" and len(found) == len(pairs) else None
