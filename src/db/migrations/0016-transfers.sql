-- Repositories that wait for their new owner's answer.
CREATE TABLE repository_transfers (
  repo_id      INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  doer_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  recipient_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- teams that are to have it, as a JSON list of numbers
  team_ids     TEXT NOT NULL DEFAULT '[]',
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX repository_transfers_by_recipient ON repository_transfers (recipient_id);
CREATE INDEX repository_transfers_by_doer ON repository_transfers (doer_id);
