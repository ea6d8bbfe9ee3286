"""A page of docs/ that is written from the source: put in place, or compared with what is there.

Owns: those two. Knows nothing of: what the pages say.
Above it: `tools/conformance.py`, `tools/lifecycle.py`. Below it: nothing.
"""

from pathlib import Path

__all__ = ["PROJECT", "is_current", "write"]

PROJECT = Path(__file__).resolve().parent.parent


def is_current(page: Path, text: str) -> bool:
    """Whether the page exists and says exactly this."""
    return page.exists() and page.read_text(encoding="utf-8") == text


def write(page: Path, text: str) -> None:
    """Put the page in place, with its folder."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
