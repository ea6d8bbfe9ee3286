"""Every exception this package raises on purpose, in one tree.

Owns: the exception classes. Knows nothing of: asyncio, the wire, or who catches them.
Above it: everything. Below it: `error_data`.

    ElicitationError
    ├── MisuseError               the calling code asked for something it may not have
    │   ├── ModeNotAdvertised     the client did not advertise this mode (CAP-4)
    │   ├── UnsafeLink            a link that no agent may ask its user to open (URL-9, URL-14)
    │   ├── SecretInForm          a form that asks for a secret, or holds one (FORM-5)
    │   ├── UnsupportedType       a Python type that a form cannot say (FORM-1)
    │   ├── InvalidQuestion       a question that no client could show, or no user answer (FWD-5)
    │   ├── NotPossible           this way of asking cannot carry the question (CAP-5)
    │   ├── UnknownLink           no outstanding link of this connection has that id (URL-6)
    │   ├── DuplicateLink         that id is outstanding on this connection already (URL-3)
    │   └── IllegalTransition     a lifecycle table has no such step
    ├── PeerError                 the other side did something wrong, or left
    │   ├── MalformedMessage      a message that the schema does not allow (FWD-5)
    │   ├── RemoteError           the other side answered with a JSON-RPC error
    │   ├── VersionNotSupported   no protocol version in common
    │   └── ConnectionLost        the other side is gone; nothing more will come (RES-5)
    │       └── NotStarted        the program that was to be the other side could not be started
    ├── AnswerError               what the user's answer amounts to
    │   ├── InvalidAnswer         content that does not fit the schema (FORM-3)
    │   ├── NotAccepted           `unwrap()` of a decline or a cancel (RES-1)
    │   └── AnswerTimeout         the caller's own time limit passed (RES-5)
    ├── ConnectError              what the connect service answers; drawn in `connect.errors`
    ├── StoreError                what a store of links answers; drawn in `stores.errors`
    └── ErrorReply                raised in a handler: answer the request with this JSON-RPC error

No message contains what the user typed: the text is for the developer and for logs.
"""

from collections.abc import Sequence
from typing import Literal

from acp_elicitation.protocol.error_data import NamedProblem, printable, reason_in

__all__ = [
    "AnswerError",
    "AnswerTimeout",
    "ConnectError",
    "ConnectionLost",
    "DuplicateLink",
    "ElicitationError",
    "ErrorReply",
    "IllegalTransition",
    "InvalidAnswer",
    "InvalidQuestion",
    "MalformedMessage",
    "MisuseError",
    "ModeNotAdvertised",
    "NotAccepted",
    "NotPossible",
    "NotStarted",
    "PeerError",
    "RemoteError",
    "SecretInForm",
    "StoreError",
    "UnknownLink",
    "UnsafeLink",
    "UnsupportedType",
    "VersionNotSupported",
]


class ElicitationError(Exception):
    """The base of every exception of this package."""


class MisuseError(ElicitationError):
    """The calling code asked for something that it may not have."""


