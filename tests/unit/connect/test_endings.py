"""Each way in which a link ends has words of its own, in every language, and an honest status."""

from collections.abc import Iterator

import pytest

from acp_elicitation.connect.endings import (
    COMPLETED,
    NO_COOKIE,
    NO_LINK,
    NO_STORE,
    REASONS,
    USED,
    Ending,
)
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.text.language import tr, use_language

ALL = [COMPLETED, NO_LINK, USED, NO_COOKIE, NO_STORE, *REASONS.values()]


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh-CN")
    yield
    use_language("en")


def test_each_reason_has_its_words() -> None:
    assert set(REASONS) == set(Reason)


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("ending", ALL, ids=lambda ending: ending.heading)
def test_the_words_are_translated(ending: Ending) -> None:
    assert tr(ending.heading) != ending.heading
    assert tr(ending.advice) != ending.advice


def test_only_what_the_user_wanted_is_no_error() -> None:
    fine = [ending for ending in ALL if ending.status < 400]
    assert fine == [COMPLETED, REASONS[Reason.DENIED]]


def test_nobody_is_told_whether_a_link_was_never_there_or_is_another_users() -> None:
    assert "does not exist any more, or was made for another user" in NO_LINK.advice
    assert NO_LINK.status == 404
