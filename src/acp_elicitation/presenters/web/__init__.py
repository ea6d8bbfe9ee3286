"""Questions in a web page: this project's own, and forms for the pages of any other host.

Owns: the public names of the package. Knows nothing of: anything else. Above it: the command line,
any web host. Below it: `form`, `posted`.
"""

from acp_elicitation.presenters.web.form import form_problems, render_form
from acp_elicitation.presenters.web.posted import read_form

__all__ = ["form_problems", "read_form", "render_form"]
