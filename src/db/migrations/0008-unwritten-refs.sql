-- Refs that changed since they were last written to the repository's folder, and what the folder says of them: null
-- for nothing. Without a row the folder was made to show what the database has.
CREATE TABLE unwritten_refs (
  repo_id     INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  written_oid TEXT,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;
