"""Whether a host is this machine itself.

Owns: that judgement for the connect service. Knows nothing of: requests. Above it: `service`,
`identities`, `oauth`. Below it: nothing.
"""

import ipaddress

__all__ = ["is_loopback"]


def is_loopback(host: str) -> bool:
    """Whether `host`, an address or a name, is this machine: 127.0.0.0/8, ::1, localhost."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
