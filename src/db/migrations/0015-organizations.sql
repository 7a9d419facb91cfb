-- An organization is a row of users; here stands what only organizations have.
CREATE TABLE organizations (
  user_id                  INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- administrators of a repository may add and remove teams
  repo_admins_change_teams INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Whoever is in one of its teams.
CREATE TABLE organization_members (
  organization_id INTEGER NOT NULL REFERENCES organizations (user_id) ON DELETE CASCADE,
  user_id         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_public       INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX organization_members_by_user ON organization_members (user_id);

CREATE TABLE teams (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id  INTEGER NOT NULL REFERENCES organizations (user_id) ON DELETE CASCADE,
  name             TEXT NOT NULL,
  lower_name       TEXT NOT NULL,
  description      TEXT NOT NULL DEFAULT '',
  -- owner: the one team of owners; admin: administers its repositories; none: what team_units says
  level            TEXT NOT NULL CHECK (level IN ('none', 'admin', 'owner')),
  -- every repository of the organization, also those to come
  includes_all     INTEGER NOT NULL DEFAULT 0,
  can_create_repos INTEGER NOT NULL DEFAULT 0,
  visibility       TEXT NOT NULL CHECK (visibility IN ('public', 'limited', 'private')),
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  UNIQUE (organization_id, lower_name)
) STRICT;
CREATE UNIQUE INDEX teams_of_owners ON teams (organization_id) WHERE level = 'owner';

-- What a team may do on each unit of its repositories.
CREATE TABLE team_units (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  unit    TEXT NOT NULL,
  level   TEXT NOT NULL CHECK (level IN ('none', 'read', 'write', 'admin')),
  PRIMARY KEY (team_id, unit)
) STRICT, WITHOUT ROWID;

CREATE TABLE team_members (
  team_id         INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id         INTEGER NOT NULL,
  organization_id INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (team_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
-- Who asks, and whose repository it is: the look-up of every decision.
CREATE INDEX team_members_by_user ON team_members (user_id, organization_id, team_id);
CREATE INDEX team_members_by_membership ON team_members (organization_id, user_id);

CREATE TABLE team_repositories (
  team_id    INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, repo_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_repositories_by_repo ON team_repositories (repo_id, team_id);

-- Whom an account or organization wants nothing to do with.
CREATE TABLE blocks (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  blocker_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  blocked_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  note       TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (blocker_id, blocked_id)
) STRICT;
CREATE INDEX blocks_by_blocked ON blocks (blocked_id);

-- What an owner has, the oldest first.
CREATE INDEX repositories_by_owner ON repositories (owner_id, id);
