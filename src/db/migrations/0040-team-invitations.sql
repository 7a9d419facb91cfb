-- Addresses that were invited into a team by mail. The link's code is made of the row and the site's secret.
CREATE TABLE team_invitations (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id     INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  email       TEXT NOT NULL,
  lower_email TEXT NOT NULL,
  -- whoever invited may be gone
  inviter_id  INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  UNIQUE (team_id, lower_email)
) STRICT;
CREATE INDEX team_invitations_by_inviter ON team_invitations (inviter_id);
CREATE INDEX team_invitations_by_end ON team_invitations (expires_at);
