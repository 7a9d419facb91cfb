-- Pull requests: what an item with is_pull = 1 is besides an issue.
CREATE TABLE pulls (
  id                     INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id               INTEGER NOT NULL UNIQUE REFERENCES issues (id) ON DELETE CASCADE,
  -- of the item, for look-ups and names of refs
  repo_id                INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number                 INTEGER NOT NULL,
  base_branch            TEXT NOT NULL,
  -- NULL: it is gone
  head_repo_id           INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  -- of one made by a push: what it is known by, <pusher>/<topic>
  head_branch            TEXT NOT NULL,
  is_agit                INTEGER NOT NULL DEFAULT 0,
  -- where refs/pull/<number>/head is
  head_oid               TEXT NOT NULL,
  -- the two commits that what follows was found out of
  checked_base           TEXT NOT NULL DEFAULT '',
  checked_head           TEXT NOT NULL DEFAULT '',
  -- the head that the timeline knows of
  announced_head         TEXT NOT NULL DEFAULT '',
  -- checking, mergeable, conflict, empty, ancestor, error
  status                 TEXT NOT NULL DEFAULT 'checking',
  -- empty: none
  merge_base             TEXT NOT NULL DEFAULT '',
  ahead                  INTEGER NOT NULL DEFAULT 0,
  behind                 INTEGER NOT NULL DEFAULT 0,
  additions              INTEGER NOT NULL DEFAULT 0,
  deletions              INTEGER NOT NULL DEFAULT 0,
  changed_files          INTEGER NOT NULL DEFAULT 0,
  -- the first paths, as JSON
  conflicts              TEXT NOT NULL DEFAULT '[]',
  protected_files        TEXT NOT NULL DEFAULT '[]',
  allows_maintainer_edit INTEGER NOT NULL DEFAULT 0,
  -- kept by the trigger below
  is_open                INTEGER NOT NULL DEFAULT 1,
  -- NULL: not merged
  merged_at              INTEGER,
  merged_by_id           INTEGER REFERENCES users (id) ON DELETE SET NULL,
  merge_commit           TEXT NOT NULL DEFAULT '',
  is_merged_by_hand      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX pulls_by_base ON pulls (repo_id, base_branch);
CREATE INDEX pulls_by_head ON pulls (head_repo_id, head_branch) WHERE head_repo_id IS NOT NULL;
CREATE INDEX pulls_open_by_base ON pulls (repo_id, base_branch) WHERE is_open = 1;
CREATE INDEX pulls_open_by_head ON pulls (head_repo_id, head_branch) WHERE is_open = 1;
CREATE INDEX pulls_by_merge_commit ON pulls (repo_id, merge_commit) WHERE merge_commit <> '';
CREATE INDEX pulls_by_merger ON pulls (merged_by_id) WHERE merged_by_id IS NOT NULL;
CREATE INDEX pulls_unchecked ON pulls (id) WHERE status = 'checking' AND is_open = 1;
CREATE TRIGGER pulls_follow_state AFTER UPDATE OF is_closed ON issues WHEN NEW.is_pull = 1 AND NEW.is_closed <> OLD.is_closed BEGIN
  UPDATE pulls SET is_open = 1 - NEW.is_closed WHERE issue_id = NEW.id;
END;

CREATE TABLE reviews (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id     INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  -- pending, approve, reject, comment, request
  kind         TEXT NOT NULL,
  -- NULL: a team is asked, or the account is gone
  reviewer_id  INTEGER REFERENCES users (id) ON DELETE SET NULL,
  team_id      INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  body         TEXT NOT NULL DEFAULT '',
  -- empty for requests
  commit_id    TEXT NOT NULL DEFAULT '',
  is_official  INTEGER NOT NULL DEFAULT 0,
  is_stale     INTEGER NOT NULL DEFAULT 0,
  is_dismissed INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_by_issue ON reviews (issue_id, created_at, id);
CREATE INDEX reviews_by_reviewer ON reviews (reviewer_id, kind, issue_id) WHERE reviewer_id IS NOT NULL;
CREATE INDEX reviews_by_team ON reviews (team_id, issue_id) WHERE team_id IS NOT NULL;
CREATE UNIQUE INDEX reviews_pending ON reviews (issue_id, reviewer_id) WHERE kind = 'pending' AND reviewer_id IS NOT NULL;

-- The review that an entry tells of, or that a comment on code belongs to.
ALTER TABLE timeline ADD COLUMN review_id INTEGER REFERENCES reviews (id) ON DELETE CASCADE;
CREATE INDEX timeline_by_review ON timeline (review_id) WHERE review_id IS NOT NULL;

-- What a comment on code has besides its entry.
CREATE TABLE code_comments (
  entry_id    INTEGER PRIMARY KEY REFERENCES timeline (id) ON DELETE CASCADE,
  path        TEXT NOT NULL,
  -- below zero: of the old side
  line        INTEGER NOT NULL,
  -- that brought the line
  commit_id   TEXT NOT NULL,
  hunk        TEXT NOT NULL,
  is_outdated INTEGER NOT NULL DEFAULT 0,
  resolver_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- NULL: the conversation goes on
  resolved_at INTEGER
) STRICT;
CREATE INDEX code_comments_by_resolver ON code_comments (resolver_id) WHERE resolver_id IS NOT NULL;

-- Merges that wait until nothing stands in their way.
CREATE TABLE scheduled_merges (
  issue_id       INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  user_id        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  style          TEXT NOT NULL,
  title          TEXT NOT NULL,
  message        TEXT NOT NULL,
  deletes_branch INTEGER NOT NULL,
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX scheduled_merges_by_user ON scheduled_merges (user_id);

-- Which files someone has looked at, as the head then was.
CREATE TABLE viewed_files (
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  head_oid   TEXT NOT NULL,
  -- JSON: viewed, unviewed or has-changed by path
  files      TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, issue_id, head_oid)
) STRICT, WITHOUT ROWID;
CREATE INDEX viewed_files_by_issue ON viewed_files (issue_id);
