-- Words that site administrators put on repositories.
CREATE TABLE repository_flags (
  repo_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;
