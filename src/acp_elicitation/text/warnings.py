"""What a person reads about a form that asks for a secret: every such sentence stands here.

Owns: the words for a kind of secret, and the warnings. They say what is going on and that
declining is right. Knows nothing of: how a finding comes about, presenters, and escaping: nothing
of the agent's text is in a sentence.
Above it: the presenters, the client side. Below it: `language`, `forms.secrets`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from acp_elicitation.forms.secrets import SecretFinding
from acp_elicitation.text.language import tr, tr_later

__all__ = ["word_finding"]

_SECRET = tr_later("a secret")

# What can be asked for, by rule.
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "api-key": tr_later("an API key"),
        "bank-account": tr_later("a bank account"),
        "card": tr_later("the data of a payment card"),
        "credentials": tr_later("credentials"),
        "marked": _SECRET,
        "national-id": tr_later("a social security number"),
        "one-time-code": tr_later("a one-time code"),
        "passcode": tr_later("a passcode"),
        "password": tr_later("a password"),
        "pin": tr_later("a PIN"),
        "private-key": tr_later("a private key"),
        "recovery": tr_later("a recovery code or phrase"),
        "secret-key": tr_later("a secret key"),
        "token": tr_later("an access token"),
    }
)


def word_finding(finding: SecretFinding) -> str:
    """Return one or two sentences about `finding` (FORM-5, UI-3). They do not name the field."""
    match finding.where:
        case "default":
            return tr(
                "What stands here already looks like a secret ({rule}), and would be sent to the "
                "agent. Clear it, or decline.",
                rule=_plain(finding.rule),
            )
        case "option":
            return tr(
                "One of the choices looks like a secret ({rule}). Decline unless you know why it "
                "is here.",
                rule=_plain(finding.rule),
            )
        case _:
            kind = tr(_KINDS.get(finding.rule, _SECRET))
            asker = tr("This field") if finding.property else tr("This form")
            return tr(
                "{asker} seems to ask for {kind}. Agents must not ask for secrets in a form, and "
                "what you enter may be stored. Decline, and do not enter it here.",
                asker=asker,
                kind=kind,
            )


def _plain(rule: str) -> str:
    return rule.replace("-", " ")
