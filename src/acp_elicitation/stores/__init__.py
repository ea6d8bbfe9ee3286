"""Outstanding links, kept where several processes see the same: SQLite, Redis, PostgreSQL."""
