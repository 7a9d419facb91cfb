-- What jobs leave behind. With the older protocol an artifact is files under one name, a row each; with the newer one it is
-- one file. Their bytes are blobs of the area `actions-artifacts`, by number.
CREATE TABLE actions_artifacts (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id         INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  run_id          INTEGER NOT NULL REFERENCES actions_runs (id) ON DELETE CASCADE,
  attempt         INTEGER NOT NULL,
  name            TEXT NOT NULL,
  -- in the artifact; empty: the newer protocol's one file
  path            TEXT NOT NULL,
  -- of the newer protocol, as its sender calls it; empty: the older
  media_type      TEXT NOT NULL,
  -- `gzip`: its bytes are compressed, and handed out so
  encoding        TEXT NOT NULL,
  -- 1: on its way; 2: there; 3: it was not what was announced; 4: its time is over
  status          INTEGER NOT NULL,
  -- of the content as people get it
  size_bytes      INTEGER NOT NULL,
  -- what it takes, its blocks included
  stored_bytes    INTEGER NOT NULL,
  -- how long the sender of the older protocol says its bytes are; NULL: nothing came yet
  announced_bytes INTEGER,
  expires_at      INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  UNIQUE (run_id, attempt, name, path)
) STRICT;
CREATE INDEX actions_artifacts_listed ON actions_artifacts (repo_id, id) WHERE path = '' AND status IN (2, 4);
CREATE INDEX actions_artifacts_named ON actions_artifacts (repo_id, name, id) WHERE path = '' AND status IN (2, 4);
CREATE INDEX actions_artifacts_by_repo ON actions_artifacts (repo_id, id);
CREATE INDEX actions_artifacts_by_end ON actions_artifacts (expires_at) WHERE status = 2;
CREATE INDEX actions_artifacts_unfinished ON actions_artifacts (updated_at) WHERE status IN (1, 3);
CREATE TRIGGER actions_artifacts_drop_blobs AFTER DELETE ON actions_artifacts BEGIN
  DELETE FROM blob_references WHERE area = 'actions-artifacts' AND owner_key = CAST(OLD.id AS TEXT);
END;
CREATE TRIGGER actions_artifacts_count_size AFTER INSERT ON actions_artifacts BEGIN
  UPDATE repository_usage SET artifacts = artifacts + NEW.stored_bytes WHERE repo_id = NEW.repo_id;
END;
CREATE TRIGGER actions_artifacts_change_size AFTER UPDATE OF stored_bytes ON actions_artifacts BEGIN
  UPDATE repository_usage SET artifacts = artifacts + NEW.stored_bytes - OLD.stored_bytes WHERE repo_id = NEW.repo_id;
END;
CREATE TRIGGER actions_artifacts_uncount_size AFTER DELETE ON actions_artifacts BEGIN
  UPDATE repository_usage SET artifacts = artifacts - OLD.stored_bytes WHERE repo_id = OLD.repo_id;
END;

-- Parts of what is on its way; their bytes are blobs of the area `actions-blocks`, by number.
CREATE TABLE actions_artifact_blocks (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  artifact_id INTEGER NOT NULL REFERENCES actions_artifacts (id) ON DELETE CASCADE,
  -- what its sender calls it
  key         TEXT NOT NULL,
  -- where it stands among the others; of the older protocol where it begins; NULL: that was not said yet
  place       INTEGER,
  size_bytes  INTEGER NOT NULL,
  UNIQUE (artifact_id, key)
) STRICT;
CREATE TRIGGER actions_artifact_blocks_drop_blobs AFTER DELETE ON actions_artifact_blocks BEGIN
  DELETE FROM blob_references WHERE area = 'actions-blocks' AND owner_key = CAST(OLD.id AS TEXT);
END;

-- What steps wrote for people to read, as Markdown.
CREATE TABLE actions_summaries (
  job_id     INTEGER NOT NULL REFERENCES actions_jobs (id) ON DELETE CASCADE,
  -- the step's place
  step       INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  text       TEXT NOT NULL,
  PRIMARY KEY (job_id, step)
) STRICT, WITHOUT ROWID;
