-- What workflows are given by name. A repository's, an account's (for all that it owns), or, with neither, the site's.
CREATE TABLE actions_variables (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id     INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- in upper case
  name        TEXT NOT NULL,
  value       TEXT NOT NULL,
  description TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  CHECK (repo_id IS NULL OR owner_id IS NULL)
) STRICT;
CREATE UNIQUE INDEX actions_variables_by_repo ON actions_variables (repo_id, name) WHERE repo_id IS NOT NULL;
CREATE UNIQUE INDEX actions_variables_by_owner ON actions_variables (owner_id, name) WHERE owner_id IS NOT NULL;
CREATE UNIQUE INDEX actions_variables_of_site ON actions_variables (name) WHERE repo_id IS NULL AND owner_id IS NULL;

CREATE TABLE actions_secrets (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id     INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  -- sealed; empty only until the row has its number, in the transaction that makes it
  value       TEXT NOT NULL,
  description TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) <> (owner_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX actions_secrets_by_repo ON actions_secrets (repo_id, name) WHERE repo_id IS NOT NULL;
CREATE UNIQUE INDEX actions_secrets_by_owner ON actions_secrets (owner_id, name) WHERE owner_id IS NOT NULL;
