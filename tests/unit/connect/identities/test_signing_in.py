"""Where signing in goes no further, the page says what to do, and of nobody who it is."""

from collections.abc import Iterator

import pytest

from acp_elicitation.connect import errors
from acp_elicitation.connect.endings import Ending
from acp_elicitation.connect.errors import ProviderError
from acp_elicitation.connect.identities.signing_in import (
    AS_OTHER,
    NOT_BEGUN,
    PROBLEMS,
    render_other_user,
    render_problem,
)
from acp_elicitation.text.language import tr, use_language
from tests.posting import read_page
from tests.web_client import found

HERE = "/connect/link/one"


def test_whatever_comes_of_a_provider_has_its_page() -> None:
    kinds = [getattr(errors, name) for name in errors.__all__]
    reasons = {kind.reason for kind in kinds if issubclass(kind, ProviderError)}
    assert reasons == set(PROBLEMS)


def test_no_page_counts_as_having_signed_in() -> None:
    assert all(problem.status >= 400 for problem in (NOT_BEGUN, *PROBLEMS.values()))


@pytest.mark.parametrize("problem", [NOT_BEGUN, *PROBLEMS.values()], ids=lambda it: it.heading)
def test_a_problem_is_said_with_what_to_do(problem: Ending) -> None:
    page = render_problem("/connect", problem)
    assert found(page, "h2").text() == problem.heading
    assert found(page, "p[role=status]").text() == problem.advice
    assert read_page(page).css_first("form") is None


@pytest.mark.requirement("URL-13")
def test_another_user_is_led_to_signing_in_as_the_right_one() -> None:
    page = render_other_user("/connect", HERE)
    assert found(page, "h2").text() == "Made for another user"
    change = found(page, "a.button")
    assert change.attributes["href"] == f"{HERE}?{AS_OTHER}"
    assert change.text() == "Sign in with another account"


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh-CN")
    yield
    use_language("en")


@pytest.mark.usefixtures("chinese")
def test_the_words_are_translated() -> None:
    for problem in (NOT_BEGUN, *PROBLEMS.values()):
        assert tr(problem.heading) != problem.heading
        assert tr(problem.advice) != problem.advice
    page = render_other_user("/connect", HERE)
    assert "Made for another user" not in page
    assert "Sign in with another account" not in page
