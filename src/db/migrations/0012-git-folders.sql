-- A repository has a git folder of each kind that it uses. The one of its code has the repository's own number; the
-- others have further numbers of repository_storage. What refs, their log and maintenance say is said of a folder.
CREATE TABLE git_folders (
  id              INTEGER PRIMARY KEY REFERENCES repository_storage (id),
  repo_id         INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL,
  object_format   TEXT NOT NULL DEFAULT 'sha1' CHECK (object_format IN ('sha1', 'sha256')),
  -- the branch that HEAD names
  default_branch  TEXT NOT NULL,
  -- it has never had a branch
  is_empty        INTEGER NOT NULL DEFAULT 1,
  -- raised by every change of a ref: caches of what refs show are keyed by it
  refs_version    INTEGER NOT NULL DEFAULT 0,
  -- what the projection on disk looked like when we last wrote it: another look means real git changed it
  projection_mark TEXT NOT NULL DEFAULT '',
  UNIQUE (repo_id, kind)
) STRICT;

INSERT INTO git_folders (id, repo_id, kind, object_format, default_branch, is_empty, refs_version, projection_mark)
  SELECT id, id, 'code', object_format, default_branch, is_empty, refs_version, projection_mark FROM repositories;

ALTER TABLE repositories DROP COLUMN object_format;
ALTER TABLE repositories DROP COLUMN default_branch;
ALTER TABLE repositories DROP COLUMN is_empty;
ALTER TABLE repositories DROP COLUMN refs_version;
ALTER TABLE repositories DROP COLUMN projection_mark;

-- The truth about refs; HEAD and packed-refs on disk are a projection of it.
CREATE TABLE new_refs (
  folder_id INTEGER NOT NULL REFERENCES git_folders (id) ON DELETE CASCADE,
  name      TEXT NOT NULL,
  oid       TEXT NOT NULL,
  peeled    TEXT,
  PRIMARY KEY (folder_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO new_refs SELECT repo_id, name, oid, peeled FROM refs;
DROP TABLE refs;
ALTER TABLE new_refs RENAME TO refs;

CREATE TABLE new_ref_log (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_id INTEGER NOT NULL REFERENCES git_folders (id) ON DELETE CASCADE,
  name      TEXT NOT NULL,
  old_oid   TEXT,
  new_oid   TEXT,
  actor_id  INTEGER,
  at        INTEGER NOT NULL
) STRICT;
INSERT INTO new_ref_log SELECT id, repo_id, name, old_oid, new_oid, actor_id, at FROM ref_log;
DROP TABLE ref_log;
ALTER TABLE new_ref_log RENAME TO ref_log;
CREATE INDEX ref_log_by_folder ON ref_log (folder_id, name, id);
CREATE INDEX ref_log_by_time ON ref_log (at);

-- Folders whose projection on disk may lag behind the refs above.
CREATE TABLE new_projections_due (
  folder_id INTEGER PRIMARY KEY REFERENCES git_folders (id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_projections_due SELECT repo_id FROM projections_due;
DROP TABLE projections_due;
ALTER TABLE new_projections_due RENAME TO projections_due;

-- Refs that changed since they were last written to the folder, and what the folder says of them: null for nothing.
-- Without a row the folder was made to show what the database has.
CREATE TABLE new_unwritten_refs (
  folder_id   INTEGER NOT NULL REFERENCES git_folders (id) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  written_oid TEXT,
  PRIMARY KEY (folder_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO new_unwritten_refs SELECT repo_id, name, written_oid FROM unwritten_refs;
DROP TABLE unwritten_refs;
ALTER TABLE new_unwritten_refs RENAME TO unwritten_refs;

-- When everything stored in a folder, or all uploaded files (folder_id NULL), was last read and compared with its checksums.
CREATE TABLE new_scrubs (
  id          INTEGER PRIMARY KEY,
  folder_id   INTEGER UNIQUE REFERENCES git_folders (id) ON DELETE CASCADE,
  finished_at INTEGER NOT NULL,
  -- objects, or files
  items       INTEGER NOT NULL,
  bytes       INTEGER NOT NULL
) STRICT;
INSERT INTO new_scrubs SELECT id, repo_id, finished_at, items, bytes FROM scrubs;
DROP TABLE scrubs;
ALTER TABLE new_scrubs RENAME TO scrubs;
CREATE UNIQUE INDEX scrubs_of_blobs ON scrubs (folder_id IS NULL) WHERE folder_id IS NULL;

-- Jobs that wait are about folders from now on.
UPDATE jobs SET payload = json_object('folderId', json_extract(payload, '$.repoId'))
  WHERE kind IN ('repository.refresh', 'repository.geometric-repack', 'repository.repack', 'repository.prune-packs', 'integrity.scrub-repository');
