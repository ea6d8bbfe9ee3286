"""Questions on a full screen, for any application made with Textual (extra `tui`).

`TuiPresenter(app, open_url=...)` is the presenter of a running application, for its `Responder`.
`ElicitationScreen` is the modal screen that it shows for one question, dismissed with the answer.
Importing this package imports Textual: whoever starts fast does so where a screen is needed.
"""

from acp_elicitation.presenters.tui.presenter import TuiPresenter
from acp_elicitation.presenters.tui.screen import ElicitationScreen

__all__ = ["ElicitationScreen", "TuiPresenter"]
