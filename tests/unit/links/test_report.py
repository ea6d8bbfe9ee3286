"""The codes, their verdicts, and what a report holds."""

from typing import get_args

import pytest

from acp_elicitation.links.report import (
    RULES,
    Code,
    LinkReport,
    LinkWarning,
    Verdict,
    verdict_of,
)


def test_every_code_has_a_rule() -> None:
    assert set(RULES) == set(get_args(Code))
    assert {rule.verdict for rule in RULES.values()} == set(get_args(Verdict))
    assert all(rule.meaning for rule in RULES.values())


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("codes", "verdict"),
    [
        ([], "fine"),
        (["loopback"], "fine"),
        (["loopback", "punycode"], "warn"),
        (["punycode", "loopback", "userinfo"], "refuse"),
    ],
)
def test_the_gravest_code_decides(codes: list[Code], verdict: Verdict) -> None:
    assert verdict_of(codes) == verdict


def test_a_report_gives_the_codes_of_its_warnings() -> None:
    warnings = (LinkWarning(code="ip-host"), LinkWarning(code="not-https"))
    report = LinkReport(url="http://192.0.2.7/", verdict="warn", warnings=warnings)
    assert report.codes == ("ip-host", "not-https")


def test_reports_are_frozen() -> None:
    with pytest.raises(AttributeError):
        LinkReport(url="", verdict="refuse").verdict = "fine"  # type: ignore[misc]
