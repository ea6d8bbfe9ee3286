"""Where the user of the page says something to the agent, and whose turn it is.

Owns: the prompt in the page, what was typed into it and not sent, the state below the
conversation, and the buttons that end a turn or all of it.
Knows nothing of: sessions and questions. Above it: `face`. Below it: `presenters.web.desk`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from time import monotonic

from acp_elicitation.presenters.commands import why_unusable
from acp_elicitation.presenters.lines import Line
from acp_elicitation.presenters.web.buttons import button
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.link import draw_elapsed
from acp_elicitation.text.html import Attributes, Html, element, exactly, join
from acp_elicitation.text.language import tr

__all__ = ["Speaking"]

_STATE, _SAY = "state", "say"


class Speaking:
    """The prompt and the state of one page."""

    def __init__(self, desk: Desk, tell: Callable[[str], None]) -> None:
        """Add both to `desk`. `tell` says in the conversation why something was not sent."""
        self._desk = desk
        self._tell = tell
        self._reading: asyncio.Future[Line] | None = None
        self._unsent = ""
        self._takes_prompts = False
        self._is_over = False
        self._doing = tr("connecting")
        self._since: float | None = monotonic()
        self._can_stop = False
        self.was_left = False
        """Whether its user has ended it in the page."""
        self.on_stop: Callable[[], None] = lambda: None
        self.on_end: Callable[[], None] = lambda: None
        desk.add_region(_STATE, self._draw_state, role="status")
        desk.add_region(_SAY, self._draw_prompt)
        desk.actions["say"] = self._take_prompt
        desk.actions["stop"] = self._take_stop
        desk.actions["end"] = self._take_end

    def say_state(self, doing: str, *, counts: bool = False, can_stop: bool = False) -> None:
        """Say what is going on; `counts` shows for how long, `can_stop` offers to cancel it."""
        self._doing, self._can_stop = doing, can_stop
        self._since = monotonic() if counts else None
        self._desk.changed(_STATE)

    def invite(self) -> None:
        """Have the page take prompts from now on."""
        self._takes_prompts = True
        self._desk.changed(_SAY)

    def close(self, words: str) -> None:
        """Take the prompt away: nothing that is typed now is for anybody."""
        self._is_over = True
        self.say_state(words)
        self._desk.changed(_SAY)

    # --- the prompt -------------------------------------------------------------------------------

    async def read(self) -> Line:
        """Return what the user says next."""
        self._reading = asyncio.get_running_loop().create_future()
        try:
            return await self._reading
        finally:
            self._reading = None

    def _give(self, text: str) -> bool:
        """Have `read` return `text`; False where nobody awaits it."""
        if self._reading is None or self._reading.done():
            return False
        self._reading.set_result(text)
        return True

    async def _take_prompt(self, data: Mapping[str, Sequence[str]]) -> None:
        text = "".join(data.get("text", ())[-1:]).replace("\r\n", "\n")
        if not text.strip():
            return
        why = why_unusable(text.replace("\n", ""))
        if why is not None:
            self._unsent = text
            self._tell("! " + tr("That was not sent: {why}. Type it again.", why=why))
        elif self._give(text):
            self._unsent = ""
        else:
            self._unsent = text
            self._tell(tr("That was not sent: it is not your turn yet. It still stands below."))

    async def _take_stop(self, data: Mapping[str, Sequence[str]]) -> None:
        if self._can_stop:
            self.on_stop()

    async def _take_end(self, data: Mapping[str, Sequence[str]]) -> None:
        self.was_left = True
        self.on_end()

    # --- what is in the page ----------------------------------------------------------------------

    def _draw_state(self) -> Html:
        words = element("p", {"class": "doing"}, self._doing, " ", self._draw_since())
        if self._is_over:
            return words
        stop = self._draw_button("stop", tr("Cancel the turn")) if self._can_stop else Html()
        end = self._draw_button("end", tr("End the conversation"))
        acts = element("div", {"class": "acts"}, stop, end)
        return join(words, acts, self._desk.look_again())

    def _draw_since(self) -> Html:
        if self._since is None:
            return Html()
        # Out of sight of those who hear the page: it would be read to them every second.
        return element("span", {"aria-hidden": "true"}, draw_elapsed(monotonic() - self._since))

    def _draw_button(self, name: str, words: str) -> Html:
        posts = button(name, words, "quiet")
        return element("form", self._form(name), self._token(), posts)

    def _draw_prompt(self) -> Html:
        if not self._takes_prompts or self._is_over:
            return Html()
        area: Attributes = {
            "id": "text",
            "name": "text",
            "rows": 2,
            "required": True,
            "data-sends": True,
            "autocomplete": "off",
            "aria-describedby": "text-how",
        }
        how: Attributes = {"class": "hint", "id": "text-how", "data-script": True, "hidden": True}
        form = element(
            "form",
            {**self._form("say"), "id": "speak"},
            self._token(),
            element("label", {"class": "label", "for": "text"}, tr("Say something to the agent")),
            element("textarea", area, "\n", exactly(self._unsent)),
            element("p", how, tr("Enter sends, Shift-Enter begins a new line.")),
            element("div", {"class": "controls"}, button("say", tr("Send"), "primary")),
        )
        # Known by this as the same one, it is never drawn anew under the hands of its user.
        return element("div", {"data-question": f"{self._desk.base}/say", "id": "saying"}, form)

    def _form(self, name: str) -> Attributes:
        return {"method": "post", "action": f"{self._desk.base}/{name}"}

    def _token(self) -> Html:
        attributes: Attributes = {"type": "hidden", "name": "token", "value": self._desk.token}
        return element("input", attributes)
