"""Questions on a full screen, for any application made with Textual (extra `tui`).

`ElicitationScreen` is a modal screen that shows one question and is dismissed with the answer.
Importing this package imports Textual: whoever starts fast does so where a screen is needed.
"""

from acp_elicitation.presenters.tui.screen import ElicitationScreen

__all__ = ["ElicitationScreen"]