class ModeNotAdvertised(MisuseError):
    """The client did not advertise this elicitation mode, so the request was not sent (CAP-4)."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        super().__init__(
            f"the client did not advertise elicitation mode {mode!r} at initialize; "
            f"check elicitor.modes first, or take another way to ask"
        )


class _Placed(Exception):
    """The fields of an error that has a place, and its text."""

    def __init__(self, *, where: str, reason: str, instead: str) -> None:
        self.where = where
        self.reason = reason
        self.instead = instead
        super().__init__(f"{where}: {reason}; {instead}")


class UnsafeLink(MisuseError, _Placed):
    """A link that no agent may ask its user to open, so it was not sent (URL-9, URL-14).

    `where` names the part of the URL; neither it nor `reason` holds the URL or a value out of it.
    """


class SecretInForm(MisuseError):
    """A form that asks for a secret, or holds one, so it was not sent (FORM-5, FORM-6).

    `property` is "" for the message and the form's own wording. `rule` names the kind of secret and
    `where` the place; neither holds the secret.
    """

    def __init__(self, *, property: str, rule: str, where: str) -> None:
        self.property = property
        self.rule = rule
        self.where = where
        place = f"the {where} of property {property!r}" if property else f"the form's {where}"
        own = "" if property else " ('' stands for the message and the form's own words)"
        super().__init__(
            f"{place} asks for a secret or holds one ({rule}), which no form may: ask for it with "
            f"a link (url mode), or with reviewed=[{property!r}]{own} where it is none"
        )


class UnsupportedType(MisuseError, _Placed):
    """A Python type, or one field of it, that the restricted form schema cannot say (FORM-1)."""


class InvalidQuestion(MisuseError, _Placed, ValueError):
    """A question that no client could show or no user could answer, so it was not sent (FWD-5).

    `where` names the argument, or the part of a property. Nothing quotes a default or an option:
    they may be what a user typed before.
    """


class NotPossible(MisuseError):
    """This way of asking cannot carry the question; a fallback goes on to the next (CAP-5)."""

    def __init__(self, *, way: str, reason: str) -> None:
        self.way = way
        self.reason = reason
        super().__init__(f"{way}: {reason}; give another fallback after it")


class UnknownLink(MisuseError):
    """No outstanding link of this connection has that id, so nothing was sent (URL-6)."""

    def __init__(self, elicitation_id: str) -> None:
        self.elicitation_id = elicitation_id
        super().__init__(
            f"no outstanding link {elicitation_id!r} on this connection; complete a link once, "
            f"with the elicitor that created it"
        )


class DuplicateLink(MisuseError):
    """An outstanding link of this connection has that id already (URL-3)."""

    def __init__(self, elicitation_id: str) -> None:
        self.elicitation_id = elicitation_id
        super().__init__(
            f"link id {elicitation_id!r} is outstanding on this connection already; "
            f"leave the id out to get a fresh one"
        )


class IllegalTransition(MisuseError):
    """A lifecycle table has no step for this event in this state."""

    def __init__(self, *, state: str, event: str) -> None:
        self.state = state
        self.event = event
        super().__init__(f"event {event!r} cannot happen in state {state!r}")


class PeerError(ElicitationError):
    """The other side did something wrong, or left."""


class MalformedMessage(PeerError):
    """A message that the protocol's schema does not allow (FWD-5).

    `path` is a JSON pointer to the place, `expected` says what belongs there. Neither carries the
    value that was found.
    """

    def __init__(self, *, path: str, expected: str) -> None:
        self.path = path
        self.expected = expected
        super().__init__(f"{path or '/'}: expected {expected}")


_OF_REQUEST = (-32600, -32602)  # the codes whose data speaks of what was sent


class RemoteError(PeerError):
    """The other side answered with a JSON-RPC error."""

    def __init__(self, *, code: int, message: str, data: object = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        why = reason_in(data) if code in _OF_REQUEST else None
        said = printable(message) + (f" ({why})" if why else "")
        super().__init__(f"the other side answered with error {code}: {said}")


class VersionNotSupported(PeerError):
    """The two sides have no protocol version in common."""

    def __init__(self, *, offered: object, supported: Sequence[int]) -> None:
        self.offered = offered
        self.supported = tuple(supported)
        super().__init__(
            f"the other side speaks protocol version {offered!r}; "
            f"supported here: {', '.join(map(str, self.supported))}"
        )


class ConnectionLost(PeerError):
    """The other side is gone: every waiting call ends with this (RES-5)."""

    exit_status: int | None = None
    """Of a program that was started here and has ended by itself: its exit status, or minus the
    number of the signal that ended it. Set by `client.launch`."""

    def __init__(self, reason: str = "the other side closed the connection") -> None:
        self.reason = reason
        super().__init__(reason)


class NotStarted(ConnectionLost):
    """The program that was to be the other side could not be started; `why` says what to check."""

    def __init__(self, program: str, why: str) -> None:
        self.program = program
        self.why = why
        super().__init__(f"could not start {program!r}: {why}")


class AnswerError(ElicitationError):
    """What the user's answer amounts to, where that is not a usable value."""


class InvalidAnswer(AnswerError):
    """The client accepted with content that does not fit the schema (FORM-3).

    `problems` lists each property with a code and parameters, never the value itself.
    """

    def __init__(self, problems: Sequence[NamedProblem]) -> None:
        self.problems = tuple(problems)
        listed = "; ".join(f"{p.property}: {p.code}" for p in self.problems)
        super().__init__(f"the accepted content does not fit the form: {listed}")


class NotAccepted(AnswerError):
    """`unwrap()` was called on an answer that the user declined or cancelled (RES-1)."""

    def __init__(self, action: str) -> None:
        self.action = action
        super().__init__(f"the user did not accept: {action}")


class AnswerTimeout(AnswerError):
    """The caller's own time limit passed before the user answered (RES-5). Unit: seconds.

    `awaited` says what did not come: the answer, then the question was withdrawn; or the completion
    of a link that the user consented to, then the link is still outstanding.
    """

    def __init__(
        self, seconds: float, *, awaited: Literal["answer", "completion"] = "answer"
    ) -> None:
        self.seconds = seconds
        self.awaited = awaited
        super().__init__(f"no {awaited} within {seconds:g} s; {_AFTER[awaited]}")


_AFTER = {
    "answer": "the question was withdrawn",
    "completion": "the consent stays: await completed() again, or withdraw() the link",
}


class ConnectError(ElicitationError):
    """The base of what stands in `connect.errors`: credentials, the vault, the connect service."""


class StoreError(ElicitationError):
    """What a store of links answers where a step cannot be taken."""


class ErrorReply(ElicitationError):
    """Raised in a request handler: the peer gets this JSON-RPC error as its answer.

    `message` is a fixed text and `data` names places; neither may carry what the user typed.
    """

    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(f"{code}: {message}")
