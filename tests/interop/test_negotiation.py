"""An official agent that speaks both versions: which one do we settle on, and does it work?"""

import pytest

from acp_elicitation.client.launch import Protocol
from acp_elicitation.presenters.answers import Rule
from acp_elicitation.presenters.script import ScriptPresenter
from acp_elicitation.protocol.version import V1, V2, Version
from tests.interop.official import TYPESCRIPT_V2, meet

BOTH = TYPESCRIPT_V2._replace(agent=(*TYPESCRIPT_V2.agent[:-1], "both"))


@pytest.mark.parametrize(
    ("protocol", "version"),
    [("auto", V2), ("2", V2), ("1", V1)],
    ids=["auto", "two", "one"],
)
async def test_an_agent_of_both_versions_is_asked_in_ours(
    protocol: Protocol, version: Version
) -> None:
    rule = Rule(action="accept", content={"branch": "main"})
    async with meet(BOTH, ScriptPresenter([rule]), protocol=protocol) as meeting:
        assert meeting.running.version is version
        report = await meeting.run("small")
    assert report["outcomes"] == [{"action": "accept", "content": {"branch": "main"}}]
    assert report["capabilities"] == {"form": {}, "url": {}}
