"""A text with a mark before it, its further lines indented: a row of a list.

Owns: how the two are drawn side by side. Knows nothing of: what the mark means.
Above it: `choosing`. Below it: Textual.
"""

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

__all__ = ["Marked"]


class Marked(Visual):
    """Draws `mark` and then `content`, which is wrapped in what is left of the width."""

    def __init__(self, mark: str, content: Content) -> None:
        """Put `mark`, which is own text, before `content`."""
        self._mark = Content(f"{mark} ")
        self._content = content

    @property
    def plain(self) -> str:
        """What is drawn, without its styles."""
        return self._mark.plain + self._content.plain

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Return the width that needs no wrapping."""
        return self._mark.cell_length + self._content.get_optimal_width(rules, container_width)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Return how many lines there are at `width`."""
        return max(1, self._content.get_height(rules, max(1, width - self._mark.cell_length)))

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        """Draw the lines."""
        indent = self._mark.cell_length
        lines = self._content.render_strips(max(1, width - indent), height, style, options)
        (mark,) = self._mark.render_strips(indent, 1, style, options)
        blank = Strip.blank(indent, style.rich_style)
        return [Strip.join([blank if at else mark, line]) for at, line in enumerate(lines)]
