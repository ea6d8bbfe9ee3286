"""A form of ACP as MCP writes it."""

from acp_elicitation.bridges.mcp.schemas import read_server_form
from acp_elicitation.bridges.mcp.writing import write_mcp_form
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
)
from acp_elicitation.protocol.schema_wire import write_schema

OPTIONS = (
    Option(value="pg", title="PostgreSQL", description="the big one", meta={"x": 1}),
    Option(value="my", title="MySQL"),
)


def test_what_an_option_says_besides_stands_in_its_title() -> None:
    form = FormSchema(
        properties={
            "one": SelectProperty(options=OPTIONS, meta={"x": 1}),
            "many": MultiSelectProperty(options=OPTIONS),
            "text": StringProperty(title="Text", pattern="^a"),
        },
        required=("one",),
        meta={"x": 1},
    )
    titled = [
        {"const": "pg", "title": "PostgreSQL — the big one"},
        {"const": "my", "title": "MySQL"},
    ]
    written = write_mcp_form(write_schema(form))
    assert written == {
        "type": "object",
        "properties": {
            "one": {"type": "string", "oneOf": titled},
            "many": {"type": "array", "items": {"anyOf": titled}},
            "text": {"type": "string", "title": "Text", "pattern": "^a"},
        },
        "required": ["one"],
    }


def test_a_form_that_was_written_for_mcp_is_read_without_loss() -> None:
    form = FormSchema(properties={"one": SelectProperty(options=(Option(value="a"),))})
    written = write_mcp_form(write_schema(form))
    description, losses = read_server_form(written)
    assert losses == ()
    assert description.schema == form
