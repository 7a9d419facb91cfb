-- A watch that came by itself, with the first push; and who gave one back, whom no push makes watch again.
ALTER TABLE watches ADD COLUMN is_auto INTEGER NOT NULL DEFAULT 0;
CREATE TABLE watch_refusals (
  repo_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (repo_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_refusals_by_user ON watch_refusals (user_id);
