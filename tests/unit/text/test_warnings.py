"""What a person reads about a form that asks for a secret."""

import pytest

from acp_elicitation.forms.secrets import SecretFinding, Where
from acp_elicitation.text.warnings import word_finding

pytestmark = pytest.mark.requirement("FORM-5")

WORDED: list[tuple[str, str, Where, str]] = [
    (
        "db",
        "password",
        "title",
        "This field seems to ask for a password. Agents must not ask for secrets in a form, and "
        "what you enter may be stored. Decline, and do not enter it here.",
    ),
    (
        "",
        "one-time-code",
        "message",
        "This form seems to ask for a one-time code. Agents must not ask for secrets in a form, "
        "and what you enter may be stored. Decline, and do not enter it here.",
    ),
    (
        "q",
        "marked",
        "meta",
        "This field seems to ask for a secret. Agents must not ask for secrets in a form, and "
        "what you enter may be stored. Decline, and do not enter it here.",
    ),
    (
        "q",
        "a-rule-of-tomorrow",
        "name",
        "This field seems to ask for a secret. Agents must not ask for secrets in a form, and "
        "what you enter may be stored. Decline, and do not enter it here.",
    ),
    (
        "q",
        "github-token",
        "default",
        "What stands here already looks like a secret (github token), and would be sent to the "
        "agent. Clear it, or decline.",
    ),
    (
        "q",
        "jwt",
        "option",
        "One of the choices looks like a secret (jwt). Decline unless you know why it is here.",
    ),
]


@pytest.mark.parametrize(("property", "rule", "where", "words"), WORDED)
def test_a_finding_is_worded(property: str, rule: str, where: Where, words: str) -> None:
    finding = SecretFinding(property=property, rule=rule, where=where, term="\x1b[2J")
    assert word_finding(finding) == words
