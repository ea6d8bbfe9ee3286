"""An agent that asks with texts that would act on a terminal, in every place that has a text.

`python hostile_agent.py CORPUS`: the file is `tests/cases/terminal.jsonl`. The prompt says what to
ask: form, link or permission.
"""

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from acp_elicitation.agent.serve import Agent
from acp_elicitation.agent.turn import Turn
from tests.contract.presenters import form_full_of

TEXTS = [json.loads(line)["text"] for line in Path(sys.argv[1]).read_text().splitlines()]
# Half a surrogate pair cannot be sent, so no agent can show one.
HOSTILE = " ".join(t for t in TEXTS if not any("\ud800" <= c <= "\udfff" for c in t))


async def ask(turn: Turn) -> None:
    turn.think(HOSTILE)
    turn.say(HOSTILE)
    turn.end_tool(turn.start_tool(HOSTILE))
    turn.update("plan", entries=[{"content": HOSTILE, "status": HOSTILE, "priority": "low"}])
    print(HOSTILE, file=sys.stderr, flush=True)
    match turn.text:
        case "form":
            await turn.elicitor.form(HOSTILE, form_full_of(HOSTILE), session=turn.session_id)
        case "link":
            await turn.elicitor.link(HOSTILE, "https://example.com/", session=turn.session_id)
        case "permission":
            await turn.elicitor._channel.request(
                "session/request_permission",
                {
                    "sessionId": turn.session_id,
                    "title": HOSTILE,
                    "toolCall": {"toolCallId": HOSTILE, "title": HOSTILE},
                    "options": [{"optionId": HOSTILE, "name": HOSTILE, "kind": HOSTILE}],
                },
            )
    turn.say("\nThe end of it.\n")


if __name__ == "__main__":
    agent = Agent(ask, name=HOSTILE, title=HOSTILE, version=HOSTILE)
    asyncio.run(agent.serve_stdio())
