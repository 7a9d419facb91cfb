-- Where a repository was brought in from, without credentials; empty: it began here.
ALTER TABLE repositories ADD COLUMN original_url TEXT NOT NULL DEFAULT '';
-- It follows a repository elsewhere, as its row in pull_mirrors says.
ALTER TABLE repositories ADD COLUMN is_mirror INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER listed_repository_mirrored AFTER UPDATE OF is_mirror ON repositories
  WHEN NEW.is_mirror <> OLD.is_mirror BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.id FROM repository_lists;
END;

CREATE TABLE pull_mirrors (
  repo_id     INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  address     TEXT NOT NULL,
  username    TEXT NOT NULL,
  -- sealed, or empty
  password    TEXT NOT NULL DEFAULT '',
  -- 0: only when someone asks for it
  interval_ms INTEGER NOT NULL,
  -- branches and tags that went there go here, too
  prunes      INTEGER NOT NULL,
  -- the wiki comes along
  has_wiki    INTEGER NOT NULL,
  next_at     INTEGER,
  -- the last time that went well, after the first one; of the settings and of every try
  synced_at   INTEGER,
  changed_at  INTEGER NOT NULL,
  -- since it went well; the last one as JSON, or empty
  failures    INTEGER NOT NULL DEFAULT 0,
  last_error  TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX pull_mirrors_due ON pull_mirrors (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE push_mirrors (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id        INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  remote_name    TEXT NOT NULL UNIQUE,
  address        TEXT NOT NULL,
  username       TEXT NOT NULL,
  -- sealed, or empty
  password       TEXT NOT NULL DEFAULT '',
  interval_ms    INTEGER NOT NULL,
  sync_on_commit INTEGER NOT NULL,
  -- patterns of branches with commas between them; empty: all
  branches       TEXT NOT NULL DEFAULT '',
  next_at        INTEGER,
  pushed_at      INTEGER,
  failures       INTEGER NOT NULL DEFAULT 0,
  last_error     TEXT NOT NULL DEFAULT '',
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX push_mirrors_by_repo ON push_mirrors (repo_id, id);
CREATE INDEX push_mirrors_due ON push_mirrors (next_at) WHERE next_at IS NOT NULL;

-- Repositories that are being brought in, and those where that failed and is to be tried again.
CREATE TABLE repository_imports (
  repo_id    INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  service    TEXT NOT NULL,
  address    TEXT NOT NULL,
  username   TEXT NOT NULL,
  -- sealed, or empty
  password   TEXT NOT NULL DEFAULT '',
  token      TEXT NOT NULL DEFAULT '',
  -- what to bring besides the code, as a JSON array
  parts      TEXT NOT NULL,
  doer_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- what is done already, as a JSON array
  done       TEXT NOT NULL DEFAULT '[]',
  -- why it failed, as JSON; empty: it is under way
  failure    TEXT NOT NULL DEFAULT '',
  -- whoever asked waits for the answer: when it fails, the repository goes again
  is_awaited INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX repository_imports_by_doer ON repository_imports (doer_id) WHERE doer_id IS NOT NULL;
