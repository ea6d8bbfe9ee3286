"""What goes into the proxy comes out of it, byte for byte, and stands so in its log.

Ten thousand questions and as many answers, with what nobody knows in every place (`tests.spelled`).
The agent says what it hears, so that each passes in both directions.
"""

import contextlib
from pathlib import Path

import pytest

from acp_elicitation.cli.transcript import Transcript
from tests.spelled import questions_and_answers
from tests.unit.bridges.proxy.proxied import ECHO, proxied

COUNT = 10_000
AT_ONCE = 100
HELLO = {"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": {}, "url": {}}}}


@pytest.mark.requirement(
    "FWD-1", "FWD-2", "FWD-3", "FWD-4", "FWD-7", "FWD-8", "FWD-9", "RES-6", "URL-4"
)
async def test_questions_and_answers_pass_the_proxy_as_the_bytes_that_they_were(
    tmp_path: Path,
) -> None:
    with contextlib.closing(Transcript(tmp_path / "log")) as log:
        async with proxied(ECHO, on_line=log.take) as proxy:
            proxy.client.tell(id=0, method="initialize", params=HELLO)
            await proxy.client.hear()
            questions, answers = questions_and_answers(COUNT)
            for start in range(0, COUNT, AT_ONCE):
                said = questions[start : start + AT_ONCE] + answers[start : start + AT_ONCE]
                proxy.client.say(b"".join(said))  # to the agent, which says it to the client
                assert [await proxy.client.hear() for _ in said] == said
    # Twice each, as it went to the agent and as it came from it: to the byte, but for the newline.
    recorded = (tmp_path / "log").read_bytes().splitlines()[2:]
    kept = [line.partition(b'"message":')[2].removesuffix(b"}") for line in recorded]
    assert sorted(kept) == sorted([line.strip() for line in (*questions, *answers)] * 2)
