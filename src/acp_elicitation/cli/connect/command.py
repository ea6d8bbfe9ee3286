"""`acp-elicit connect serve|list|revoke`: its command line.

Owns: the options, and the words for what cannot be done. Knows nothing of: pages, how a server
runs. Above it: `cli`. Below it: `serving`, `granted`, `connect`.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from acp_elicitation.cli.connect.granted import list_granted, revoke_granted
from acp_elicitation.cli.connect.serving import Serving, serve
from acp_elicitation.cli.connect.shop import Shop
from acp_elicitation.cli.spoken import add_language_option, speak
from acp_elicitation.connect.keys import find_keys
from acp_elicitation.connect.provider_file import BadProviders, read_providers
from acp_elicitation.connect.providers import Providers
from acp_elicitation.connect.secret import Secret
from acp_elicitation.protocol.errors import ConnectError, StoreError
from acp_elicitation.stores.records import Identity
from acp_elicitation.text.language import tr

__all__ = ["run_connect"]

_FAILED = 1
_USAGE_ERROR = 2
_INTERRUPTED = 130

_PROXY_SECRET = "ACP_ELICIT_PROXY_SECRET"
"""The environment variable with what the proxy adds as `X-Proxy-Secret`."""


def run_connect(arguments: Sequence[str]) -> int:
    """Run `acp-elicit connect`; returns the exit status."""
    speak(arguments)
    options = _parser().parse_args(list(arguments))
    try:
        return asyncio.run(_interruptible(options))
    except (BadProviders, ValueError) as error:
        return _refuse(str(error), _USAGE_ERROR)
    except (ConnectError, StoreError) as error:
        return _refuse(str(error), _FAILED)
    except OSError as error:
        return _refuse(f"{error.filename or ''}: {error.strerror}".lstrip(": "), _FAILED)
    except KeyboardInterrupt:  # while the store is waited for; a server that runs ends by itself
        return _INTERRUPTED


async def _interruptible(options: argparse.Namespace) -> int:
    """Run it, and end with a Ctrl-C however often the first is swallowed.

    A cancel that meets the end of what `asyncio.wait_for` waits for is lost before Python 3.12, and
    drivers of databases use that to connect.
    """
    running = asyncio.create_task(_run(options))
    try:
        await asyncio.wait([running])
    except asyncio.CancelledError:
        while not running.done():
            running.cancel()
            await asyncio.wait([running], timeout=0.1)
        if not running.cancelled():
            running.exception()  # nobody asks for it any more
        raise
    return running.result()


async def _run(options: argparse.Namespace) -> int:
    providers: Providers = {}
    if options.providers is not None:
        providers = read_providers(options.providers, os.environ)
    keys = find_keys(os.environ, file=options.key_file, keyring=options.keyring)
    shop = Shop(store=options.store, keys=tuple(keys), providers=providers)
    match options.action:
        case "serve":
            return await serve(
                shop,
                Serving(
                    host=options.host,
                    port=options.port,
                    base_url=options.base_url,
                    identity=options.identity,
                    proxies=tuple(options.proxy),
                    proxy_secret=_proxy_secret(),
                ),
            )
        case "list":
            return await list_granted(shop, options.user)
        case _:
            return await revoke_granted(shop, options.user, options.provider)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acp-elicit connect",
        description=tr(
            "The pages behind the links of an agent: they connect accounts, and keep what is "
            "granted encrypted, away from models and editors."
        ),
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="serve|list|revoke")
    _add_serve(actions.add_parser("serve", help=tr("serve the pages"), allow_abbrev=False))
    listing = actions.add_parser(
        "list", help=tr("show which accounts are connected"), allow_abbrev=False
    )
    revoking = actions.add_parser(
        "revoke", help=tr("disconnect an account, here and at its provider"), allow_abbrev=False
    )
    for one in (listing, revoking):
        _add_shared(one, providers_needed=one is revoking)
        one.add_argument(
            "--user",
            type=Identity,
            metavar="ID",
            help=tr("whose accounts (default: those of the user of this machine)"),
        )
    revoking.add_argument("provider", metavar="PROVIDER")
    return parser


def _add_serve(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1", help=tr("the address to listen on (default: %(default)s)"))
    add("--port", type=_port, default=0, help=tr("the port to listen on (default: any free one)"))
    add(
        "--base-url",
        metavar="URL",
        help=tr("where browsers find the pages (default: the address that it listens on)"),
    )
    add(
        "--identity",
        default="local",
        metavar="local|header:NAME|oidc:PROVIDER",
        help=tr(
            "how users are known: the one user of this machine, by a header of an authenticating "
            "proxy, or by signing in at one of the providers (default: %(default)s)"
        ),
    )
    add(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help=tr(
            "an address or network that the authenticating proxy connects from; may stand several "
            "times (default: this machine)"
        ),
    )
    _add_shared(parser, providers_needed=True)


def _add_shared(parser: argparse.ArgumentParser, *, providers_needed: bool) -> None:
    add = parser.add_argument
    add(
        "--store",
        default="sqlite:",
        metavar="URL",
        help=tr(
            "where links and grants are: sqlite:PATH, redis://..., postgresql://... (default: a "
            "file of this user)"
        ),
    )
    add(
        "--providers",
        type=Path,
        metavar="FILE",
        required=providers_needed,
        help=tr("what can be connected: a file in YAML, TOML or JSON"),
    )
    add(
        "--key-file",
        type=Path,
        metavar="FILE",
        help=tr("the keys of what is granted (default: a file of this user, made if missing)"),
    )
    add(
        "--keyring",
        action="store_true",
        help=tr("take the keys from the keyring of this system instead"),
    )
    add_language_option(parser)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:6]) < 65536):
        raise argparse.ArgumentTypeError(tr("a port is a number from 0 to 65535"))
    return int(text)


def _proxy_secret() -> Secret | None:
    found = os.environ.get(_PROXY_SECRET)
    return None if found is None else Secret(found)


def _refuse(why: str, code: int) -> int:
    print(f"acp-elicit connect: {why}", file=sys.stderr)
    return code
