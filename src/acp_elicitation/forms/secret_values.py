"""Is this text a secret itself? The shapes of well-known tokens, keys and card numbers.

Owns: the shapes. Each is so particular that an ordinary value does not have it; what has no shape
(most passwords) is not found. Placeholders ("sk-...", "user:password@host") are no secrets.
Knows nothing of: forms. Nothing here keeps what it was given. Above it: `secrets`. Below it:
nothing.
"""

import re
from functools import cache
from types import MappingProxyType

__all__ = ["is_secret_value"]

# For each rule the literals that stand in every such secret, and the shape. Each quantifier that
# can run on after a failure is bounded, so that a long text costs no more than its length.
_SHAPES = MappingProxyType(
    {
        "private-key": (
            ("PRIVATE KEY",),
            r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
        ),
        "age-key": (("AGE-SECRET-KEY-1",), r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
        "aws-key": (("AKIA", "ASIA"), r"\bA[KS]IA[A-Z2-7]{16}\b"),
        "github-token": (
            ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
            r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22})",
        ),
        "gitlab-token": (("glpat-", "glrt-", "gldt-"), r"\bgl(?:pat|rt|dt)-[\w-]{20}"),
        "slack-token": (
            ("xox", "xapp-", "hooks.slack.com"),
            r"\bxox[abeoprs]-[\w-]{20}|\bxapp-\d-[\w-]{20}"
            r"|\bhooks\.slack\.com/services/T\w{1,20}/B\w{1,20}/\w{20}",
        ),
        "stripe-key": (
            ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
            r"\b(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16}|whsec_[A-Za-z0-9+/]{24})",
        ),
        "anthropic-key": (("sk-ant-",), r"\bsk-ant-[\w-]{20}"),
        "openai-key": (("sk-",), r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9]{20}"),
        "google-key": (
            ("AIza", "ya29.", "GOCSPX-"),
            r"\b(?:AIza[\w-]{35}(?![\w-])|ya29\.[\w-]{20}|GOCSPX-[\w-]{20})",
        ),
        "huggingface-token": (("hf_",), r"\bhf_[A-Za-z]{30}"),
        "npm-token": (("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
        "pypi-token": (("pypi-AgE",), r"\bpypi-AgE[\w-]{50}"),
        "digitalocean-token": (("_v1_",), r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
        "sendgrid-key": (("SG.",), r"\bSG\.[\w-]{16,64}\.[\w-]{16}"),
        "telegram-token": ((":AA",), r"\b\d{8,10}:AA[\w-]{33}(?![\w-])"),
        "vault-token": (("hvs.", "hvb."), r"\bhv[sb]\.[\w-]{24}"),
        "azure-key": (
            ("AccountKey=", "AccessKey="),
            r"\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40}",
        ),
        "jwt": ((".eyJ",), r"\beyJ[\w-]{8,1000}\.eyJ[\w-]{4,3000}\.[\w-]{16}"),
        "bearer-token": (("earer ",), r"\b[Bb]earer {1,4}[\w.~+/-]{24}"),
        "url-password": (
            ("://",),
            r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@]{0,100}:([^\s/@]{1,200})@[\w.\[-]",
        ),
    }
)
_PLACEHOLDER = re.compile(r"(?i)example|your|xxxx|redacted|placeholder|1234567890|abcdefgh")
_STAND_IN = re.compile(
    r"(?i)[$%<{\[].*|x+|\*+|\.+|(?:my|your|db|the|user)?[-_]?(?:password|passwd|pass|pwd|pw|secret|"
    r"token|postgres|root|change-?me|example|test|key|admin|guest|user)"
)
_VARIETY = 8  # characters that differ, in a real token
_CARD = re.compile(
    r"(?<![\w.-])(?:"
    r"(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d|64[4-9]\d|62\d\d|35[2-8]\d)"
    r"([ -]?)\d{4}\1\d{4}\1\d{4}"
    r"|3[47]\d\d([ -]?)\d{6}\2\d{5})(?![\w-])"
)
_SEED = re.compile(r"\s*[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4}\s*")
# A list or a sentence of so many words has one of these; a seed phrase (BIP 39) never has.
_NO_SEED = (
    "after and are async await been both branch but class commit config could create data debug "
    "delete demo deploy dev django docker docs does each errors every files flask for format "
    "from function had has how import info its keys lint linux may module names new node not "
    "numpy our out package packages pandas parser pytest python react read rust scipy server set "
    "should some tests than the them these through too types user users using value values via "
    "was were which while with without would your"
)
_SHORTEST = 12  # code points


def is_secret_value(text: str) -> str | None:
    """Return the rule by which `text` is or holds a secret, or None (FORM-5).

    Found are the tokens and keys of well-known services, private keys, passwords within URLs,
    card numbers, and seed phrases of 12 to 24 words. Nothing is kept of the text.
    """
    if len(text) < _SHORTEST:
        return None
    for rule, (marks, _) in _SHAPES.items():
        if any(mark in text for mark in marks):
            found = _shape(rule).search(text)
            if found is not None and not _is_placeholder(found):
                return rule
    if any(_has_check_digit(card[0]) for card in _CARD.finditer(text)):
        return "card-number"
    return "seed-phrase" if _is_seed(text) else None


@cache
def _shape(rule: str) -> re.Pattern[str]:
    return re.compile(_SHAPES[rule][1])


def _is_placeholder(found: re.Match[str]) -> bool:
    if found.lastindex:
        return _STAND_IN.fullmatch(found[1]) is not None
    return _PLACEHOLDER.search(found[0]) is not None or len(set(found[0])) < _VARIETY


def _has_check_digit(card: str) -> bool:
    """Tell whether the last digit is the one that the others give (Luhn)."""
    digits = [int(character) for character in reversed(card) if character.isdigit()]
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_seed(text: str) -> bool:
    return _SEED.fullmatch(text) is not None and frozenset(_NO_SEED.split()).isdisjoint(
        text.split()
    )
