"""A secret in memory: a token or a key that shows itself to nobody by accident (URL-2).

Owns: the type, and every way out of it but one. Knows nothing of: where a secret comes from and
where it is kept. Above it: `vault`, `leaks`, the connect service. Below it: nothing.
"""

import hmac
from typing import NoReturn

__all__ = ["Secret"]

_SHOWN = "***"


class Secret:
    """A text that prints, formats and logs as `***`, and cannot be pickled or copied into JSON.

    Only `reveal()` returns it. Comparing two of them takes a time that does not depend on where
    they differ.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text. Keep it out of variables that live long: tracebacks show those."""
        return self._text

    def __repr__(self) -> str:
        return _SHOWN

    def __str__(self) -> str:
        return _SHOWN

    def __format__(self, spec: str, /) -> str:
        return format(_SHOWN, spec)

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._bytes(), other._bytes())

    def __hash__(self) -> int:
        return hash((Secret, self._text))

    def _bytes(self) -> bytes:
        return self._text.encode("utf-8", "surrogatepass")

    def __reduce_ex__(self, protocol: object, /) -> NoReturn:
        raise TypeError("a Secret is not pickled or copied: keep it in the vault")
