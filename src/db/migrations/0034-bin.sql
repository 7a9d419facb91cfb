-- Deleted repositories that can still be restored. Meanwhile they have no name that anyone could use, and no one sees them.
ALTER TABLE repositories ADD COLUMN binned_at INTEGER;
CREATE INDEX repositories_in_bin ON repositories (binned_at) WHERE binned_at IS NOT NULL;
CREATE TABLE binned_repositories (
  repo_id    INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  -- what it was forked from
  fork_of    INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  deleted_by INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX binned_repositories_by_base ON binned_repositories (fork_of) WHERE fork_of IS NOT NULL;
CREATE INDEX binned_repositories_by_account ON binned_repositories (deleted_by) WHERE deleted_by IS NOT NULL;
