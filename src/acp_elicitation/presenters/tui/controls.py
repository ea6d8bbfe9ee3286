"""The row of buttons below a question: the body's own, Decline and Cancel.

Owns: `Controls`: how the buttons are drawn, and that they name their keys where there is room.
Knows nothing of: what they do. Above it: `screen`. Below it: `body`.
"""

from collections.abc import Sequence

from textual.containers import Container
from textual.content import Content
from textual.widgets import Button
from textual.widgets.button import ButtonVariant

from acp_elicitation.presenters.tui.body import Control

__all__ = ["Controls", "KeyButton", "id_of", "name_of"]

_WIDE = 72
"""Columns of the screen from which on there is room for the names of keys."""
_WAYS_OUT = frozenset(("decline", "cancel"))


class KeyButton(Button):
    """A button that names its key."""

    def __init__(self, control: Control, *, is_wide: bool) -> None:
        """Draw `control`; its id is that of the button, behind `do-`."""
        words = control.label
        self._words = words if isinstance(words, Content) else Content(words)
        self._key = control.key
        variant: ButtonVariant = "primary" if control.is_main else "default"
        super().__init__(self._label(is_wide), variant, id=id_of(control.id))

    @property
    def columns(self) -> int:
        """How many columns it needs."""
        return self._label(self.screen.size.width >= _WIDE).cell_length + 2

    def name_key(self, is_wide: bool) -> None:
        """Name the key, or leave it out."""
        self.label = self._label(is_wide)
        self.refresh(layout=True)  # a label alone keeps the width of the one before it

    def _label(self, is_wide: bool) -> Content:
        if not is_wide or self._key is None:
            return self._words
        return Content.assemble(self._words, " ", (self._key, "not bold"))


class Controls(Container):
    """The row: more than one where the buttons need more columns than there are."""

    async def draw(self, controls: Sequence[Control]) -> None:
        """Show these buttons in place of those there are."""
        await self.remove_children()
        await self.mount_all([KeyButton(control, is_wide=self._is_wide) for control in controls])
        self._fit()

    def on_resize(self) -> None:
        """Fit the buttons into the room there is now."""
        self.call_after_refresh(self._name_keys)  # layout that is asked for amid one is not done

    def _name_keys(self) -> None:
        """Name the keys where there is room."""
        for button in self.query(KeyButton):
            button.name_key(self._is_wide)
        self._fit()

    @property
    def _is_wide(self) -> bool:
        return self.screen.size.width >= _WIDE

    def _fit(self) -> None:
        """Put the buttons into columns of one width where they do not fit on one line."""
        widths = [button.columns for button in self.query(KeyButton)]
        room = self.size.width
        is_crowded = bool(widths) and sum(widths) + len(widths) - 1 > room > 0
        self.set_class(is_crowded, "-crowded")
        if is_crowded:
            self.styles.grid_size_columns = max(1, (room + 1) // (max(widths) + 1))


def id_of(name: str) -> str:
    """Return the id of the button for the control `name`; the ways out go by their own names."""
    return name if name in _WAYS_OUT else f"do-{name}"


def name_of(id: str) -> str:
    """Return the control that the button `id` is for."""
    return id.removeprefix("do-")
