"""Statements read from a file of SQL."""

import pytest

from acp_elicitation.stores.statements import migrations, read_statements

STATEMENTS = {"link": "SELECT", "to_1_a": "1a", "to_1_b": "1b", "to_2_c": "2c", "to_10_d": "10d"}


@pytest.mark.parametrize("file", ["sqlite.sql", "postgres.sql"])
def test_both_files_have_the_statements_that_the_code_names(file: str) -> None:
    statements = read_statements(file)
    needed = {"insert_link", "links", "update_link", "forget_links", "put_grant", "swap_grant"}
    assert needed <= statements.keys()
    assert not [name for name, text in statements.items() if not text or text.startswith("--")]


def test_the_migrations_are_those_after_the_version_that_is_there() -> None:
    assert migrations(STATEMENTS, version=0) == ["1a", "1b", "2c", "10d"]
    assert migrations(STATEMENTS, version=1) == ["2c", "10d"]
    assert migrations(STATEMENTS, version=10) == []
