-- Times are milliseconds since 1970 UTC. Ids are never reused. lower_* columns hold the name folded for look-ups.

CREATE TABLE server_values (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id                   INTEGER PRIMARY KEY AUTOINCREMENT,
  login                TEXT NOT NULL,
  lower_login          TEXT NOT NULL UNIQUE,
  kind                 TEXT NOT NULL DEFAULT 'individual' CHECK (kind IN ('individual', 'organization', 'bot', 'reserved')),
  full_name            TEXT NOT NULL DEFAULT '',
  email                TEXT NOT NULL,
  hide_email           INTEGER NOT NULL DEFAULT 0,
  hide_activity        INTEGER NOT NULL DEFAULT 0,
  password_hash        TEXT,
  must_change_password INTEGER NOT NULL DEFAULT 0,
  is_admin             INTEGER NOT NULL DEFAULT 0,
  is_active            INTEGER NOT NULL DEFAULT 1,
  is_restricted        INTEGER NOT NULL DEFAULT 0,
  prohibit_login       INTEGER NOT NULL DEFAULT 0,
  visibility           TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'limited', 'private')),
  language             TEXT NOT NULL DEFAULT '',
  theme                TEXT NOT NULL DEFAULT 'auto',
  diff_view_style      TEXT NOT NULL DEFAULT '',
  website              TEXT NOT NULL DEFAULT '',
  location             TEXT NOT NULL DEFAULT '',
  description          TEXT NOT NULL DEFAULT '',
  pronouns             TEXT NOT NULL DEFAULT '',
  source_id            INTEGER NOT NULL DEFAULT 0,
  login_name           TEXT NOT NULL DEFAULT '',
  allow_git_hook       INTEGER NOT NULL DEFAULT 0,
  allow_import_local   INTEGER NOT NULL DEFAULT 0,
  allow_create_organization INTEGER NOT NULL DEFAULT 1,
  max_repo_creation    INTEGER NOT NULL DEFAULT -1,
  last_login_at        INTEGER,
  created_at           INTEGER NOT NULL,
  updated_at           INTEGER NOT NULL
) STRICT;
CREATE INDEX users_by_kind ON users (kind, lower_login);

