-- Who marked a repository to find it again; the newest first for an account's own list.
CREATE TABLE stars (
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (repo_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX stars_by_user ON stars (user_id, created_at);
