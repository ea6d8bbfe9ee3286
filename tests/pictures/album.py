"""Which pictures the documentation has, and how each is made."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from tests.pictures.prompts import chinese_question, mistaken_question, odd_link, question
from tests.pictures.terminal import screen
from tests.pictures.web import page

__all__ = ["FOLDER", "PICTURES", "PROJECT"]

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "docs" / "images"

PICTURES: Mapping[str, Callable[[], Awaitable[bytes]]] = {
    "tui-form.svg": lambda: screen(question()),
    "tui-review.svg": lambda: screen(question(), press="review"),
    "tui-link.svg": lambda: screen(odd_link(), size=(80, 22)),
    "web-form.png": lambda: page(question()),
    "web-problems.png": lambda: page(mistaken_question(), show_problems=True),
    "web-link.png": lambda: page(odd_link()),
    "web-dark.png": lambda: page(question(), scheme="dark"),
    "web-chinese.png": lambda: page(chinese_question(), language="zh-CN"),
}
"""By file name: a function that makes it, always the same way."""
