"""Why a link ended: from what a store says to one reason."""

import pytest

from acp_elicitation.connect.reasons import Reason, reason_of
from acp_elicitation.stores.lifecycle import LinkState


@pytest.mark.parametrize("reason", Reason)
def test_the_code_of_a_failure_is_its_reason(reason: Reason) -> None:
    assert reason_of(state=LinkState.FAILED.name, reason=reason.value) is reason


def test_time_and_withdrawal_need_no_code() -> None:
    assert reason_of(state=LinkState.EXPIRED.name, reason="") is Reason.EXPIRED
    assert reason_of(state=LinkState.WITHDRAWN.name, reason="") is Reason.WITHDRAWN


def test_a_code_of_another_version_is_no_error() -> None:
    assert reason_of(state=LinkState.FAILED.name, reason="of tomorrow") is Reason.UNKNOWN
