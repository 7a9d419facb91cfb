-- Who did it, in storable form; whose it is; the unit of the repository that may read it; the version of the payload.
ALTER TABLE events RENAME COLUMN actor_id TO user_id;
ALTER TABLE events ADD COLUMN via TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN token_id INTEGER;
ALTER TABLE events ADD COLUMN owner_id INTEGER;
ALTER TABLE events ADD COLUMN unit TEXT;
ALTER TABLE events ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE INDEX events_by_time ON events (created_at);

-- Events a consumer could not take. waiting: it is tried again, and what follows it in its stream waits behind it;
-- set-aside: its tries are used up, the stream goes on without it.
CREATE TABLE event_failures (
  consumer   TEXT NOT NULL,
  event_id   INTEGER NOT NULL,
  -- events of one stream are taken in order: a repository's, else an owner's, else those of the site
  stream     TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'set-aside')),
  tries      INTEGER NOT NULL,
  retry_at   INTEGER NOT NULL,
  last_error TEXT NOT NULL DEFAULT '',
  failed_at  INTEGER NOT NULL,
  PRIMARY KEY (consumer, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_failures_waiting ON event_failures (consumer, stream, event_id) WHERE state = 'waiting';
CREATE INDEX event_failures_by_event ON event_failures (event_id);

CREATE TABLE new_jobs (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  kind         TEXT NOT NULL,
  payload      TEXT NOT NULL,
  -- two waiting jobs of the same key are one
  unique_key   TEXT,
  -- two jobs of the same key never run at the same time
  exclusion_key TEXT,
  state        TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  run_at       INTEGER NOT NULL,
  -- counted when it is taken, so that a job that kills the process does not do so for ever
  attempts     INTEGER NOT NULL DEFAULT 0,
  last_error   TEXT,
  progress     TEXT NOT NULL DEFAULT '',
  percent      INTEGER,
  created_at   INTEGER NOT NULL,
  started_at   INTEGER,
  finished_at  INTEGER
) STRICT;
-- The nightly job put itself in the queue again; it is a schedule now.
INSERT INTO new_jobs (id, kind, payload, unique_key, state, run_at, attempts, last_error, created_at, finished_at)
  SELECT id, kind, payload, unique_key, state, run_at, attempts, last_error, created_at,
         CASE state WHEN 'failed' THEN created_at END
  FROM jobs WHERE kind <> 'repositories.nightly';
DROP TABLE jobs;
ALTER TABLE new_jobs RENAME TO jobs;
CREATE INDEX jobs_waiting ON jobs (kind, run_at, id) WHERE state = 'waiting';
CREATE INDEX jobs_by_run_at ON jobs (run_at) WHERE state = 'waiting';
CREATE INDEX jobs_by_state ON jobs (state, id);
CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_unique ON jobs (unique_key) WHERE unique_key IS NOT NULL AND state = 'waiting';

CREATE TABLE schedules (
  name        TEXT PRIMARY KEY,
  -- the words that next_run_at was worked out from
  cron        TEXT NOT NULL,
  next_run_at INTEGER,
  last_run_at INTEGER,
  runs        INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX ref_log_by_time ON ref_log (at);
CREATE INDEX activities_by_time ON activities (created_at);
