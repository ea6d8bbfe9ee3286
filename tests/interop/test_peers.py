"""The peers themselves, against each other: a red test elsewhere is then about our side."""

import pytest

from acp_elicitation.protocol.reading import JsonObject
from tests.interop.official import (
    PYTHON_V1,
    QUESTIONS,
    TYPESCRIPT_V1,
    TYPESCRIPT_V2,
    Peer,
    visit,
)

CONTENT = {"name": "demo", "email": "ada@example.com", "license": "MIT", "regions": ["eu"]}


@pytest.mark.parametrize(
    ("client", "agent"),
    [
        pytest.param(TYPESCRIPT_V1, TYPESCRIPT_V1, id="typescript-v1"),
        pytest.param(TYPESCRIPT_V2, TYPESCRIPT_V2, id="typescript-v2"),
        pytest.param(PYTHON_V1, PYTHON_V1, id="python-v1"),
        pytest.param(TYPESCRIPT_V1, PYTHON_V1, id="typescript-asked-by-python"),
        pytest.param(PYTHON_V1, TYPESCRIPT_V1, id="python-asked-by-typescript"),
    ],
)
async def test_official_peers_understand_each_other(client: Peer, agent: Peer) -> None:
    policy: list[JsonObject] = [
        {"do": "accept", "content": CONTENT},
        {"do": "accept", "when": "completed"},
        {"do": "decline"},
        {"do": "cancel"},
        {"do": "accept", "content": {"branch": "late"}, "when": "cancelled"},
    ]
    met = await visit(
        client, "form", "url-early", "two", "cancel-shown", policy=policy, agent=agent.agent
    )
    assert [report["outcomes"] for report in met.official_reports] == [
        [{"action": "accept", "content": CONTENT}],
        [{"action": "accept"}],
        [{"action": "decline"}, {"action": "cancel"}],
        [{"action": "accept", "content": {"branch": "late"}}],
    ]
    assert met.one("completed")["elicitationId"] == QUESTIONS["url"]["elicitationId"]
    assert met.one("exit")["code"] == 0
