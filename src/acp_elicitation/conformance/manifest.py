"""Every requirement of ACP elicitation, once: the ids that comments and tests quote.

Owns: the id, the side, the level and the wording of each requirement.
Knows nothing of: the code that keeps a requirement and the tests that show it;
`tools/conformance.py` finds both and writes `docs/conformance.md`.
Above it: that tool, the `requirement` mark of the tests, the live checks. Below it: nothing.

The statements are the project's own words for the normative text of the "Elicitation" page and of
the schema reference, which read the same in protocol v1 and v2.
"""

from typing import Literal

import msgspec

__all__ = ["GROUPS", "REQUIREMENTS", "Level", "Requirement", "Side", "find"]

Side = Literal["agent", "client"]
Level = Literal["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"]


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """One normative statement."""

    id: str
    sides: tuple[Side, ...]
    level: Level
    statement: str

    @property
    def group(self) -> str:
        """The letters before the number, a key of `GROUPS`."""
        return self.id.partition("-")[0]


GROUPS = {
    "UI": "User interaction",
    "CAP": "Capabilities",
    "REQ": "Creating",
    "FORM": "Form mode",
    "URL": "URL mode",
    "RES": "Responses",
    "FWD": "Forward compatibility",
}

_A: tuple[Side, ...] = ("agent",)
_C: tuple[Side, ...] = ("client",)
_AC: tuple[Side, ...] = ("agent", "client")


def _row(id: str, sides: tuple[Side, ...], level: Level, statement: str) -> Requirement:
    return Requirement(id=id, sides=sides, level=level, statement=statement)


