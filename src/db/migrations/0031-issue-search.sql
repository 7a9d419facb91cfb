-- Search in issues and pull requests, orders of their lists, and searches that people save.

-- The trigrams of titles with bodies, and of comments, without the texts themselves. A document is the item's id times
-- 2^31, plus the number of the comment's entry: so hits come in the order of the items. `place` has one trigram, which
-- stands for the repository: three characters of a script that no rule of letter case changes.
CREATE VIRTUAL TABLE issue_texts USING fts5 (
  place, words, content = '', contentless_delete = 1, tokenize = 'trigram'
);
-- Which trigrams there are: words of two characters are looked up by them.
CREATE VIRTUAL TABLE issue_trigrams USING fts5vocab (issue_texts, row);

CREATE TRIGGER issue_texts_insert AFTER INSERT ON issues BEGIN
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    NEW.id << 31,
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.title || char(10) || NEW.body || '  ');
END;
CREATE TRIGGER issue_texts_update AFTER UPDATE OF title, body ON issues
WHEN NEW.title <> OLD.title OR NEW.body <> OLD.body BEGIN
  DELETE FROM issue_texts WHERE rowid = OLD.id << 31;
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    NEW.id << 31,
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.title || char(10) || NEW.body || '  ');
END;
CREATE TRIGGER issue_texts_delete AFTER DELETE ON issues BEGIN
  DELETE FROM issue_texts WHERE rowid BETWEEN OLD.id << 31 AND (OLD.id << 31) + 2147483647;
END;
CREATE TRIGGER comment_texts_insert AFTER INSERT ON timeline WHEN NEW.kind = 'comment' BEGIN
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    (NEW.issue_id << 31) + NEW.id,
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.body || '  ');
END;
CREATE TRIGGER comment_texts_update AFTER UPDATE OF body ON timeline
WHEN NEW.kind = 'comment' AND NEW.body <> OLD.body BEGIN
  DELETE FROM issue_texts WHERE rowid = (OLD.issue_id << 31) + OLD.id;
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    (NEW.issue_id << 31) + NEW.id,
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.body || '  ');
END;
CREATE TRIGGER comment_texts_delete AFTER DELETE ON timeline WHEN OLD.kind = 'comment' BEGIN
  DELETE FROM issue_texts WHERE rowid = (OLD.issue_id << 31) + OLD.id;
END;

INSERT INTO issue_texts (rowid, place, words)
  SELECT id << 31,
    char(19968 + repo_id / 400000000 % 20000, 19968 + repo_id / 20000 % 20000, 19968 + repo_id % 20000),
    title || char(10) || body || '  '
  FROM issues;
INSERT INTO issue_texts (rowid, place, words)
  SELECT (issue_id << 31) + id,
    char(19968 + repo_id / 400000000 % 20000, 19968 + repo_id / 20000 % 20000, 19968 + repo_id % 20000),
    body || '  '
  FROM timeline WHERE kind = 'comment';

-- The earlier of its own day and its milestone's, kept by the triggers below; without one the end of time.
ALTER TABLE issues ADD COLUMN next_due_at INTEGER NOT NULL DEFAULT 9007199254740991;

CREATE TRIGGER issues_due_insert AFTER INSERT ON issues WHEN NEW.due_at IS NOT NULL OR NEW.milestone_id IS NOT NULL BEGIN
  UPDATE issues SET next_due_at = min(coalesce(NEW.due_at, 9007199254740991),
    coalesce((SELECT due_at FROM milestones WHERE id = NEW.milestone_id), 9007199254740991)) WHERE id = NEW.id;
END;
CREATE TRIGGER issues_due_update AFTER UPDATE OF due_at, milestone_id ON issues
WHEN NEW.due_at IS NOT OLD.due_at OR NEW.milestone_id IS NOT OLD.milestone_id BEGIN
  UPDATE issues SET next_due_at = min(coalesce(NEW.due_at, 9007199254740991),
    coalesce((SELECT due_at FROM milestones WHERE id = NEW.milestone_id), 9007199254740991)) WHERE id = NEW.id;
END;
CREATE TRIGGER milestones_due_update AFTER UPDATE OF due_at ON milestones WHEN NEW.due_at IS NOT OLD.due_at BEGIN
  UPDATE issues SET next_due_at = min(coalesce(due_at, 9007199254740991), coalesce(NEW.due_at, 9007199254740991))
    WHERE milestone_id = NEW.id;
END;
UPDATE issues SET next_due_at = min(coalesce(due_at, 9007199254740991),
  coalesce((SELECT due_at FROM milestones WHERE id = milestone_id), 9007199254740991));

DROP INDEX issues_by_due_date;
CREATE INDEX issues_by_next_due_date ON issues (repo_id, is_pull, is_closed, next_due_at, id);
CREATE INDEX issues_by_closing ON issues (repo_id, is_pull, is_closed, closed_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX issues_everywhere_by_update ON issues (is_pull, is_closed, updated_at, id);

-- What people look for often: in one repository, or everywhere.
CREATE TABLE saved_searches (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  repo_id    INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  is_pull    INTEGER NOT NULL,
  name       TEXT NOT NULL,
  query      TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX saved_searches_by_name ON saved_searches (user_id, coalesce(repo_id, 0), is_pull, name);
CREATE INDEX saved_searches_by_repo ON saved_searches (repo_id) WHERE repo_id IS NOT NULL;

CREATE INDEX issues_by_number_alone ON issues (number, id);
