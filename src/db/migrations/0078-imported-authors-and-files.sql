-- What people wrote on another forge finds its author once they have an account here.
CREATE INDEX issues_by_original_author ON issues (original_author_id) WHERE original_author_id <> 0;
CREATE INDEX timeline_by_original_author ON timeline (original_author_id) WHERE original_author_id <> 0;
CREATE INDEX reactions_by_original_author ON reactions (original_author_id) WHERE original_author_id <> 0;

-- Files of imported items and comments that are still to be fetched from the other forge.
CREATE TABLE awaited_files (
  id         INTEGER PRIMARY KEY,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  -- NULL: the item's own
  entry_id   INTEGER REFERENCES timeline (id) ON DELETE CASCADE,
  -- its address here, which texts name already
  uuid       TEXT NOT NULL,
  name       TEXT NOT NULL,
  url        TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX awaited_files_by_repo ON awaited_files (repo_id);
CREATE INDEX awaited_files_by_issue ON awaited_files (issue_id);
CREATE INDEX awaited_files_by_entry ON awaited_files (entry_id) WHERE entry_id IS NOT NULL;
