"""Reading forms, and remembering those that were found fit to show.

Owns: the forms that an agent asked with before: most agents ask the same ones again and again, and
reading and measuring a form costs more than all the rest of a question.
Knows nothing of: requests and users. Above it: `responder`. Below it: `limits`, `protocol`.

A form is known by its bytes, so that order (FWD-9) and the spelling of numbers count.
"""

import msgspec

from acp_elicitation.client.limits import Limits, check_form
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
        self._known: dict[tuple[int, bytes], FormSchema] = {}

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
            return known
        form = self._read(value, version)
        if len(key[1]) <= _MOST_BYTES:
            if len(self._known) >= _MOST_FORMS:
                del self._known[next(iter(self._known))]
            self._known[key] = form
        return form

    def _read(self, value: object, version: Version) -> FormSchema:
        form = read_schema(value, version)
        check_form(form, self._limits)
        return form
