"""Writes docs/links.md: what is said about a link, by code, with examples judged on the way.

Owns: the page. Knows nothing of: how a link is judged; verdicts, meanings and sentences are asked
of `links` and `text.links`.
Above it: `make docs` (writes the page) and `make check` (fails where it is stale). Below it: these
two layers.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from acp_elicitation.links import check_own_link, inspect_link
from acp_elicitation.links.inspect import LONGEST
from acp_elicitation.links.report import RULES, Verdict
from acp_elicitation.protocol.errors import UnsafeLink
from acp_elicitation.text.links import word_warning
from tools.pages import PROJECT, is_current, write

__all__ = ["EXAMPLES", "OWN", "main", "page"]

_PAGE = "docs/links.md"

EXAMPLES = (
    "https://agent.example.com/connect?elicitationId=github-oauth-001",
    "http://localhost:8123/connect",
    "http://example.com/connect",
    "https://example.com:8444/connect",
    "https://192.0.2.7/connect",
    "https://printer.local/",
    "https://xn--fa-hia.de/",
    "https://\u0430\u0440\u0440\u04cf\u0435.com/login",
    "https://p\u0430ypal.com/",
    "https://paypa1.com/",
    "https://github-login.com/",
    "https://github.com.evil.example/",
    "https://example.com/cb?access_token=ya29.abc",
    "https://example.com/?email=ada%40example.org",
    "https://example.com@evil.example/",
    "https://example.com\\@evil.example/",
    "https://example.com%2eevil.example/",
    "https:example.com",
    "http://2130706433/",
    "https://example.com/\u202egnp.exe",
    "https://example.com/ path",
    "https://xn--a/",
    "javascript:alert(1)",
    "/connect?x=1",
)
"""At least one for each code; the page shows how each is judged."""

OWN = (
    "https://agent.example.com/connect?elicitationId=github-oauth-001",
    "http://127.0.0.1:8123/connect",
    "http://agent.example.com/connect",
    "https://agent.example.com/connect?session=8f14e45f",
    "https://agent.example.com/connect?api_key=abc",
    "https://agent.example.com/connect?email=ada%40example.org",
    "https://github.com/login/oauth/authorize?client_id=abc&redirect_uri=https%3A%2F%2Fa.example",
    "https://user:pw@agent.example.com/",
)
"""The page shows which of these an agent may send."""

_OPENING = """\
# Links, judged before they are opened

<!-- Written by `make docs` from src/acp_elicitation/links and tools/links.py; do not edit. -->

```python
from acp_elicitation.links import inspect_link

report = inspect_link(url)  # never raises, never opens a connection
report.verdict  # "fine", "warn" or "refuse"
report.host, report.registrable_domain  # in ASCII, as the browser will use them
report.host_unicode, report.registrable_domain_unicode
report.warnings  # LinkWarning(code=..., params=...), by code, each code once
```

`inspect_link` says what a browser would do with exactly this string (URL-12). The URL is parsed
by the WHATWG URL Standard, as browsers do, and compared with how it is written: where the two
differ, a person who reads the URL is misled, and the verdict is `refuse`. What is merely unusual
or risky is a warning. A refused URL must not be opened. What is opened has to be the very string
that was shown and judged.

A code means the same in every presenter; `acp_elicitation.text.links.word_warning` gives the
sentence to show, which says what is odd and what to do.
"""

_LIMITS = f"""\

## What is not judged

- Whether the site is a good one: nothing is looked up, and no list of bad sites is kept.
- Misspelled names that do not look alike (`gihtub.com`), and names beyond the list in
  `links/known_names.py`.
- Where the page sends the browser next.
- A link longer than {LONGEST} characters: it is `invalid`.

An emoji or another character that IDNA 2008 does not have makes a host `invalid`, though some
browsers would go there; so does a label of Punycode that does not decode and encode again to the
same.

## Where the knowledge comes from

- `ada-url` parses; `urllib` is asked as well, and where it sees another host, scheme or port, the
  link is `rewritten`.
- `publicsuffixlist` has the public suffix list, private section included, in the version that is
  installed; it is never fetched.
- `idna` decodes and encodes each label of Punycode.
- Scripts and lookalikes are a table of Unicode 17.0.0 (`links/unicode_tables.py`, written by
  `tools/unicode_tables.py`, under the [Unicode License v3](../LICENSES/Unicode-3.0.txt)). *Highly
  Restrictive* of UTS 39 is the measure for scripts: Han with the kana, with Bopomofo or with
  Hangul go together, and each of these with Latin; Cyrillic or Greek with Latin do not. The tests
  compare with ICU.
- The well-known names are `links/known_names.py`, a short list of services that people log in to.
"""


def page() -> str:
    """The whole text of the page."""
    return (
        f"{_OPENING}\n## Codes\n{''.join(_codes())}"
        f"\n## Examples\n\n{''.join(_examples())}"
        f"\n## An agent's own links\n\n{''.join(_own())}"
        f"{_LIMITS}"
    )


def main(arguments: list[str] | None = None, *, project: Path = PROJECT) -> int:
    """Write the page, or with `--check` say whether it is current; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where stale")
    target = project / _PAGE
    if not parser.parse_args(arguments).check:
        write(target, page())
    elif not is_current(target, page()):
        print(f"{_PAGE} is not up to date: run `make docs` and commit it", file=sys.stderr)
        return 1
    return 0


_HEADINGS: tuple[tuple[Verdict, str], ...] = (
    ("refuse", "Refused: the link cannot be opened"),
    ("warn", "Warned of: consent is asked with the warning in view"),
    ("fine", "Said, and fine"),
)


def _codes() -> Iterator[str]:
    for verdict, heading in _HEADINGS:
        yield f"\n### {heading}\n\n| code | what it says |\n|---|---|\n"
        for code in sorted(code for code, rule in RULES.items() if rule.verdict == verdict):
            yield f"| `{code}` | {RULES[code].meaning} |\n"


def _examples() -> Iterator[str]:
    yield "Letters beyond ASCII and what cannot be seen are written as escapes here.\n\n"
    yield "| link | verdict | host | domain | what is said |\n|---|---|---|---|---|\n"
    for url in EXAMPLES:
        report = inspect_link(url)
        said = "<br>".join(f"`{it.code}` {word_warning(it)}" for it in report.warnings)
        hosts = (_quoted(host) for host in (report.host, report.registrable_domain))
        yield f"| {_quoted(url)} | {report.verdict} | {' | '.join(hosts)} | {said} |\n"


def _own() -> Iterator[str]:
    yield (
        "`check_own_link(url)` raises `UnsafeLink` for what an agent must not ask its user to "
        "open (URL-9, URL-14); the message never repeats the URL or a value out of it.\n\n"
    )
    yield "| link | may be sent |\n|---|---|\n"
    for url in OWN:
        try:
            check_own_link(url)
            verdict = "yes"
        except UnsafeLink as error:
            verdict = f"no: {error}"
        yield f"| {_quoted(url)} | {verdict} |\n"


def _quoted(text: str | None) -> str:
    return f"`{text.encode('unicode_escape').decode()}`" if text is not None else ""


if __name__ == "__main__":
    sys.exit(main())
