"""What is found out about a form before its turn comes, and may take long: off the event loop.

Owns: which forms need it, and the one thread that it is done in.
Knows nothing of: what a secret or a usable pattern is, and how a finding is shown.
Above it: `responder`. Below it: `prompts`, `forms`, `protocol`.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.forms.check import Check, find_bad_pattern
from acp_elicitation.forms.secrets import find_secrets, takes_long
from acp_elicitation.protocol.errors import MalformedMessage

__all__ = ["judging"]


def judging(prompt: FormPrompt, check: Check) -> Callable[[], Coroutine[Any, Any, None]] | None:
    """Return what has to run before `prompt` is shown; None where nothing takes long.

    It returns when every pattern of the form can be used, and `prompt.secrets` is known (FORM-9).
    It raises MalformedMessage where a pattern cannot; its place is named, and why.
    """
    is_long = takes_long(prompt.message, check.schema)
    if not (check.has_patterns or is_long):
        return None
    return partial(_judge, prompt, check, is_long=is_long)


async def _judge(prompt: FormPrompt, check: Check, *, is_long: bool) -> None:
    # A pattern may take its whole time limit, and looking through 1 MiB of words takes seconds:
    # not in the threads that the answers of other forms are judged in.
    run = partial(asyncio.get_running_loop().run_in_executor, _thread())
    if check.has_patterns:
        bad = await run(find_bad_pattern, check.schema)
        if bad is not None:
            name, reason = bad
            raise MalformedMessage(
                path=f"/requestedSchema/properties/{name}/pattern",
                expected=f"a usable pattern (this one is {reason})",
            )
    if is_long:
        prompt.secrets = await run(find_secrets, prompt.message, check.schema)  # FORM-5


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="acp-elicitation-judging")
