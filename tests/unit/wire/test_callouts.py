"""What a log entry tells of an exception, and what not."""

import pytest

from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.wire.callouts import guarded, log_failure


def fail(what: str) -> None:
    raise ValueError(what)


@pytest.mark.requirement("UI-2")
def test_an_entry_has_the_frames_and_no_text_of_another_package(
    caplog: pytest.LogCaptureFixture,
) -> None:
    guarded(fail, "typed")
    assert "fail failed with ValueError\n" in caplog.text
    assert "raise ValueError(what)" in caplog.text
    assert "typed" not in caplog.text


def test_an_entry_has_the_text_of_an_exception_of_this_package(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log_failure("all of it", ConnectionLost("exit status 1"))
    assert "all of it failed with ConnectionLost: exit status 1\n" in caplog.text


@pytest.mark.parametrize("hidden", [False, True])
def test_an_entry_tells_what_an_exception_came_from_unless_that_is_hidden(
    hidden: bool, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        try:
            fail("typed")
        except ValueError:
            if hidden:
                raise ConnectionLost from None
            raise ConnectionLost  # noqa: B904
    except ConnectionLost as error:
        log_failure("it", error)
    assert ("That came after ValueError" in caplog.text) is not hidden


def test_exceptions_that_came_from_each_other_end(caplog: pytest.LogCaptureFixture) -> None:
    one, other = ConnectionLost("one"), ConnectionLost("other")
    one.__cause__, other.__cause__ = other, one
    log_failure("it", one)
    assert caplog.text.count("ConnectionLost") == 2
