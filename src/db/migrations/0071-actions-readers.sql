-- Whose repositories' jobs may read a private repository: of its own owner those of all, of other accounts those of private ones.
CREATE TABLE actions_readers (
  repo_id INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
  owner_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  PRIMARY KEY (repo_id, owner_id)
) WITHOUT ROWID;
CREATE INDEX actions_readers_by_owner ON actions_readers (owner_id);
