-- What repositories and accounts take of the disk, counted by triggers as rows come and go, so that no one ever adds up.
-- A repository in the bin does not count. An area whose rows have sizes counts them in repository_usage, or in
-- account_usage where they belong to no repository.
CREATE TABLE repository_usage (
  repo_id             INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  lfs                 INTEGER NOT NULL DEFAULT 0,
  wiki                INTEGER NOT NULL DEFAULT 0,
  issue_attachments   INTEGER NOT NULL DEFAULT 0,
  release_attachments INTEGER NOT NULL DEFAULT 0,
  artifacts           INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE account_usage (
  user_id             INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  public_repos        INTEGER NOT NULL DEFAULT 0,
  private_repos       INTEGER NOT NULL DEFAULT 0,
  lfs                 INTEGER NOT NULL DEFAULT 0,
  wiki                INTEGER NOT NULL DEFAULT 0,
  issue_attachments   INTEGER NOT NULL DEFAULT 0,
  release_attachments INTEGER NOT NULL DEFAULT 0,
  artifacts           INTEGER NOT NULL DEFAULT 0,
  packages            INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Of the folders besides the code's, whose size stands in repositories.
ALTER TABLE git_folders ADD COLUMN size_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER account_usage_begin AFTER INSERT ON users BEGIN
  INSERT INTO account_usage (user_id) VALUES (NEW.id);
END;

CREATE TRIGGER repository_usage_begin AFTER INSERT ON repositories BEGIN
  INSERT INTO repository_usage (repo_id) VALUES (NEW.id);
  UPDATE account_usage SET public_repos = public_repos + NEW.size_bytes * (1 - NEW.is_private),
    private_repos = private_repos + NEW.size_bytes * NEW.is_private
    WHERE user_id = NEW.owner_id AND NEW.binned_at IS NULL;
END;

CREATE TRIGGER repository_usage_size AFTER UPDATE OF size_bytes, is_private ON repositories
  WHEN (NEW.size_bytes <> OLD.size_bytes OR NEW.is_private <> OLD.is_private)
    AND NEW.owner_id = OLD.owner_id AND NEW.binned_at IS NULL AND OLD.binned_at IS NULL BEGIN
  UPDATE account_usage SET
    public_repos = public_repos + NEW.size_bytes * (1 - NEW.is_private) - OLD.size_bytes * (1 - OLD.is_private),
    private_repos = private_repos + NEW.size_bytes * NEW.is_private - OLD.size_bytes * OLD.is_private
    WHERE user_id = NEW.owner_id;
END;

-- To another owner, into the bin or out of it: all of it goes along.
CREATE TRIGGER repository_usage_move AFTER UPDATE OF owner_id, binned_at ON repositories
  WHEN NEW.owner_id <> OLD.owner_id OR (NEW.binned_at IS NULL) <> (OLD.binned_at IS NULL) BEGIN
  UPDATE account_usage SET
    public_repos = public_repos - OLD.size_bytes * (1 - OLD.is_private),
    private_repos = private_repos - OLD.size_bytes * OLD.is_private,
    (lfs, wiki, issue_attachments, release_attachments, artifacts) = (
      SELECT account_usage.lfs - moved.lfs, account_usage.wiki - moved.wiki,
        account_usage.issue_attachments - moved.issue_attachments,
        account_usage.release_attachments - moved.release_attachments, account_usage.artifacts - moved.artifacts
      FROM repository_usage AS moved WHERE moved.repo_id = OLD.id)
    WHERE user_id = OLD.owner_id AND OLD.binned_at IS NULL;
  UPDATE account_usage SET
    public_repos = public_repos + NEW.size_bytes * (1 - NEW.is_private),
    private_repos = private_repos + NEW.size_bytes * NEW.is_private,
    (lfs, wiki, issue_attachments, release_attachments, artifacts) = (
      SELECT account_usage.lfs + moved.lfs, account_usage.wiki + moved.wiki,
        account_usage.issue_attachments + moved.issue_attachments,
        account_usage.release_attachments + moved.release_attachments, account_usage.artifacts + moved.artifacts
      FROM repository_usage AS moved WHERE moved.repo_id = NEW.id)
    WHERE user_id = NEW.owner_id AND NEW.binned_at IS NULL;
END;

-- Before its rows go one by one; what they were is not counted again.
CREATE TRIGGER repository_usage_end BEFORE DELETE ON repositories WHEN OLD.binned_at IS NULL BEGIN
  UPDATE account_usage SET
    public_repos = public_repos - OLD.size_bytes * (1 - OLD.is_private),
    private_repos = private_repos - OLD.size_bytes * OLD.is_private
    WHERE user_id = OLD.owner_id;
  UPDATE repository_usage SET lfs = 0, wiki = 0, issue_attachments = 0, release_attachments = 0, artifacts = 0
    WHERE repo_id = OLD.id;
  DELETE FROM repository_usage WHERE repo_id = OLD.id;
END;

CREATE TRIGGER repository_usage_count AFTER UPDATE ON repository_usage BEGIN
  UPDATE account_usage SET lfs = lfs + NEW.lfs - OLD.lfs, wiki = wiki + NEW.wiki - OLD.wiki,
    issue_attachments = issue_attachments + NEW.issue_attachments - OLD.issue_attachments,
    release_attachments = release_attachments + NEW.release_attachments - OLD.release_attachments,
    artifacts = artifacts + NEW.artifacts - OLD.artifacts
    WHERE user_id = (SELECT owner_id FROM repositories WHERE id = NEW.repo_id AND binned_at IS NULL);
END;

CREATE TRIGGER git_folders_count_wiki AFTER UPDATE OF size_bytes ON git_folders WHEN NEW.kind = 'wiki' BEGIN
  UPDATE repository_usage SET wiki = wiki + NEW.size_bytes - OLD.size_bytes WHERE repo_id = NEW.repo_id;
END;
CREATE TRIGGER git_folders_uncount_wiki AFTER DELETE ON git_folders WHEN OLD.kind = 'wiki' BEGIN
  UPDATE repository_usage SET wiki = wiki - OLD.size_bytes WHERE repo_id = OLD.repo_id;
END;

CREATE TRIGGER attachments_count_size AFTER INSERT ON attachments BEGIN
  UPDATE repository_usage SET issue_attachments = issue_attachments + NEW.size_bytes WHERE repo_id = NEW.repo_id;
END;
CREATE TRIGGER attachments_move_size AFTER UPDATE OF repo_id, size_bytes ON attachments BEGIN
  UPDATE repository_usage SET issue_attachments = issue_attachments - OLD.size_bytes WHERE repo_id = OLD.repo_id;
  UPDATE repository_usage SET issue_attachments = issue_attachments + NEW.size_bytes WHERE repo_id = NEW.repo_id;
END;
CREATE TRIGGER attachments_uncount_size AFTER DELETE ON attachments BEGIN
  UPDATE repository_usage SET issue_attachments = issue_attachments - OLD.size_bytes WHERE repo_id = OLD.repo_id;
END;

CREATE TRIGGER release_assets_count_size AFTER INSERT ON release_assets BEGIN
  UPDATE repository_usage SET release_attachments = release_attachments + NEW.size_bytes
    WHERE repo_id = (SELECT repo_id FROM releases WHERE id = NEW.release_id);
END;
CREATE TRIGGER release_assets_change_size AFTER UPDATE OF size_bytes ON release_assets BEGIN
  UPDATE repository_usage SET release_attachments = release_attachments + NEW.size_bytes - OLD.size_bytes
    WHERE repo_id = (SELECT repo_id FROM releases WHERE id = NEW.release_id);
END;
CREATE TRIGGER release_assets_uncount_size AFTER DELETE ON release_assets BEGIN
  UPDATE repository_usage SET release_attachments = release_attachments - OLD.size_bytes
    WHERE repo_id = (SELECT repo_id FROM releases WHERE id = OLD.release_id);
END;
-- The files of a release that goes are counted here: once they go, no row says which repository they were of.
CREATE TRIGGER releases_uncount_size BEFORE DELETE ON releases BEGIN
  UPDATE repository_usage SET release_attachments = release_attachments
    - (SELECT coalesce(sum(size_bytes), 0) FROM release_assets WHERE release_id = OLD.id)
    WHERE repo_id = OLD.repo_id;
END;

-- What there is already.
INSERT INTO repository_usage (repo_id, issue_attachments, release_attachments)
  SELECT id,
    (SELECT coalesce(sum(size_bytes), 0) FROM attachments WHERE repo_id = repositories.id),
    (SELECT coalesce(sum(release_assets.size_bytes), 0) FROM releases
       JOIN release_assets ON release_assets.release_id = releases.id WHERE releases.repo_id = repositories.id)
  FROM repositories;
INSERT INTO account_usage (user_id, public_repos, private_repos, issue_attachments, release_attachments)
  SELECT users.id, coalesce(sum(size_bytes * (1 - is_private)), 0), coalesce(sum(size_bytes * is_private), 0),
    coalesce(sum(issue_attachments), 0), coalesce(sum(release_attachments), 0)
  FROM users
    LEFT JOIN repositories ON repositories.owner_id = users.id AND repositories.binned_at IS NULL
    LEFT JOIN repository_usage ON repository_usage.repo_id = repositories.id
  GROUP BY users.id;

CREATE TABLE quota_rules (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL UNIQUE,
  -- -1: no limit
  limit_bytes INTEGER NOT NULL,
  -- as a JSON array
  subjects    TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE quota_groups (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE quota_group_rules (
  group_id INTEGER NOT NULL REFERENCES quota_groups (id) ON DELETE CASCADE,
  rule_id  INTEGER NOT NULL REFERENCES quota_rules (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, rule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX quota_group_rules_by_rule ON quota_group_rules (rule_id);

CREATE TABLE quota_group_members (
  group_id INTEGER NOT NULL REFERENCES quota_groups (id) ON DELETE CASCADE,
  user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX quota_group_members_by_user ON quota_group_members (user_id);
