-- Boards of a repository, or of an account for all of its repositories.
CREATE TABLE projects (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id      INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  owner_id     INTEGER REFERENCES users (id) ON DELETE CASCADE,
  creator_id   INTEGER REFERENCES users (id) ON DELETE SET NULL,
  title        TEXT NOT NULL,
  -- folded for look-ups
  lower_title  TEXT NOT NULL,
  description  TEXT NOT NULL DEFAULT '',
  -- what it began with: none, kanban, triage
  template     TEXT NOT NULL DEFAULT 'none',
  -- what cards show: text, images
  card_type    TEXT NOT NULL DEFAULT 'text',
  closed_at    INTEGER,
  -- kept by the triggers below
  open_items   INTEGER NOT NULL DEFAULT 0,
  closed_items INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) <> (owner_id IS NULL))
) STRICT;
CREATE INDEX projects_by_repo ON projects (repo_id, created_at, id) WHERE repo_id IS NOT NULL;
CREATE INDEX projects_by_owner ON projects (owner_id, created_at, id) WHERE owner_id IS NOT NULL;
CREATE INDEX projects_by_creator ON projects (creator_id) WHERE creator_id IS NOT NULL;

CREATE TABLE project_columns (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  title      TEXT NOT NULL,
  -- `#` and six hexadecimal digits; empty: none
  color      TEXT NOT NULL DEFAULT '',
  sorting    INTEGER NOT NULL,
  -- where new cards come; one of them in each project
  is_default INTEGER NOT NULL DEFAULT 0,
  -- kept by the triggers below
  cards      INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX project_columns_by_project ON project_columns (project_id, sorting, id);
CREATE UNIQUE INDEX project_columns_default ON project_columns (project_id) WHERE is_default = 1;

CREATE TABLE project_cards (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  column_id  INTEGER NOT NULL REFERENCES project_columns (id) ON DELETE CASCADE,
  -- fractions: a card between two others moves no other
  sorting    REAL NOT NULL,
  PRIMARY KEY (project_id, issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_cards_by_column ON project_cards (column_id, sorting, issue_id);
CREATE INDEX project_cards_by_issue ON project_cards (issue_id);

-- The counters of projects and columns.
CREATE TRIGGER project_cards_count_insert AFTER INSERT ON project_cards BEGIN
  UPDATE project_columns SET cards = cards + 1 WHERE id = NEW.column_id;
  UPDATE projects SET
    open_items = open_items + 1 - (SELECT is_closed FROM issues WHERE id = NEW.issue_id),
    closed_items = closed_items + (SELECT is_closed FROM issues WHERE id = NEW.issue_id)
    WHERE id = NEW.project_id;
END;
CREATE TRIGGER project_cards_count_delete AFTER DELETE ON project_cards BEGIN
  UPDATE project_columns SET cards = cards - 1 WHERE id = OLD.column_id;
  UPDATE projects SET
    open_items = open_items - 1 + coalesce((SELECT is_closed FROM issues WHERE id = OLD.issue_id), 0),
    closed_items = closed_items - coalesce((SELECT is_closed FROM issues WHERE id = OLD.issue_id), 0)
    WHERE id = OLD.project_id;
END;
CREATE TRIGGER project_cards_count_move AFTER UPDATE OF column_id ON project_cards WHEN NEW.column_id <> OLD.column_id BEGIN
  UPDATE project_columns SET cards = cards - 1 WHERE id = OLD.column_id;
  UPDATE project_columns SET cards = cards + 1 WHERE id = NEW.column_id;
END;
-- Its cards go while it is still there, so that the counters know whether it was closed.
CREATE TRIGGER issues_drop_cards BEFORE DELETE ON issues BEGIN
  DELETE FROM project_cards WHERE issue_id = OLD.id;
END;
CREATE TRIGGER issues_count_cards AFTER UPDATE OF is_closed ON issues WHEN NEW.is_closed <> OLD.is_closed BEGIN
  UPDATE projects SET
    open_items = open_items + OLD.is_closed - NEW.is_closed, closed_items = closed_items + NEW.is_closed - OLD.is_closed
    WHERE id IN (SELECT project_id FROM project_cards WHERE issue_id = NEW.id);
END;
