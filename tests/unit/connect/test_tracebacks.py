"""What works with secrets shows no variable of its own in the traceback of an exception of ours."""

from collections.abc import Awaitable, Callable

import pytest

from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.tracebacks import keeps_to_itself, keeps_to_itself_async
from acp_elicitation.stores.errors import StoreUnavailable
from tests.tracebacks import with_variables

HIDDEN = "s3cr3t-value"


def fail(error: Exception, token: str) -> str:
    plain = f"token={token}"
    if plain:
        raise error
    return plain


async def fail_later(error: Exception, token: str) -> str:
    return fail(error, token)


@keeps_to_itself
def quiet(error: Exception) -> str:
    """Say what it is."""
    return fail(error, HIDDEN)


@keeps_to_itself_async
async def quiet_later(error: Exception, *, token: str = HIDDEN) -> str:
    """Say what it is."""
    return await fail_later(error, token)


async def call(error: Exception) -> str:
    return quiet(error)


async def call_with_token(error: Exception) -> str:
    return await quiet_later(error, token=HIDDEN)


CALLS = (call, quiet_later, call_with_token)


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("calling", CALLS, ids=lambda calling: calling.__name__)
async def test_an_exception_of_ours_shows_none_of_the_variables(
    calling: Callable[[Exception], Awaitable[str]],
) -> None:
    with pytest.raises(VaultError, match="what it is about") as caught:
        await calling(VaultError("what it is about"))
    shown = with_variables(caught.value)
    assert HIDDEN not in shown
    assert "what it is about" in shown


async def test_without_it_the_variables_are_shown() -> None:
    with pytest.raises(VaultError) as caught:
        await fail_later(VaultError("x"), HIDDEN)
    assert HIDDEN in with_variables(caught.value)


@pytest.mark.parametrize("calling", CALLS, ids=lambda calling: calling.__name__)
async def test_the_cause_of_an_exception_is_kept(
    calling: Callable[[Exception], Awaitable[str]],
) -> None:
    error, cause = StoreUnavailable("OSError"), OSError("away")
    error.__cause__ = cause
    with pytest.raises(StoreUnavailable) as caught:
        await calling(error)
    assert caught.value.__cause__ is cause


async def test_a_failure_that_is_none_of_ours_is_told_with_its_place() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        quiet(ZeroDivisionError())
    assert "in fail" in with_variables(caught.value)


async def test_it_is_the_same_function_otherwise() -> None:
    assert quiet.__doc__ == quiet_later.__doc__ == "Say what it is."
    assert quiet.__name__ == "quiet"
