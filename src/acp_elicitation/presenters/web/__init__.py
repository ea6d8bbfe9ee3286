"""Questions in a web page: this project's own, and forms for the pages of any other host.

Owns: the public names of the package. Those that need Starlette and uvicorn are loaded when they
are first used: drawing and reading a form needs neither.
Knows nothing of: anything else. Above it: the command line, any web host. Below it: the modules
beside it.
"""

from typing import TYPE_CHECKING

from acp_elicitation.presenters.web.form import form_problems, render_form
from acp_elicitation.presenters.web.posted import read_form

if TYPE_CHECKING:
    from acp_elicitation.presenters.web.app import web_app
    from acp_elicitation.presenters.web.desk import Desk
    from acp_elicitation.presenters.web.presenter import WebPresenter
    from acp_elicitation.presenters.web.server import serving

__all__ = [
    "Desk",
    "WebPresenter",
    "form_problems",
    "read_form",
    "render_form",
    "serving",
    "web_app",
]

_HOMES = {"Desk": "desk", "WebPresenter": "presenter", "serving": "server", "web_app": "app"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