# fmt: off
REQUIREMENTS: tuple[Requirement, ...] = (
    # User interaction
    _row("UI-1", _C, "MUST",
         "name clearly which agent asks (its title, else name, and version from `initialize`; "
         "with the command that started it)"),
    _row("UI-2", _C, "MUST",
         "respect privacy: nothing the user typed leaves before they submit; nothing is logged; "
         "drafts are not sent on decline or cancel"),
    _row("UI-3", _C, "MUST",
         "a clear decline control and a clear cancel control, distinct from each other, reachable "
         "by keyboard"),
    _row("UI-4", _C, "MUST",
         "form: the user can review and change every value before it is sent"),
    _row("UI-5", _C, "MUST",
         "url: the target host is displayed and consent obtained before navigation"),
    _row("UI-6", _C, "SHOULD",
         "show the request's `message`"),
    # Capabilities
    _row("CAP-1", _A, "MUST",
         "`elicitation` omitted or `null` = unsupported"),
    _row("CAP-2", _A, "MUST",
         "form (url) is supported only when `form` (`url`) is present and not null"),
    _row("CAP-3", _A, "MUST",
         '`{}` and `{"form":null,"url":null}` advertise nothing (unlike MCP, where `{}` means '
         "form)"),
    _row("CAP-4", _A, "MUST NOT",
         "send a mode that this client did not advertise"),
    _row("CAP-5", _A, "SHOULD",
         "fall back gracefully when the mode is missing"),
    _row("CAP-6", _C, "MUST",
         "a request in a mode not advertised gets JSON-RPC error -32602"),
    _row("CAP-7", _AC, "MUST",
         'a malformed capability value (`"form": 3`) reads as not advertised, never as an error '
         "of `initialize`"),
    # Creating
    _row("REQ-1", _A, "MUST",
         "`elicitation/create` goes as a direct JSON-RPC request, with `mode` always explicit"),
    _row("REQ-2", _AC, "MUST",
         "scope is flattened: `sessionId` (with optional `toolCallId`), or `requestId`; v2: "
         "exactly one of the two"),
    _row("REQ-3", _A, "MUST",
         "bind each elicitation and its state to the connection that received it and, where users "
         "are authenticated, to the verified identity; a session id alone, or an identity the "
         "client merely claims, is not enough"),
    _row("REQ-4", _A, "SHOULD",
         "while a whole foreground turn waits on the user: v2 `state_update: requires_action`, "
         "then `running` (or `idle`) after"),
    _row("REQ-5", _A, "SHOULD",
         "cancel (`$/cancel_request`) outstanding elicitations that cancelled work no longer "
         "needs"),
    _row("REQ-6", _C, "MUST",
         "answer a cancelled request with -32800 or a valid response; close the dialog"),
    # Form mode
    _row("FORM-1", _A, "MUST",
         "the schema is a flat object: string, number, integer, boolean, single-select (`enum`, "
         "`oneOf`), multi-select (`array` of `enum`/`anyOf`)"),
    _row("FORM-2", _C, "SHOULD",
         "validate before responding"),
    _row("FORM-3", _A, "SHOULD",
         "validate again on receipt"),
    _row("FORM-4", _C, "SHOULD",
         "pre-fill declared defaults"),
    _row("FORM-5", _A, "MUST NOT",
         "ask for secrets or credentials in a form (passwords, API keys, access and refresh "
         "tokens, private keys, recovery codes, payment credentials); name, e-mail, username are "
         "fine"),
    _row("FORM-6", _A, "MUST",
         "sensitive interactions use url mode; without url support never fall back to a form or "
         "to turn text: another safe flow, or fail"),
    _row("FORM-7", _A, "SHOULD NOT",
         "put clickable URLs into any field of a form request"),
    _row("FORM-8", _C, "SHOULD NOT",
         "render a URL as clickable anywhere but the `url` of a url request"),
    _row("FORM-9", _AC, "MUST",
         "evaluating an agent's `pattern` is bounded in time and memory; a bad pattern can "
         "neither block a UI nor exhaust memory"),
    # URL mode
    _row("URL-1", _AC, "MUST",
         "`accept` means consent to open, not completion"),
    _row("URL-2", _A, "MUST NOT",
         "credentials or tokens obtained through url mode never travel back over ACP nor into "
         "client or model context"),
    _row("URL-3", _A, "MUST",
         "`elicitationId` unique among the outstanding url elicitations of that connection"),
    _row("URL-4", _C, "MUST",
         "treats `elicitationId` as opaque"),
    _row("URL-5", _A, "MAY",
         "send `elicitation/complete` when the outside interaction is finished"),
    _row("URL-6", _A, "MUST",
         "... only to the same client (connection) that got the request, with the original id"),
    _row("URL-7", _C, "MUST",
         "ignore unknown and already completed ids"),
    _row("URL-8", _C, "SHOULD",
         "offer manual retry and cancel when the completion never comes"),
    _row("URL-9", _A, "MUST NOT",
         "credentials, personal data or pre-authenticated access in the URL; SHOULD be https "
         "outside development"),
    _row("URL-10", _C, "MUST NOT",
         "prefetch the URL or any metadata of it, or open it without explicit consent; the full "
         "URL is shown before asking"),
    _row("URL-11", _C, "MUST",
         "open it where neither the client nor a model can inspect the page or the input (the "
         "system browser)"),
    _row("URL-12", _C, "SHOULD",
         "highlight the domain; warn on suspicious or ambiguous URLs, Punycode included"),
    _row("URL-13", _A, "MUST",
         "verify that the authenticated user who started is the one who completes"),
    _row("URL-14", _A, "MUST",
         "the URL is a valid absolute URL of the agent's own connect page, not the OAuth "
         "provider's"),
    # Responses
    _row("RES-1", _C, "MUST",
         "`accept` (submitted or consented), `decline` (explicit no), `cancel` (dismissed: "
         "Escape, closed window, end of input)"),
    _row("RES-2", _A, "MUST",
         "`content` omitted and `null` are the same; it counts only on `accept` and is ignored on "
         "the others"),
    _row("RES-3", _C, "SHOULD",
         "accepted form content conforms to the schema"),
    _row("RES-4", _C, "SHOULD",
         "accepted url responses carry no content"),
    _row("RES-5", _A, "MUST",
         "handle decline, cancel, errors, disconnects and silence: fall back, retry where safe, "
         "or fail the operation"),
    _row("RES-6", _A, "MUST",
         "an unknown `action` is preserved raw when forwarded and otherwise handled as `cancel`, "
         "never as accept"),
    # Forward compatibility (schema reference)
    _row("FWD-1", _C, "MUST",
         "unknown `mode`: not rendered as form or url; -32602; preserved raw when proxied"),
    _row("FWD-2", _C, "MUST",
         "unknown property `type`: never rendered as a known control; preserved raw when proxied; "
         "a form whose *required* field is unknown cannot be accepted"),
    _row("FWD-3", _C, "MUST",
         "unknown `items.type` likewise"),
    _row("FWD-4", _AC, "MUST",
         "unknown string `format` is an annotation: kept, never a reason to reject"),
    _row("FWD-5", _AC, "MUST",
         "a *known* type whose body is malformed is an error (-32602), not an unknown type"),
    _row("FWD-6", _AC, "MUST",
         "fields marked `x-deserialize-default-on-error` in the schema read as absent when "
         "malformed; lists marked `x-deserialize-skip-invalid-items` drop the bad items only"),
    _row("FWD-7", _AC, "MUST",
         "`_meta` anywhere is carried, never interpreted unless known; null = omitted"),
    _row("FWD-8", _AC, "MUST",
         "unknown extra members are tolerated on reading and preserved on forwarding; no custom "
         "member is ever added at the root of a protocol type"),
    _row("FWD-9", _AC, "MUST",
         "property order of a form is the order in which the agent sent it, end to end"),
)
# fmt: on

_BY_ID = {requirement.id: requirement for requirement in REQUIREMENTS}


def find(id: str) -> Requirement | None:
    """The requirement with this id, or None where no requirement has it."""
    return _BY_ID.get(id)
