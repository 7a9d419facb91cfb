-- What checks say of commits: never changed, a later one of the same context takes the place of an earlier one.
CREATE TABLE commit_statuses (
  id INTEGER PRIMARY KEY,
  repo_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  commit_id TEXT NOT NULL,
  -- Counts from 1 for each commit of a repository.
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  context TEXT NOT NULL,
  description TEXT NOT NULL,
  target_url TEXT NOT NULL,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX commit_statuses_by_number ON commit_statuses (repo_id, commit_id, number);
CREATE INDEX commit_statuses_by_context ON commit_statuses (repo_id, commit_id, context, number);
CREATE INDEX commit_statuses_by_creator ON commit_statuses (creator_id);
