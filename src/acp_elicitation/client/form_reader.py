"""Reading forms, and remembering those that were found fit to show.

Owns: the forms that an agent asked with before: most agents ask the same ones again and again, and
reading and measuring a form costs more than all the rest of a question.
Knows nothing of: requests and users. Above it: `responder`. Below it: `limits`, `forms`,
`protocol`.

A form is known by its bytes, so that order (FWD-9) and the spelling of numbers count.
"""

import msgspec

from acp_elicitation.client.limits import Limits, check_form
from acp_elicitation.forms.check import Check, compile_check
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.schema_wire import read_schema
from acp_elicitation.protocol.version import Version

__all__ = ["FormReader"]

_MOST_FORMS = 64
_MOST_BYTES = 16_384
"""A larger form is read anew each time: what an agent sends does not fill the memory."""


class FormReader:
    """Reads the forms of one agent."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._encode = msgspec.json.Encoder().encode
        self._known: dict[tuple[int, bytes], Check] = {}
        self._checks: dict[int, Check] = {}
        """Those of `_known` by the identity of their forms, which they keep."""

    def read(self, value: object, version: Version) -> FormSchema:
        """Return the form that `value` describes, within the limits.

        Raises:
            MalformedMessage: `value` is none, is over the limits, or nobody could answer it. The
                path begins at the form.
        """
        try:
            key = (version.number, self._encode(value))
        except UnicodeEncodeError:  # half of a surrogate pair: some hosts decode it
            return self._read(value, version)
        known = self._known.get(key)
        if known is not None:
            return known.schema
        form = self._read(value, version)
        if len(key[1]) <= _MOST_BYTES:
            if len(self._known) >= _MOST_FORMS:
                oldest = self._known.pop(next(iter(self._known)))
                del self._checks[id(oldest.schema)]
            self._known[key] = self._checks[id(form)] = compile_check(form)
        return form

    def check_of(self, form: FormSchema) -> Check:
        """Return the check of `form`; of one that is known, always the same."""
        return self._checks.get(id(form)) or compile_check(form)

    def _read(self, value: object, version: Version) -> FormSchema:
        form = read_schema(value, version)
        check_form(form, self._limits)
        return form
