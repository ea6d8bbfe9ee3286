"""What the demo agent asks: forms that between them use every kind of property.

Owns: the wording and the limits of the questions.
Knows nothing of: when they are asked, and what becomes of the answers.
Above it: `agent`. Below it: `protocol.schema`.
"""

from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    SelectProperty,
    StringProperty,
)

__all__ = ["ANNOUNCEMENT", "DATABASES", "POSTGRESQL", "PROJECT", "SQLITE"]

DATABASES = {"postgresql": "PostgreSQL", "sqlite": "SQLite", "none": "No database"}

PROJECT = FormSchema(
    title="New project",
    description="Everything can be changed later in pyproject.toml.",
    properties={
        "name": StringProperty(
            title="Project name",
            description="Lower-case letters, digits and dashes; it starts with a letter.",
            min_length=2,
            max_length=40,
            pattern="^[a-z][a-z0-9-]*$",
        ),
        "summary": StringProperty(
            title="Summary",
            description="What is it about? Becomes the first lines of the README.",
            max_length=2_000,
        ),
        "contact": StringProperty(title="Contact address", format="email"),
        "start": StringProperty(title="First day of work", format="date"),
        "license": SelectProperty(
            title="License",
            options=tuple(Option(value=name) for name in ("Apache-2.0", "MIT", "MPL-2.0")),
            default="Apache-2.0",
        ),
        "database": SelectProperty(
            title="Database",
            options=(
                Option(
                    value="postgresql",
                    title=DATABASES["postgresql"],
                    description="a server, for more than one machine",
                ),
                Option(
                    value="sqlite", title=DATABASES["sqlite"], description="one file, no server"
                ),
                Option(value="none", title=DATABASES["none"]),
            ),
        ),
        "extras": MultiSelectProperty(
            title="Extras",
            options=(
                Option(value="tests", title="Tests", description="a folder of tests that run"),
                Option(value="docs", title="Documentation"),
                Option(value="ci", title="Continuous integration"),
                Option(value="container", title="Container image"),
            ),
            max_items=3,
            default=("tests",),
        ),
        "workers": IntegerProperty(title="Worker processes", minimum=1, maximum=64, default=4),
        "coverage": NumberProperty(
            title="Least test coverage",
            description="A share between 0 and 1.",
            minimum=0,
            maximum=1,
            default=0.9,
        ),
        "private": BooleanProperty(title="Keep the repository private", default=True),
    },
    required=("name", "license", "database", "workers"),
)

POSTGRESQL = FormSchema(
    properties={
        "version": SelectProperty(
            title="Major version",
            options=tuple(Option(value=version) for version in ("16", "17", "18")),
            default="18",
        ),
        "host": StringProperty(title="Host", default="localhost", min_length=1),
        "port": IntegerProperty(title="Port", minimum=1, maximum=65_535, default=5432),
    },
    required=("version", "host", "port"),
)

SQLITE = FormSchema(
    properties={
        "file": StringProperty(
            title="Database file", default="var/data.sqlite3", min_length=1, max_length=200
        ),
        "wal": BooleanProperty(title="Use a write-ahead log", default=True),
    },
    required=("file",),
)

ANNOUNCEMENT = FormSchema(properties={})
"""A plain confirmation: a yes to the message is all that is asked for."""
