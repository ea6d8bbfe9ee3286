"""What a person reads about a form that asks for a secret: every such sentence stands here.

Owns: the words for a kind of secret, and the warnings. They say what is going on and that
declining is right. Knows nothing of: how a finding comes about, presenters, and escaping: nothing
of the agent's text is in a sentence.
Above it: the presenters, the client side. Below it: `forms.secrets`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from acp_elicitation.forms.secrets import SecretFinding

__all__ = ["word_finding"]

# What can be asked for, by rule.
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "api-key": "an API key",
        "bank-account": "a bank account",
        "card": "the data of a payment card",
        "credentials": "credentials",
        "marked": "a secret",
        "national-id": "a social security number",
        "one-time-code": "a one-time code",
        "passcode": "a passcode",
        "password": "a password",
        "pin": "a PIN",
        "private-key": "a private key",
        "recovery": "a recovery code or phrase",
        "secret-key": "a secret key",
        "token": "an access token",
    }
)


def word_finding(finding: SecretFinding) -> str:
    """Return one or two sentences about `finding` (FORM-5, UI-3). They do not name the field."""
    match finding.where:
        case "default":
            return (
                f"What stands here already looks like a secret ({_plain(finding.rule)}), and would "
                "be sent to the agent. Clear it, or decline."
            )
        case "option":
            return (
                f"One of the choices looks like a secret ({_plain(finding.rule)}). "
                "Decline unless you know why it is here."
            )
        case _:
            kind = _KINDS.get(finding.rule, "a secret")
            asker = "This field" if finding.property else "This form"
            return (
                f"{asker} seems to ask for {kind}. Agents must not ask for secrets in a form, and "
                "what you enter may be stored. Decline, and do not enter it here."
            )


def _plain(rule: str) -> str:
    return rule.replace("-", " ")
