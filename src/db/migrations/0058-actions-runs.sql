-- What workflows do: runs of a workflow file, their attempts, the jobs of each, and the tasks that runners make of jobs.
-- Statuses are the numbers of contract actions.md 1.1; commits are hexadecimal; times are milliseconds.
CREATE TABLE actions_runs (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id             INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number              INTEGER NOT NULL,
  -- what it came from (an event and a workflow, a request, a time): the same cause makes no second run
  cause               TEXT NOT NULL UNIQUE,
  -- the file, from its folder of workflows: `build.yml`; and that folder
  workflow            TEXT NOT NULL,
  workflow_folder     TEXT NOT NULL,
  -- its `name`; empty: none
  workflow_name       TEXT NOT NULL,
  -- where the file was read
  source_commit       TEXT NOT NULL,
  title               TEXT NOT NULL,
  -- as workflows name it: `push`
  event               TEXT NOT NULL,
  ref                 TEXT NOT NULL,
  commit_id           TEXT NOT NULL,
  -- whose doing it was; NULL: Actions' own, or an account that is gone
  user_id             INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- the pull request it is of
  issue_id            INTEGER REFERENCES issues (id) ON DELETE SET NULL,
  -- its code is a stranger's: no secrets, a token that reads
  is_of_fork          INTEGER NOT NULL,
  needs_approval      INTEGER NOT NULL,
  approved_by         INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- empty: none
  concurrency_group   TEXT NOT NULL,
  concurrency_cancels INTEGER NOT NULL,
  -- how many runs led to it by `workflow_run`
  depth               INTEGER NOT NULL,
  -- of its last attempt, which is this one
  status              INTEGER NOT NULL,
  attempt             INTEGER NOT NULL,
  started_at          INTEGER,
  stopped_at          INTEGER,
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  -- What is long stands last, so that lists need not read past it.
  -- the file's text
  source              TEXT NOT NULL,
  -- what jobs get as `github.event`, JSON
  payload             TEXT NOT NULL,
  UNIQUE (repo_id, number)
) STRICT;
CREATE INDEX actions_runs_by_repo ON actions_runs (repo_id, id);
CREATE INDEX actions_runs_by_status ON actions_runs (repo_id, status, id);
CREATE INDEX actions_runs_by_workflow ON actions_runs (repo_id, workflow, id);
CREATE INDEX actions_runs_by_commit ON actions_runs (repo_id, commit_id);
CREATE INDEX actions_runs_by_group ON actions_runs (repo_id, concurrency_group) WHERE concurrency_group != '';
CREATE INDEX actions_runs_by_issue ON actions_runs (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX actions_runs_by_event ON actions_runs (repo_id, event, id);
CREATE INDEX actions_runs_by_ref ON actions_runs (repo_id, ref, id);
CREATE INDEX actions_runs_by_user ON actions_runs (user_id, repo_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX actions_runs_by_approver ON actions_runs (approved_by) WHERE approved_by IS NOT NULL;

-- The number a repository's last run got.
CREATE TABLE actions_run_numbers (
  repo_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  last    INTEGER NOT NULL
) STRICT;

CREATE TABLE actions_attempts (
  run_id     INTEGER NOT NULL REFERENCES actions_runs (id) ON DELETE CASCADE,
  attempt    INTEGER NOT NULL,
  -- who asked for it
  user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  status     INTEGER NOT NULL,
  started_at INTEGER,
  stopped_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX actions_attempts_by_user ON actions_attempts (user_id) WHERE user_id IS NOT NULL;

-- One for each cell of a matrix, and one for each call of a workflow, whose jobs name it as their parent.
CREATE TABLE actions_jobs (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id              INTEGER NOT NULL REFERENCES actions_runs (id) ON DELETE CASCADE,
  repo_id             INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  attempt             INTEGER NOT NULL,
  parent_id           INTEGER REFERENCES actions_jobs (id) ON DELETE CASCADE,
  -- its name in the file, which all cells share
  key                 TEXT NOT NULL,
  name                TEXT NOT NULL,
  -- keys, JSON
  needs               TEXT NOT NULL,
  -- labels, JSON
  runs_on             TEXT NOT NULL,
  concurrency_group   TEXT NOT NULL,
  concurrency_cancels INTEGER NOT NULL,
  status              INTEGER NOT NULL,
  -- the task that does it or did; of a copy in a later attempt that of the job it copies
  task_id             INTEGER,
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  started_at          INTEGER,
  stopped_at          INTEGER,
  -- what else is planned of it, JSON: JobPlan
  plan                TEXT NOT NULL
) STRICT;
CREATE INDEX actions_jobs_by_run ON actions_jobs (run_id, attempt, id);
CREATE INDEX actions_jobs_by_repo ON actions_jobs (repo_id, id);
CREATE INDEX actions_jobs_by_status ON actions_jobs (repo_id, status, id);
CREATE INDEX actions_jobs_by_parent ON actions_jobs (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX actions_jobs_by_group ON actions_jobs (repo_id, concurrency_group) WHERE concurrency_group != '';
-- Waiting (5), running (6), blocked (7), cancelling (8): what runners and the server's own clock look for.
CREATE INDEX actions_jobs_open ON actions_jobs (status, updated_at, id) WHERE status IN (5, 6, 7, 8);

CREATE TABLE actions_tasks (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id        INTEGER NOT NULL REFERENCES actions_jobs (id) ON DELETE CASCADE,
  repo_id       INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- what the runner was called stays when it is gone
  runner_id     INTEGER REFERENCES actions_runners (id) ON DELETE SET NULL,
  runner_name   TEXT NOT NULL,
  status        INTEGER NOT NULL,
  -- SHA-256 of the job's token
  token_hash    TEXT NOT NULL,
  started_at    INTEGER,
  stopped_at    INTEGER,
  -- its runner's last word
  updated_at    INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  log_rows      INTEGER NOT NULL DEFAULT 0,
  log_bytes     INTEGER NOT NULL DEFAULT 0,
  log_is_closed INTEGER NOT NULL DEFAULT 0,
  log_is_gone   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX actions_tasks_by_job ON actions_tasks (job_id);
CREATE INDEX actions_tasks_by_repo ON actions_tasks (repo_id, id);
CREATE INDEX actions_tasks_by_runner ON actions_tasks (runner_id) WHERE runner_id IS NOT NULL;
CREATE UNIQUE INDEX actions_tasks_by_token ON actions_tasks (token_hash);
CREATE INDEX actions_tasks_open ON actions_tasks (updated_at) WHERE status IN (6, 8);
CREATE INDEX actions_tasks_by_log_age ON actions_tasks (stopped_at) WHERE log_is_gone = 0 AND stopped_at IS NOT NULL;

CREATE TABLE actions_steps (
  task_id    INTEGER NOT NULL REFERENCES actions_tasks (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  name       TEXT NOT NULL,
  status     INTEGER NOT NULL,
  log_index  INTEGER NOT NULL,
  log_length INTEGER NOT NULL,
  started_at INTEGER,
  stopped_at INTEGER,
  PRIMARY KEY (task_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE actions_outputs (
  task_id INTEGER NOT NULL REFERENCES actions_tasks (id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  value   TEXT NOT NULL,
  PRIMARY KEY (task_id, name)
) STRICT, WITHOUT ROWID;

-- Rows of a log in the order they came, as they are shown: `2026-01-02T03:04:05.0000000Z text` and a line end each.
CREATE TABLE actions_log_parts (
  task_id   INTEGER NOT NULL REFERENCES actions_tasks (id) ON DELETE CASCADE,
  first_row INTEGER NOT NULL,
  rows      INTEGER NOT NULL,
  -- bytes of them as text
  size      INTEGER NOT NULL,
  -- zstd
  bytes     BLOB NOT NULL,
  PRIMARY KEY (task_id, first_row)
) STRICT, WITHOUT ROWID;

-- Workflows that a repository does not run.
CREATE TABLE actions_disabled_workflows (
  repo_id  INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  workflow TEXT NOT NULL,
  PRIMARY KEY (repo_id, workflow)
) STRICT, WITHOUT ROWID;

-- What the tokens of a repository's jobs, or of all that an account owns, may do. Nothing here: everything is as it is built in.
CREATE TABLE actions_token_rules (
  repo_id             INTEGER UNIQUE REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id            INTEGER UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  -- without `permissions` in the file a token reads code, packages and releases, and writes nothing
  is_restricted       INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) != (owner_id IS NULL))
) STRICT;

-- Whose doing jobs' is: an account that no one signs in as and that is in no list (contract identity.md 8.1).
INSERT INTO users (id, login, lower_login, kind, full_name, email, hide_email, hide_activity, max_repo_creation,
  allow_create_organization, created_at, updated_at)
VALUES (-2, 'gitea-actions', 'gitea-actions', 'reserved', 'Gitea Actions', 'teabot@gitea.io', 0, 1, 0, 0, 0, 0);

-- Checks of the same name from several workflow files count each for itself; empty: a status that someone posted.
ALTER TABLE commit_statuses ADD COLUMN source TEXT NOT NULL DEFAULT '';
