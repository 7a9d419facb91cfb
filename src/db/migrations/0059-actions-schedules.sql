-- What happened in a repository that workflows may be about, in its order, until it was looked at.
CREATE TABLE actions_happenings (
  -- never used twice: runs are known by it
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- as hooks call it, or `schedule`
  type       TEXT NOT NULL,
  -- what its payload does not say: whether labels were added
  detail     TEXT NOT NULL,
  -- whose doing it was; NULL: nobody's
  user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- JSON, or what it is made from
  payload    TEXT NOT NULL,
  is_source  INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX actions_happenings_by_repo ON actions_happenings (repo_id, id);
CREATE INDEX actions_happenings_by_user ON actions_happenings (user_id) WHERE user_id IS NOT NULL;

-- Times at which workflows of default branches run.
CREATE TABLE actions_schedules (
  id        INTEGER PRIMARY KEY,
  repo_id   INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  workflow  TEXT NOT NULL,
  -- as it is written in the file
  cron      TEXT NOT NULL,
  -- where the file was read
  branch    TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  next_at   INTEGER NOT NULL,
  UNIQUE (repo_id, workflow, cron)
) STRICT;
CREATE INDEX actions_schedules_due ON actions_schedules (next_at);
