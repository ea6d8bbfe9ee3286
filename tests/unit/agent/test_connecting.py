"""What an agent asks with, and all that it learns of an account."""

from typing import Any

import pytest

from acp_elicitation.agent.connecting import Connects, Grant
from acp_elicitation.protocol.errors import NotPossible

HUB = Grant(provider="hub", account="ada", scopes=("repo",))


class Recorder:
    """A connector that grants everything, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def connect(self, provider: str, **asked: Any) -> Grant:
        self.asked.append((provider, asked))
        return HUB


def connects(recorder: Recorder) -> Connects:
    found = Connects()
    found.connector = recorder
    return found


async def test_what_is_asked_for_comes_to_the_connector_as_it_is() -> None:
    recorder = Recorder()
    asked: dict[str, Any] = {
        "purpose": "To open pull requests.",
        "scopes": ("repo",),
        "again": True,
        "wait": 5.0,
        "session": "s",
        "timeout": 3.0,
    }
    assert await connects(recorder).connect("hub", **asked) is HUB
    assert recorder.asked == [("hub", asked)]


async def test_what_is_not_said_asks_for_nothing_more_and_waits_for_the_links_end() -> None:
    recorder = Recorder()
    await connects(recorder).connect("hub", session="s")
    nothing = {"purpose": "", "scopes": (), "again": False, "wait": None, "session": "s"}
    assert recorder.asked == [("hub", nothing)]


async def test_without_a_connect_service_it_is_not_possible_and_says_what_to_do() -> None:
    with pytest.raises(NotPossible, match=r"Agent\(connecting=\.\.\.\)"):
        await Connects().connect("hub", session="s")


@pytest.mark.requirement("URL-2")
def test_a_grant_has_no_place_for_a_credential() -> None:
    assert set(Grant.__struct_fields__) == {"provider", "account", "scopes"}
    assert Grant(provider="hub") == Grant(provider="hub", account="", scopes=())
