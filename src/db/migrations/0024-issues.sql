-- Issues and pull requests: one numbering, one timeline. An item is either.

-- The last number given in a repository; never taken back when what had it is deleted.
CREATE TABLE issue_numbers (
  repo_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  last    INTEGER NOT NULL
) STRICT;

-- A repository's, or an organization's for all of its repositories.
CREATE TABLE labels (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id         INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id        INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name            TEXT NOT NULL,
  -- six lower-case hexadecimal digits
  color           TEXT NOT NULL,
  description     TEXT NOT NULL DEFAULT '',
  -- of the labels of one scope an item has at most one
  is_exclusive    INTEGER NOT NULL DEFAULT 0,
  exclusive_order INTEGER NOT NULL DEFAULT 0,
  archived_at     INTEGER,
  -- kept by the triggers below
  open_items      INTEGER NOT NULL DEFAULT 0,
  closed_items    INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) <> (owner_id IS NULL))
) STRICT;
CREATE INDEX labels_by_repo ON labels (repo_id, name) WHERE repo_id IS NOT NULL;
CREATE INDEX labels_by_owner ON labels (owner_id, name) WHERE owner_id IS NOT NULL;
CREATE INDEX labels_by_name ON labels (name);

CREATE TABLE milestones (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id      INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  title        TEXT NOT NULL,
  -- folded for look-ups
  lower_title  TEXT NOT NULL,
  description  TEXT NOT NULL DEFAULT '',
  due_at       INTEGER,
  closed_at    INTEGER,
  -- kept by the triggers below
  open_items   INTEGER NOT NULL DEFAULT 0,
  closed_items INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX milestones_by_repo ON milestones (repo_id, due_at, title);
CREATE INDEX milestones_by_title ON milestones (lower_title);

CREATE TABLE issues (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id         INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number          INTEGER NOT NULL,
  is_pull         INTEGER NOT NULL DEFAULT 0,
  poster_id       INTEGER REFERENCES users (id) ON DELETE SET NULL,
  title           TEXT NOT NULL,
  body            TEXT NOT NULL DEFAULT '',
  -- counts the changes of the body
  content_version INTEGER NOT NULL DEFAULT 0,
  -- the branch or tag it is about, in full; empty: none
  ref             TEXT NOT NULL DEFAULT '',
  milestone_id    INTEGER REFERENCES milestones (id) ON DELETE SET NULL,
  is_closed       INTEGER NOT NULL DEFAULT 0,
  closed_at       INTEGER,
  is_locked       INTEGER NOT NULL DEFAULT 0,
  due_at          INTEGER,
  -- seconds; 0: none
  time_estimate   INTEGER NOT NULL DEFAULT 0,
  -- 0: not pinned; counted for issues and pull requests apart
  pin_order       INTEGER NOT NULL DEFAULT 0,
  priority        INTEGER NOT NULL DEFAULT 0,
  -- comments and submitted reviews
  comments        INTEGER NOT NULL DEFAULT 0,
  -- boxes of task lists in the body
  tasks           INTEGER NOT NULL DEFAULT 0,
  tasks_done      INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX issues_by_number ON issues (repo_id, number);
CREATE INDEX issues_by_creation ON issues (repo_id, is_pull, is_closed, created_at, id);
CREATE INDEX issues_by_update ON issues (repo_id, is_pull, is_closed, updated_at, id);
CREATE INDEX issues_by_comments ON issues (repo_id, is_pull, is_closed, comments, id);
CREATE INDEX issues_by_due_date ON issues (repo_id, is_pull, is_closed, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX issues_by_milestone ON issues (milestone_id, is_closed, created_at) WHERE milestone_id IS NOT NULL;
CREATE INDEX issues_by_poster ON issues (poster_id, is_pull, is_closed, created_at, id);
CREATE INDEX issues_by_poster_in_repo ON issues (repo_id, poster_id, is_pull, is_closed, created_at, id);
CREATE INDEX issues_everywhere ON issues (is_pull, is_closed, created_at, id);
CREATE INDEX issues_pinned ON issues (repo_id, is_pull, pin_order) WHERE pin_order > 0;

-- How many items a repository has, kept by the triggers below: lists say so without counting.
CREATE TABLE issue_counts (
  repo_id      INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  is_pull      INTEGER NOT NULL,
  open_items   INTEGER NOT NULL DEFAULT 0,
  closed_items INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (repo_id, is_pull)
) STRICT, WITHOUT ROWID;

CREATE TABLE issue_labels (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_labels_by_label ON issue_labels (label_id, issue_id);

CREATE TABLE issue_assignees (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_assignees_by_user ON issue_assignees (user_id, issue_id);

-- Who was mentioned in it or in one of its comments.
CREATE TABLE issue_mentions (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_mentions_by_user ON issue_mentions (user_id, issue_id);

-- Who said that they do, or do not, want to hear of it; without a row that follows from what they did.
CREATE TABLE issue_watches (
  issue_id    INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_watching INTEGER NOT NULL,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_watches_by_user ON issue_watches (user_id, issue_id);

-- Up to where someone has read the timeline.
CREATE TABLE issue_reads (
  user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  read_at  INTEGER NOT NULL,
  PRIMARY KEY (user_id, issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_reads_by_issue ON issue_reads (issue_id);

CREATE TABLE issue_dependencies (
  blocked_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  blocker_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocked_id, blocker_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_dependencies_by_blocker ON issue_dependencies (blocker_id, blocked_id);
CREATE INDEX issue_dependencies_by_user ON issue_dependencies (user_id) WHERE user_id IS NOT NULL;

-- Who works on what right now: one item an account.
CREATE TABLE stopwatches (
  user_id    INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stopwatches_by_issue ON stopwatches (issue_id);

CREATE TABLE tracked_times (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  -- the issue's, for lists of a repository
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  seconds    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- its entry in the timeline still shows it
  deleted_at INTEGER
) STRICT;
CREATE INDEX tracked_times_by_issue ON tracked_times (issue_id, created_at, id);
CREATE INDEX tracked_times_by_repo ON tracked_times (repo_id, created_at, id);
CREATE INDEX tracked_times_by_user ON tracked_times (user_id, created_at, id);

-- All that happened to an item, comments among it. The numbers of comments are those of their entries.
CREATE TABLE timeline (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id         INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  repo_id          INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- src/issues/timeline/types.ts
  kind             TEXT NOT NULL,
  user_id          INTEGER REFERENCES users (id) ON DELETE SET NULL,
  body             TEXT NOT NULL DEFAULT '',
  content_version  INTEGER NOT NULL DEFAULT 0,
  -- what the entry says, by its kind; the rest is empty
  label_id         INTEGER REFERENCES labels (id) ON DELETE CASCADE,
  old_milestone_id INTEGER REFERENCES milestones (id) ON DELETE SET NULL,
  milestone_id     INTEGER REFERENCES milestones (id) ON DELETE SET NULL,
  -- projects are shown by number even when they are gone
  old_project_id   INTEGER,
  project_id       INTEGER,
  assignee_id      INTEGER REFERENCES users (id) ON DELETE SET NULL,
  team_id          INTEGER REFERENCES teams (id) ON DELETE SET NULL,
  is_removal       INTEGER NOT NULL DEFAULT 0,
  old_text         TEXT NOT NULL DEFAULT '',
  new_text         TEXT NOT NULL DEFAULT '',
  -- the item that refers to this one, or that depends on it
  other_issue_id   INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  -- the comment that refers to this item
  other_entry_id   INTEGER REFERENCES timeline (id) ON DELETE SET NULL,
  ref_action       TEXT NOT NULL DEFAULT 'none' CHECK (ref_action IN ('none', 'closes', 'reopens', 'neutered')),
  commit_id        TEXT NOT NULL DEFAULT '',
  tracked_time_id  INTEGER REFERENCES tracked_times (id) ON DELETE SET NULL,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX timeline_by_issue ON timeline (issue_id, created_at, id);
CREATE INDEX timeline_comments_of_repo ON timeline (repo_id, created_at, id) WHERE kind = 'comment';
CREATE INDEX timeline_comments_of_repo_by_update ON timeline (repo_id, updated_at, id) WHERE kind = 'comment';
CREATE INDEX timeline_by_user ON timeline (user_id, issue_id) WHERE kind IN ('comment', 'code', 'review');
CREATE INDEX timeline_by_any_user ON timeline (user_id);
CREATE INDEX timeline_by_label ON timeline (label_id) WHERE label_id IS NOT NULL;
CREATE INDEX timeline_by_milestone ON timeline (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX timeline_by_old_milestone ON timeline (old_milestone_id) WHERE old_milestone_id IS NOT NULL;
CREATE INDEX timeline_by_assignee ON timeline (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX timeline_by_team ON timeline (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX timeline_by_other_issue ON timeline (other_issue_id) WHERE other_issue_id IS NOT NULL;
CREATE INDEX timeline_by_other_entry ON timeline (other_entry_id) WHERE other_entry_id IS NOT NULL;
CREATE INDEX timeline_by_tracked_time ON timeline (tracked_time_id) WHERE tracked_time_id IS NOT NULL;
CREATE UNIQUE INDEX timeline_commits ON timeline (issue_id, commit_id) WHERE kind = 'commit_ref';

-- Earlier texts of an item (entry_id is NULL) or of a comment.
CREATE TABLE text_revisions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  entry_id   INTEGER REFERENCES timeline (id) ON DELETE CASCADE,
  user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  body       TEXT NOT NULL,
  is_first   INTEGER NOT NULL DEFAULT 0,
  -- its text was taken away, that it was there stays
  is_deleted INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX text_revisions_by_text ON text_revisions (issue_id, entry_id, id);
CREATE INDEX text_revisions_by_entry ON text_revisions (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX text_revisions_by_user ON text_revisions (user_id) WHERE user_id IS NOT NULL;

-- To an item (entry_id is NULL) or to a comment.
CREATE TABLE reactions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  entry_id   INTEGER REFERENCES timeline (id) ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  content    TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX reactions_once ON reactions (issue_id, coalesce(entry_id, 0), user_id, content);
CREATE INDEX reactions_by_entry ON reactions (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX reactions_by_user ON reactions (user_id);

-- Files that people attach; their bytes are blobs of the area `attachments`, by uuid.
CREATE TABLE attachments (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid           TEXT NOT NULL UNIQUE,
  repo_id        INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  uploader_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- neither: not used yet, and only its uploader sees it
  issue_id       INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  entry_id       INTEGER REFERENCES timeline (id) ON DELETE CASCADE,
  name           TEXT NOT NULL,
  size_bytes     INTEGER NOT NULL,
  download_count INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_by_issue ON attachments (issue_id, id) WHERE issue_id IS NOT NULL;
CREATE INDEX attachments_by_entry ON attachments (entry_id, id) WHERE entry_id IS NOT NULL;
CREATE INDEX attachments_by_repo ON attachments (repo_id);
CREATE INDEX attachments_by_uploader ON attachments (uploader_id) WHERE uploader_id IS NOT NULL;
CREATE INDEX attachments_unused ON attachments (created_at) WHERE issue_id IS NULL AND entry_id IS NULL;
-- Their bytes have no reader any more, by whatever they went.
CREATE TRIGGER attachments_drop_blobs AFTER DELETE ON attachments BEGIN
  DELETE FROM blob_references WHERE area = 'attachments' AND owner_key = OLD.uuid;
END;

-- The counters: of repositories, labels and milestones.
CREATE TRIGGER issues_count_insert AFTER INSERT ON issues BEGIN
  INSERT INTO issue_counts (repo_id, is_pull, open_items, closed_items)
    VALUES (NEW.repo_id, NEW.is_pull, 1 - NEW.is_closed, NEW.is_closed)
    ON CONFLICT (repo_id, is_pull) DO UPDATE SET
      open_items = open_items + 1 - NEW.is_closed, closed_items = closed_items + NEW.is_closed;
  UPDATE milestones SET open_items = open_items + 1 - NEW.is_closed, closed_items = closed_items + NEW.is_closed
    WHERE id = NEW.milestone_id;
END;
CREATE TRIGGER issues_count_delete AFTER DELETE ON issues BEGIN
  UPDATE issue_counts SET open_items = open_items - 1 + OLD.is_closed, closed_items = closed_items - OLD.is_closed
    WHERE repo_id = OLD.repo_id AND is_pull = OLD.is_pull;
  UPDATE milestones SET open_items = open_items - 1 + OLD.is_closed, closed_items = closed_items - OLD.is_closed
    WHERE id = OLD.milestone_id;
END;
-- Its labels go while it is still there, so that their counters know whether it was closed.
CREATE TRIGGER issues_drop_labels BEFORE DELETE ON issues BEGIN
  DELETE FROM issue_labels WHERE issue_id = OLD.id;
END;
CREATE TRIGGER issues_count_state AFTER UPDATE OF is_closed ON issues WHEN NEW.is_closed <> OLD.is_closed BEGIN
  UPDATE issue_counts SET
    open_items = open_items + OLD.is_closed - NEW.is_closed, closed_items = closed_items + NEW.is_closed - OLD.is_closed
    WHERE repo_id = NEW.repo_id AND is_pull = NEW.is_pull;
  UPDATE labels SET
    open_items = open_items + OLD.is_closed - NEW.is_closed, closed_items = closed_items + NEW.is_closed - OLD.is_closed
    WHERE id IN (SELECT label_id FROM issue_labels WHERE issue_id = NEW.id);
  UPDATE milestones SET
    open_items = open_items + OLD.is_closed - NEW.is_closed, closed_items = closed_items + NEW.is_closed - OLD.is_closed
    WHERE id = OLD.milestone_id;
END;
CREATE TRIGGER issues_count_milestone AFTER UPDATE OF milestone_id ON issues WHEN NEW.milestone_id IS NOT OLD.milestone_id BEGIN
  UPDATE milestones SET open_items = open_items - 1 + NEW.is_closed, closed_items = closed_items - NEW.is_closed
    WHERE id = OLD.milestone_id;
  UPDATE milestones SET open_items = open_items + 1 - NEW.is_closed, closed_items = closed_items + NEW.is_closed
    WHERE id = NEW.milestone_id;
END;
CREATE TRIGGER issue_labels_count_insert AFTER INSERT ON issue_labels BEGIN
  UPDATE labels SET
    open_items = open_items + 1 - (SELECT is_closed FROM issues WHERE id = NEW.issue_id),
    closed_items = closed_items + (SELECT is_closed FROM issues WHERE id = NEW.issue_id)
    WHERE id = NEW.label_id;
END;
CREATE TRIGGER issue_labels_count_delete AFTER DELETE ON issue_labels BEGIN
  UPDATE labels SET
    open_items = open_items - 1 + coalesce((SELECT is_closed FROM issues WHERE id = OLD.issue_id), 0),
    closed_items = closed_items - coalesce((SELECT is_closed FROM issues WHERE id = OLD.issue_id), 0)
    WHERE id = OLD.label_id;
END;
