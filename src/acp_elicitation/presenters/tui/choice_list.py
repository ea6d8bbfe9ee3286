"""Options to choose from: one of them or several, with a filter where there are many.

Owns: how options are drawn and chosen. The marks `(x)` and `[x]` tell what is chosen, so that no
colour has to. Nothing is chosen but by the user or by a declared default (FORM-4), and what was
chosen can be taken back.
Knows nothing of: forms and drafts. Above it: `editors`, the other bodies. Below it: Textual.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option as Line

from acp_elicitation.protocol.schema import Option
from acp_elicitation.text.terminal import one_line

__all__ = ["FILTER_ABOVE", "ChoiceList"]

FILTER_ABOVE = 10
"""A longer list has a filter."""


class ChoiceList(OptionList):
    """A list in which Space or Enter chooses, and chooses away what was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", show=False)]

    class Chosen(Message):
        """The user chose; `values` are those of all chosen options, in the list's order."""

        def __init__(self, choice_list: "ChoiceList", values: tuple[str, ...]) -> None:
            self.choice_list = choice_list
            self.values = values
            super().__init__()

        @property
        def control(self) -> "ChoiceList":
            """The list."""
            return self.choice_list

    def __init__(
        self, options: Sequence[Option], chosen: Collection[str] = (), *, several: bool = False
    ) -> None:
        super().__init__(markup=False, compact=True)
        self._choices = options
        self._several = several
        self._chosen = set(chosen)
        self._sought = ""
        self.add_options(self._choice_lines())

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values of the chosen options, in the list's order."""
        return tuple(o.value for o in self._choices if o.value in self._chosen)

    def show_chosen(self, values: Collection[str]) -> None:
        """Mark these and no others, without a message."""
        self._chosen = set(values)
        self._draw_choices()

    def narrow(self, text: str) -> None:
        """List only the options that have `text` in their words; what is chosen stays chosen."""
        self._sought = text.strip().casefold()
        self._draw_choices()

    def on_focus(self) -> None:
        """Begin at what is chosen, else at the first option."""
        if self.highlighted is None and self.option_count:
            places = [place for place, o in enumerate(self._choices) if o.value in self._chosen]
            self.highlighted = places[0] if places and not self._sought else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose the option, or take it back."""
        event.stop()
        value = self._choices[int(event.option.id or 0)].value
        if value in self._chosen:
            self._chosen.remove(value)
        elif self._several:
            self._chosen.add(value)
        else:
            self._chosen = {value}
        self._draw_choices()
        self.post_message(self.Chosen(self, self.chosen))

    def _draw_choices(self) -> None:
        kept = None if self.highlighted is None else self.get_option_at_index(self.highlighted).id
        lines = self._choice_lines()
        self.clear_options()
        self.add_options(lines)
        ids = [line.id for line in lines]
        if lines:
            self.highlighted = ids.index(kept) if kept in ids else 0

    def _choice_lines(self) -> list[Line]:
        return [
            Line(self._prompt_of(option), id=str(place))
            for place, option in enumerate(self._choices)
            if self._fits(option)
        ]

    def _fits(self, option: Option) -> bool:
        words = (option.value, option.title or "", option.description or "")
        return any(self._sought in word.casefold() for word in words)

    def _prompt_of(self, option: Option) -> Content:
        left, right = "[]" if self._several else "()"
        is_chosen = option.value in self._chosen
        title = one_line(option.title or option.value)
        parts: list[str | tuple[str, str]] = [
            f"{left}{'x' if is_chosen else ' '}{right} ",
            (title, "bold") if is_chosen else title,
        ]
        description = one_line(option.description or "").strip()
        if description and description != title.strip():
            parts.append((f"\n    {description}", "dim"))
        return Content.assemble(*parts)
