-- Rules that say who may change which branches and tags.

CREATE TABLE branch_protections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- A branch, in any letter case, or a glob.
  name TEXT NOT NULL,
  -- The smallest that matches decides.
  priority INTEGER NOT NULL,
  -- JSON of what differs from the defaults.
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX branch_protections_by_name ON branch_protections (repo_id, name);

-- Whom a rule lists: for pushing, force-pushing, merging, bypassing, approving.
CREATE TABLE branch_protection_users (
  protection_id INTEGER NOT NULL REFERENCES branch_protections (id) ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('push', 'forcePush', 'merge', 'bypass', 'approvals')),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, list, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX branch_protection_users_by_user ON branch_protection_users (user_id);

CREATE TABLE branch_protection_teams (
  protection_id INTEGER NOT NULL REFERENCES branch_protections (id) ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('push', 'forcePush', 'merge', 'bypass', 'approvals')),
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, list, team_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX branch_protection_teams_by_team ON branch_protection_teams (team_id);

CREATE TABLE tag_protections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- A glob, or a regular expression between slashes.
  pattern TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX tag_protections_by_pattern ON tag_protections (repo_id, pattern);

CREATE TABLE tag_protection_users (
  protection_id INTEGER NOT NULL REFERENCES tag_protections (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tag_protection_users_by_user ON tag_protection_users (user_id);

CREATE TABLE tag_protection_teams (
  protection_id INTEGER NOT NULL REFERENCES tag_protections (id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, team_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tag_protection_teams_by_team ON tag_protection_teams (team_id);

-- What pushes to a repository may bring; a repository without a row has the site's limits alone.
CREATE TABLE push_limits (
  repo_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  -- 0: no limit of its own.
  max_file_bytes INTEGER NOT NULL,
  -- Whether files with what looks like a secret are refused.
  refuses_secrets INTEGER NOT NULL CHECK (refuses_secrets IN (0, 1)),
  -- Regular expressions of RE2, one a line: files that match one are refused.
  patterns TEXT NOT NULL
) STRICT;
