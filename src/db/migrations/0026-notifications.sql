-- What someone is told of: one thread for each of their subjects.
CREATE TABLE notifications (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- of an issue or a pull request; NULL: the repository itself
  issue_id   INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  subject    TEXT NOT NULL CHECK (subject IN ('issue', 'pull', 'repository')),
  status     TEXT NOT NULL CHECK (status IN ('unread', 'read', 'pinned')),
  -- src/notifications/types.ts
  reason     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX notifications_by_subject ON notifications (user_id, repo_id, coalesce(issue_id, 0));
CREATE INDEX notifications_by_status ON notifications (user_id, status, updated_at, id);
CREATE INDEX notifications_by_update ON notifications (user_id, updated_at, id);
CREATE INDEX notifications_by_issue ON notifications (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX notifications_by_repo ON notifications (repo_id);
