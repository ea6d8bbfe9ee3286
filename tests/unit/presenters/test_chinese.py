"""Questions in line mode, in Chinese: nothing of the presenter's own is left in English."""

import re
from collections.abc import Iterator

import pytest

from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.text.language import use_language
from tests.contract.presenters import form_prompt, link_prompt, permission_prompt
from tests.unit.presenters.dialogue import Person

OPTIONS = (Option(value="q1", title="Q"), Option(value="q2", title="QQ"))
EVERYTHING: dict[str, Property] = {
    "a": StringProperty(title="Q", min_length=2, max_length=9),
    "b": StringProperty(title="Q", format="email"),
    "c": IntegerProperty(title="Q", minimum=1, maximum=9, default=3),
    "d": BooleanProperty(title="Q"),
    "e": SelectProperty(title="Q", options=OPTIONS),
    "e_other": StringProperty(title="Q", max_length=5),
    "f": MultiSelectProperty(title="Q", options=OPTIONS, min_items=1),
    "g": UnknownProperty(type="q", title="Q"),
}
TYPED = "submit change yes no decline all cancel clear default list back review help continue r d"
"""The words that a person types: they are the same in every language."""
TERMS = "ada@example.org Ctrl-C https ASCII Punycode 18:00:00Z 0x 0o 0b"


@pytest.fixture(autouse=True)
def in_chinese() -> Iterator[None]:
    use_language("zh-CN")
    yield
    use_language("en")


def english_in(sees: str, *texts: str) -> set[str]:
    """The words in Latin letters that are neither the agent's, nor typed, nor terms."""
    for text in ("House Painter 3.1", "painter --acp", *texts, *TERMS.split()):
        sees = sees.replace(text, "")
    return set(re.findall("[A-Za-z]{1,}", sees)) - {"Q", "QQ", *TYPED.split()}


async def test_a_form_is_chinese_from_its_opening_to_its_end() -> None:
    prompt = form_prompt(EVERYTHING, required=("a",), message="Q", waiting=2)
    person = Person(
        *("", "1", "/help", "/hlep", "123", "q", "", "9.5", "1e3", "", "q", "", "7", "123456"),
        *("12", "9", "1，2", "q", "submit"),
    )
    reply = await person.answers(person.presenter.form(prompt))
    assert isinstance(reply, Accepted)
    assert (
        "来自 House Painter 3.1 的提问\n启动命令：painter --acp\n此后还有 2 个提问。" in person.sees
    )
    assert "已提交。" in person.sees
    assert english_in(person.sees, "/hlep", "hlep") == set()


@pytest.mark.parametrize("line", ["decline", "cancel", "yes"])
async def test_a_link_is_chinese(line: str) -> None:
    prompt = link_prompt(
        "http://xn--pple-43d.com:8080/?token=q", host="xn--pple-43d.com", message="Q"
    )
    person = Person("q", line)
    await person.answers(person.presenter.link(prompt))
    assert "浏览器" in person.sees
    own = english_in(person.sees, prompt.url, prompt.host, "аpple.com", "аpple", "apple", "token")
    assert own == set()


async def test_a_permission_is_chinese() -> None:
    person = Person("0", "1")
    await person.answers(person.presenter.permission(permission_prompt(title="Q")))
    assert "来自 House Painter 3.1 的权限请求" in person.sees
    assert english_in(person.sees, "Allow", "Reject") == set()
