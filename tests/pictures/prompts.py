"""The questions that the pictures of the documentation show."""

from acp_elicitation.client.prompts import Asker, FormPrompt, LinkPrompt
from acp_elicitation.demo.questions import PROJECT
from acp_elicitation.links import inspect_link
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.requests import ElicitationId, FormRequest, UrlRequest
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
)
from acp_elicitation.protocol.scope import SessionId, SessionScope

__all__ = ["chinese_question", "mistaken_question", "odd_link", "question"]

_SCOPE = SessionScope(session_id=SessionId("s"))


def _asker(title: str) -> Asker:
    return Asker(
        info=Implementation(name="setup", title=title, version="1.0"), command=("setup-agent",)
    )


def question() -> FormPrompt:
    """The first question of `acp-elicit demo`, half filled in."""
    request = FormRequest(
        message="What should the new project look like?", schema=PROJECT, scope=_SCOPE
    )
    prompt = FormPrompt(request=request, asker=_asker("Project setup"), count_waiting=lambda: 1)
    prompt.draft.enter("name", "sunflower")
    prompt.draft.enter("summary", "Counts the seeds of sunflowers from photographs.")
    prompt.draft.choose("database", ["sqlite"])
    return prompt


def mistaken_question() -> FormPrompt:
    """The same with answers that do not fit, as it stands after an attempt to send it."""
    prompt = question()
    prompt.draft.enter("name", "My Project")
    prompt.draft.enter("contact", "nobody")
    prompt.draft.clear("database")
    return prompt


def odd_link() -> LinkPrompt:
    """A link that is not what it looks like."""
    url = "https://github.com.sign-in.example/login/device?user_code=WDJB-MJHT"
    request = UrlRequest(
        message="Please approve the access to your repositories at GitHub.",
        url=url,
        elicitation_id=ElicitationId("e"),
        scope=_SCOPE,
    )
    host = inspect_link(url).host
    assert host is not None
    return LinkPrompt(request=request, host=host, asker=_asker("Project setup"))


def chinese_question() -> FormPrompt:
    """A question of an agent that speaks Chinese, as its user does."""
    schema = FormSchema(
        properties={
            "name": StringProperty(
                title="项目名称", description="小写字母、数字和短横线。", max_length=40
            ),
            "database": SelectProperty(
                title="数据库",
                options=(
                    Option(value="postgresql", title="PostgreSQL", description="独立的服务器"),
                    Option(value="sqlite", title="SQLite", description="单个文件，无需服务器"),
                ),
                default="sqlite",
            ),
            "extras": MultiSelectProperty(
                title="附加内容",
                options=(
                    Option(value="tests", title="测试"),
                    Option(value="docs", title="文档"),
                    Option(value="ci", title="持续集成"),
                ),
                default=("tests",),
            ),
            "private": BooleanProperty(title="仓库保持私有", default=True),
        },
        required=("name", "database"),
    )
    request = FormRequest(message="新项目应该是什么样的？", schema=schema, scope=_SCOPE)
    prompt = FormPrompt(request=request, asker=_asker("项目助手"))
    prompt.draft.enter("name", "sunflower")
    return prompt
