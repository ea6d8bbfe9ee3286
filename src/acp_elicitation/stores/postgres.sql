-- The statements of stores/postgres.py. Times are milliseconds since 1970 in UTC.

-- name: lock_version
SELECT pg_advisory_xact_lock(7310562891)

-- name: version_table
CREATE TABLE IF NOT EXISTS acp_elicitation_version (number integer NOT NULL)

-- name: version
SELECT number FROM acp_elicitation_version

-- name: forget_version
DELETE FROM acp_elicitation_version

-- name: set_version
INSERT INTO acp_elicitation_version (number) VALUES (%(number)s)

-- name: to_1_links
CREATE TABLE acp_elicitation_links (
    id text PRIMARY KEY,
    connection text NOT NULL,
    identity text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    details bytea NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    attempt_key text UNIQUE,
    attempt_data bytea,
    step text NOT NULL
)

-- name: to_1_links_by_expiry
CREATE INDEX acp_elicitation_links_by_expiry ON acp_elicitation_links (expires_at)

-- name: to_1_grants
CREATE TABLE acp_elicitation_grants (
    owner text NOT NULL,
    name text NOT NULL,
    sealed bytea NOT NULL,
    version text NOT NULL,
    PRIMARY KEY (owner, name)
)

-- name: insert_link
INSERT INTO acp_elicitation_links (
    id, connection, identity, created_at, expires_at, details, state, reason, attempt_key, attempt_data, step
) VALUES (
    %(id)s, %(connection)s, %(identity)s, %(created_at)s, %(expires_at)s, %(details)s, %(state)s, %(reason)s,
    %(attempt_key)s, %(attempt_data)s, %(step)s
) ON CONFLICT (id) DO NOTHING

-- name: link
SELECT * FROM acp_elicitation_links WHERE id = %(id)s

-- name: link_locked
SELECT * FROM acp_elicitation_links WHERE id = %(id)s FOR UPDATE

-- name: links
SELECT * FROM acp_elicitation_links WHERE id = ANY(%(ids)s)

-- name: link_of_attempt
SELECT id FROM acp_elicitation_links WHERE attempt_key = %(attempt_key)s

-- name: update_link
UPDATE acp_elicitation_links
SET state = %(state)s, reason = %(reason)s, attempt_key = %(attempt_key)s, attempt_data = %(attempt_data)s,
    step = %(step)s
WHERE id = %(id)s

-- name: forget_links
DELETE FROM acp_elicitation_links WHERE expires_at < %(before)s

-- name: put_grant
INSERT INTO acp_elicitation_grants (owner, name, sealed, version)
VALUES (%(owner)s, %(name)s, %(sealed)s, %(version)s)
ON CONFLICT (owner, name) DO UPDATE SET sealed = excluded.sealed, version = excluded.version

-- name: swap_grant
UPDATE acp_elicitation_grants SET sealed = %(sealed)s, version = %(version)s
WHERE owner = %(owner)s AND name = %(name)s AND version = %(expected)s

-- name: drop_grant
DELETE FROM acp_elicitation_grants WHERE owner = %(owner)s AND name = %(name)s AND version = %(version)s

-- name: grant
SELECT * FROM acp_elicitation_grants WHERE owner = %(owner)s AND name = %(name)s

-- name: grants
SELECT * FROM acp_elicitation_grants WHERE %(owner)s::text IS NULL OR owner = %(owner)s

-- name: tell
SELECT pg_notify('acp_elicitation_ended', %(id)s)

-- name: listen
LISTEN acp_elicitation_ended
