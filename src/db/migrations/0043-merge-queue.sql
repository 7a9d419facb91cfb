-- Pull requests that wait for their turn to be merged into a branch; the order is that of the ids.
CREATE TABLE merge_queue (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id       INTEGER NOT NULL UNIQUE REFERENCES issues (id) ON DELETE CASCADE,
  repo_id        INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  branch         TEXT NOT NULL,
  -- who merges
  user_id        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  style          TEXT NOT NULL,
  title          TEXT NOT NULL,
  message        TEXT NOT NULL,
  -- 0, 1; NULL: as the repository has it
  deletes_branch INTEGER,
  -- the head that was added
  head_oid       TEXT NOT NULL,
  -- what the branch would be with it, made onto what it would be before it; empty: not made yet
  onto_oid       TEXT NOT NULL DEFAULT '',
  candidate_oid  TEXT NOT NULL DEFAULT '',
  candidate_at   INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX merge_queue_by_branch ON merge_queue (repo_id, branch, id);
CREATE INDEX merge_queue_by_candidate ON merge_queue (repo_id, candidate_oid) WHERE candidate_oid <> '';
CREATE INDEX merge_queue_by_user ON merge_queue (user_id);
-- the open pull requests of a commit that checks report on
CREATE INDEX pulls_open_by_commit ON pulls (repo_id, head_oid) WHERE is_open = 1;
