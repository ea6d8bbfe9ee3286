"""The spoof checker of ICU, through ctypes, as a second opinion on scripts and lookalikes.

ICU is there wherever Node.js or a desktop is; where it is not, `Icu.find` gives None.
"""

import ctypes
import re
from ctypes.util import find_library

_HIGHLY_RESTRICTIVE = 0x30000000
_RESTRICTION_LEVEL = 16
_LONGEST = 1_024


class Icu:
    """Two functions of `unicode/uspoof.h`."""

    def __init__(self, path: str) -> None:
        found = re.search(r"\.so\.(\d+)", path)
        assert found is not None, path
        self._version, self._library = found[1], ctypes.CDLL(path)
        self._checker = self._call("open", ctypes.c_void_p)
        self._call("setChecks", None, ctypes.c_void_p(self._checker), _RESTRICTION_LEVEL)
        self._call(
            "setRestrictionLevel",
            None,
            ctypes.c_void_p(self._checker),
            ctypes.c_int(_HIGHLY_RESTRICTIVE),
            status=False,
        )

    @staticmethod
    def find() -> "Icu | None":
        """The one that the system has, or None."""
        path = find_library("icui18n")
        return Icu(path) if path is not None and ".so." in path else None

    def skeleton(self, text: str) -> str:
        """What `text` has in common with all that looks like it."""
        target = (ctypes.c_uint16 * _LONGEST)()
        units, count = _utf16(text)
        checker = ctypes.c_void_p(self._checker)
        length = self._call(
            "getSkeleton", ctypes.c_int32, checker, 0, units, count, target, _LONGEST
        )
        return bytes(target)[: length * 2].decode("utf-16-le")

    def is_mixed(self, text: str) -> bool:
        """Whether `text` is above the level Highly Restrictive."""
        units, count = _utf16(text)
        checker = ctypes.c_void_p(self._checker)
        return bool(self._call("check", ctypes.c_int32, checker, units, count, None))

    def _call(self, name: str, result: object, *arguments: object, status: bool = True) -> int:
        function = getattr(self._library, f"uspoof_{name}_{self._version}")
        function.restype = result
        code = ctypes.c_int(0)
        value = function(*arguments, *([ctypes.byref(code)] if status else []))
        assert code.value <= 0, f"{name}: ICU says {code.value}"
        return value or 0


def _utf16(text: str) -> tuple[ctypes.Array[ctypes.c_uint16], int]:
    encoded = text.encode("utf-16-le")
    return (ctypes.c_uint16 * (len(encoded) // 2)).from_buffer_copy(encoded), len(encoded) // 2
