-- The statements of stores/sqlite.py. Times are milliseconds since 1970 in UTC.

-- name: version_table
CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)

-- name: version
SELECT number FROM version

-- name: forget_version
DELETE FROM version

-- name: set_version
INSERT INTO version (number) VALUES (:number)

-- name: to_1_links
CREATE TABLE links (
    id TEXT PRIMARY KEY,
    connection TEXT NOT NULL,
    identity TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    details BLOB NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    attempt_key TEXT UNIQUE,
    attempt_data BLOB,
    step TEXT NOT NULL
) STRICT, WITHOUT ROWID

-- name: to_1_links_by_expiry
CREATE INDEX links_by_expiry ON links (expires_at)

-- name: to_1_grants
CREATE TABLE grants (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    sealed BLOB NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID

-- name: insert_link
INSERT INTO links (
    id, connection, identity, created_at, expires_at, details, state, reason, attempt_key, attempt_data, step
) VALUES (
    :id, :connection, :identity, :created_at, :expires_at, :details, :state, :reason, :attempt_key, :attempt_data, :step
) ON CONFLICT (id) DO NOTHING

-- name: link
SELECT * FROM links WHERE id = :id

-- name: links
SELECT * FROM links WHERE id IN (SELECT value FROM json_each(:ids))

-- name: link_of_attempt
SELECT id FROM links WHERE attempt_key = :attempt_key

-- name: update_link
UPDATE links
SET state = :state, reason = :reason, attempt_key = :attempt_key, attempt_data = :attempt_data, step = :step
WHERE id = :id

-- name: forget_links
DELETE FROM links WHERE expires_at < :before

-- name: put_grant
INSERT INTO grants (owner, name, sealed, version) VALUES (:owner, :name, :sealed, :version)
ON CONFLICT (owner, name) DO UPDATE SET sealed = excluded.sealed, version = excluded.version

-- name: swap_grant
UPDATE grants SET sealed = :sealed, version = :version
WHERE owner = :owner AND name = :name AND version = :expected

-- name: drop_grant
DELETE FROM grants WHERE owner = :owner AND name = :name AND version = :version

-- name: grant
SELECT * FROM grants WHERE owner = :owner AND name = :name

-- name: grants
SELECT * FROM grants WHERE :owner IS NULL OR owner = :owner

-- name: data_version
PRAGMA data_version
