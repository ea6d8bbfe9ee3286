"""A secret shows itself to nobody by accident."""

import copy
import json
import logging
import pickle
import traceback

import msgspec
import pytest

from acp_elicitation.connect.secret import Secret

HIDDEN = "s3cr3t-value"


@pytest.mark.requirement("URL-2")
def test_a_secret_prints_formats_and_logs_as_stars(caplog: pytest.LogCaptureFixture) -> None:
    secret = Secret(HIDDEN)
    logging.getLogger("x").warning("%s %r %s", secret, secret, {"token": secret})
    shown = [str(secret), repr(secret), f"{secret}", f"{secret:>5}", "%s" % secret, caplog.text]  # noqa: UP031
    assert shown[:5] == ["***", "***", "***", "  ***", "***"]
    assert HIDDEN not in "".join(shown)


def test_a_secret_is_not_in_a_traceback_with_its_variables() -> None:
    def fail(secret: Secret) -> None:
        raise ValueError(f"cannot use {secret}")

    with pytest.raises(ValueError) as caught:
        fail(Secret(HIDDEN))
    report = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    text = "".join(report.format())
    assert "secret = ***" in text
    assert HIDDEN not in text


@pytest.mark.parametrize(
    "attempt", [pickle.dumps, copy.copy, copy.deepcopy, json.dumps, msgspec.json.encode]
)
def test_a_secret_cannot_be_pickled_copied_or_written_as_json(attempt) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError) as caught:
        attempt(Secret(HIDDEN))
    assert HIDDEN not in str(caught.value)


def test_a_secret_has_no_attributes_to_look_at() -> None:
    assert not hasattr(Secret(HIDDEN), "__dict__")


def test_only_reveal_returns_it() -> None:
    assert Secret(HIDDEN).reveal() == HIDDEN


def test_secrets_compare_by_their_text_and_with_nothing_else() -> None:
    assert Secret(HIDDEN) == Secret(HIDDEN)
    assert Secret(HIDDEN) != Secret("other")
    assert Secret(HIDDEN) != HIDDEN
    assert len({Secret(HIDDEN), Secret(HIDDEN), Secret("\ud800")}) == 2


def test_an_empty_secret_is_none_at_all() -> None:
    assert not Secret("")
    assert Secret("x")