CREATE TABLE user_emails (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email       TEXT NOT NULL,
  lower_email TEXT NOT NULL UNIQUE,
  is_verified INTEGER NOT NULL DEFAULT 0,
  is_primary  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX user_emails_by_user ON user_emails (user_id);

-- The name an account had before; leads to its present one until somebody takes the name.
CREATE TABLE user_redirects (
  lower_login TEXT PRIMARY KEY,
  user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX user_redirects_by_user ON user_redirects (user_id);

-- Browser sessions; id is the SHA-256 of the cookie's secret. expires_at is in seconds, as lucia wants it.
CREATE TABLE sessions (
  id         TEXT PRIMARY KEY,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  address    TEXT NOT NULL DEFAULT '',
  user_agent TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
-- What lucia may see of an account.
CREATE VIEW session_users AS SELECT id FROM users;

CREATE TABLE access_tokens (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  token_hash   TEXT NOT NULL UNIQUE,
  last_eight   TEXT NOT NULL,
  scopes       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at   INTEGER,
  UNIQUE (user_id, name)
) STRICT;

-- A repository's folder on disk has this row before, while and after it exists.
-- making: the folder may be half there, sweep it at start; live: it has a repository; trash: unlink it.
CREATE TABLE repository_storage (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  state      TEXT NOT NULL CHECK (state IN ('making', 'live', 'trash')),
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX repository_storage_unsettled ON repository_storage (state) WHERE state <> 'live';

CREATE TABLE repositories (
  id               INTEGER PRIMARY KEY REFERENCES repository_storage (id),
  owner_id         INTEGER NOT NULL REFERENCES users (id),
  name             TEXT NOT NULL,
  lower_name       TEXT NOT NULL,
  description      TEXT NOT NULL DEFAULT '',
  website          TEXT NOT NULL DEFAULT '',
  is_private       INTEGER NOT NULL DEFAULT 0,
  is_template      INTEGER NOT NULL DEFAULT 0,
  is_archived      INTEGER NOT NULL DEFAULT 0,
  archived_at      INTEGER,
  is_empty         INTEGER NOT NULL DEFAULT 1,
  default_branch   TEXT NOT NULL,
  size_bytes       INTEGER NOT NULL DEFAULT 0,
  primary_language TEXT NOT NULL DEFAULT '',
  -- bytes by language of the default branch, as JSON
  languages        TEXT NOT NULL DEFAULT '{}',
  licenses         TEXT NOT NULL DEFAULT '[]',
  -- units switched off and unit settings that differ from the default, as JSON
  settings         TEXT NOT NULL DEFAULT '{}',
  -- raised by every change of a ref: caches of what refs show are keyed by it
  refs_version     INTEGER NOT NULL DEFAULT 0,
  -- what the projection on disk looked like when we last wrote it: another look means real git changed it
  projection_mark  TEXT NOT NULL DEFAULT '',
  pushed_at        INTEGER,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  UNIQUE (owner_id, lower_name)
) STRICT;
CREATE INDEX repositories_by_name ON repositories (lower_name);
CREATE INDEX repositories_by_update ON repositories (updated_at);

-- Repositories that a push made and has not filled yet: when the server dies before it did, they go at the next start.
CREATE TABLE repositories_awaiting_push (
  repo_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE repository_redirects (
  owner_id   INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  lower_name TEXT NOT NULL,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (owner_id, lower_name)
) STRICT, WITHOUT ROWID;
CREATE INDEX repository_redirects_by_repo ON repository_redirects (repo_id);

CREATE TABLE collaborators (
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  level      TEXT NOT NULL CHECK (level IN ('read', 'write', 'admin')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (repo_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX collaborators_by_user ON collaborators (user_id);

-- Who is told of what happens in a repository.
CREATE TABLE watches (
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (repo_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watches_by_user ON watches (user_id);

-- The truth about refs; HEAD and packed-refs on disk are a projection of it.
CREATE TABLE refs (
  repo_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  oid     TEXT NOT NULL,
  peeled  TEXT,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE ref_log (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id  INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name     TEXT NOT NULL,
  old_oid  TEXT,
  new_oid  TEXT,
  actor_id INTEGER,
  at       INTEGER NOT NULL
) STRICT;
CREATE INDEX ref_log_by_repo ON ref_log (repo_id, name, id);

-- The name a branch had before; old links lead on until a branch takes the name.
CREATE TABLE renamed_branches (
  repo_id      INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  former_name  TEXT NOT NULL,
  present_name TEXT NOT NULL,
  PRIMARY KEY (repo_id, former_name)
) STRICT, WITHOUT ROWID;

-- Repositories whose projection on disk may lag behind the refs above.
CREATE TABLE projections_due (
  repo_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE
) STRICT;

-- The outbox: what happened, in the order it was committed.
CREATE TABLE events (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  kind       TEXT NOT NULL,
  repo_id    INTEGER,
  actor_id   INTEGER,
  payload    TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- How far each consumer of the outbox has come.
CREATE TABLE event_cursors (
  consumer TEXT PRIMARY KEY,
  event_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  kind         TEXT NOT NULL,
  payload      TEXT NOT NULL,
  -- two waiting jobs of the same key are one
  unique_key   TEXT,
  state        TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'failed')),
  run_at       INTEGER NOT NULL,
  lease_until  INTEGER,
  attempts     INTEGER NOT NULL DEFAULT 0,
  last_error   TEXT,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_due ON jobs (state, run_at);
CREATE UNIQUE INDEX jobs_unique ON jobs (unique_key) WHERE unique_key IS NOT NULL AND state = 'waiting';

-- What people did, as feeds show it. Filtered by the viewer's present access when read.
CREATE TABLE activities (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id   INTEGER NOT NULL,
  actor_id   INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  ref_name   TEXT NOT NULL DEFAULT '',
  content    TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX activities_by_repo ON activities (repo_id, id);
CREATE INDEX activities_by_actor ON activities (actor_id, id);
