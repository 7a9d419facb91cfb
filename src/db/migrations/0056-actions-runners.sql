-- Programs that run jobs: a repository's, an account's (for all that it owns), or, with neither, the site's.
CREATE TABLE actions_runners (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid           TEXT NOT NULL UNIQUE,
  repo_id        INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id       INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name           TEXT NOT NULL,
  version        TEXT NOT NULL,
  -- names, as a JSON array
  labels         TEXT NOT NULL,
  -- SHA-256 of 160 random bits
  token_hash     TEXT NOT NULL,
  is_ephemeral   INTEGER NOT NULL,
  -- it declared that it can stop a job that is being cancelled
  can_cancel     INTEGER NOT NULL,
  is_disabled    INTEGER NOT NULL DEFAULT 0,
  -- its last call; NULL: none since it registered
  last_online_at INTEGER,
  -- its last call about a task
  last_active_at INTEGER,
  created_at     INTEGER NOT NULL,
  CHECK (repo_id IS NULL OR owner_id IS NULL)
) STRICT;
CREATE INDEX actions_runners_by_repo ON actions_runners (repo_id) WHERE repo_id IS NOT NULL;
CREATE INDEX actions_runners_by_owner ON actions_runners (owner_id) WHERE owner_id IS NOT NULL;

-- What runners show when they register. One is in use in each home; a reset puts another in its place.
CREATE TABLE actions_registration_tokens (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id    INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id   INTEGER REFERENCES users (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL UNIQUE,
  -- sealed; empty once it is no longer in use
  token      TEXT NOT NULL,
  is_active  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK (repo_id IS NULL OR owner_id IS NULL)
) STRICT;
CREATE UNIQUE INDEX actions_registration_tokens_by_repo ON actions_registration_tokens (repo_id)
  WHERE repo_id IS NOT NULL AND is_active = 1;
CREATE UNIQUE INDEX actions_registration_tokens_by_owner ON actions_registration_tokens (owner_id)
  WHERE owner_id IS NOT NULL AND is_active = 1;
CREATE UNIQUE INDEX actions_registration_tokens_of_site ON actions_registration_tokens (is_active)
  WHERE repo_id IS NULL AND owner_id IS NULL AND is_active = 1;
-- For deletions of what they belong to.
CREATE INDEX actions_registration_tokens_of_repo ON actions_registration_tokens (repo_id) WHERE repo_id IS NOT NULL;
CREATE INDEX actions_registration_tokens_of_owner ON actions_registration_tokens (owner_id) WHERE owner_id IS NOT NULL;

-- A number for each home that is raised when its runners should ask again; a home without a row is at 1.
CREATE TABLE actions_task_versions (
  repo_id  INTEGER UNIQUE REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id INTEGER UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  version  INTEGER NOT NULL,
  CHECK (repo_id IS NULL OR owner_id IS NULL)
) STRICT;
CREATE UNIQUE INDEX actions_task_versions_of_site ON actions_task_versions ((repo_id IS NULL))
  WHERE repo_id IS NULL AND owner_id IS NULL;
