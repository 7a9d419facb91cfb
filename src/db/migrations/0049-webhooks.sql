-- Where others are told of what happens.
CREATE TABLE webhooks (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  -- repository, account (all that it owns), system (all of the site), default (a pattern for new repositories)
  level          TEXT NOT NULL,
  repo_id        INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id       INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name           TEXT NOT NULL,
  type           TEXT NOT NULL,
  url            TEXT NOT NULL,
  method         TEXT NOT NULL,
  content_type   TEXT NOT NULL,
  -- what only its type has, as JSON
  settings       TEXT NOT NULL,
  -- sealed, or empty
  secret         TEXT NOT NULL DEFAULT '',
  authorization  TEXT NOT NULL DEFAULT '',
  token          TEXT NOT NULL DEFAULT '',
  -- push, everything or chosen; the names of the events, as a JSON array
  mode           TEXT NOT NULL,
  events         TEXT NOT NULL,
  branch_filter  TEXT NOT NULL,
  is_active      INTEGER NOT NULL,
  -- 1: its last delivery went well, 0: it did not; NULL: there was none
  last_succeeded INTEGER,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_repo ON webhooks (repo_id, id) WHERE repo_id IS NOT NULL;
CREATE INDEX webhooks_by_owner ON webhooks (owner_id, id) WHERE owner_id IS NOT NULL;
CREATE INDEX webhooks_by_level ON webhooks (level, id) WHERE level IN ('system', 'default');

CREATE TABLE webhook_deliveries (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  hook_id     INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  uuid        TEXT NOT NULL UNIQUE,
  event_type  TEXT NOT NULL,
  -- the event as JSON; NULL: it is made of `source` before it is sent
  payload     TEXT,
  source      TEXT,
  is_sent     INTEGER NOT NULL DEFAULT 0,
  sent_at     INTEGER,
  succeeded   INTEGER,
  -- as JSON
  request     TEXT,
  response    TEXT,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_deliveries_by_hook ON webhook_deliveries (hook_id, id);
CREATE INDEX webhook_deliveries_unsent ON webhook_deliveries (hook_id, id) WHERE is_sent = 0;
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at) WHERE is_sent = 1;
