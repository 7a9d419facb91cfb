-- Entries that go with their repository, which the database looks for whenever one is deleted.
CREATE INDEX timeline_by_repo ON timeline (repo_id);

-- Items that are brought in from elsewhere in several transactions, and how much of what was said of them is here.
CREATE TABLE unfinished_items (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  comments INTEGER NOT NULL,
  reviews  INTEGER NOT NULL DEFAULT 0
) STRICT;
