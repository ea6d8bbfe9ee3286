"""The docstrings of attributes, which Python itself does not keep."""

import enum
from dataclasses import dataclass
from typing import ClassVar

from acp_elicitation.forms.docstrings import attribute_docstrings, own_docstring


class Size(enum.Enum):
    """Not of an attribute."""

    SMALL = "s"
    """Small"""

    LARGE = "l"
    HUGE = GIANT = "h"
    """Of two names, so of none."""

    @property
    def label(self) -> str:
        """Of a method."""
        return self.value.upper()


@dataclass
class Branch:
    """A branch."""

    name: str
    """What it is called.

    As git knows it.
    """
    behind: int = 0
    0  # noqa: B018
    del behind
    """After something that is no attribute."""
    (ahead) = 0
    f"{ahead}"


class Plain(Branch):
    settings: ClassVar = [0]
    settings[0] = 1
    """Of an item."""


def test_the_string_below_an_attribute_is_its_docstring() -> None:
    assert attribute_docstrings(Size) == {"SMALL": "Small"}
    assert attribute_docstrings(Branch) == {"name": "What it is called.\n\nAs git knows it."}


def test_a_class_in_a_function_has_docstrings_too() -> None:
    class Local:
        name: str
        """Here as well."""

    assert attribute_docstrings(Local) == {"name": "Here as well."}


def test_only_names_have_docstrings() -> None:
    assert attribute_docstrings(Plain) == {}


def test_a_class_that_cannot_be_hashed_has_docstrings_too() -> None:
    class Unhashable(type):
        __hash__ = None  # type: ignore[assignment]

    class Data(metaclass=Unhashable):
        name: str
        """What it is called."""

    assert attribute_docstrings(Data) == {"name": "What it is called."}


def test_a_class_without_source_has_no_docstrings() -> None:
    made = type("Made", (), {})
    assert attribute_docstrings(made) == {}
    assert attribute_docstrings(int) == {}


def test_a_class_with_the_name_of_something_else_has_no_docstrings() -> None:
    assert attribute_docstrings(Renamed) == {}


def named_like_a_function() -> None:
    """No class."""


Renamed = type("named_like_a_function", (), {})


def test_the_docstring_of_a_class_is_neither_inherited_nor_generated() -> None:
    @dataclass
    class Generated:
        name: str

    assert own_docstring(Branch) == "A branch."
    assert own_docstring(Plain) is None
    assert (Generated.__doc__ or "").startswith("Generated(")
    assert own_docstring(Generated) is None
