-- The index of texts of items counts downwards: a document is minus the item's id times 2^31, minus the number of the
-- comment's entry. FTS5 skips from one place where words meet to the next only upwards, and searches want the newest first.

DROP TRIGGER issue_texts_insert;
DROP TRIGGER issue_texts_update;
DROP TRIGGER issue_texts_delete;
DROP TRIGGER comment_texts_insert;
DROP TRIGGER comment_texts_update;
DROP TRIGGER comment_texts_delete;
DROP TABLE issue_trigrams;
DROP TABLE issue_texts;

CREATE VIRTUAL TABLE issue_texts USING fts5 (
  place, words, content = '', contentless_delete = 1, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE issue_trigrams USING fts5vocab (issue_texts, row);

CREATE TRIGGER issue_texts_insert AFTER INSERT ON issues BEGIN
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    -(NEW.id << 31),
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.title || char(10) || NEW.body || '  ');
END;
CREATE TRIGGER issue_texts_update AFTER UPDATE OF title, body ON issues
WHEN NEW.title <> OLD.title OR NEW.body <> OLD.body BEGIN
  DELETE FROM issue_texts WHERE rowid = -(OLD.id << 31);
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    -(NEW.id << 31),
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.title || char(10) || NEW.body || '  ');
END;
CREATE TRIGGER issue_texts_delete AFTER DELETE ON issues BEGIN
  DELETE FROM issue_texts WHERE rowid BETWEEN -(OLD.id << 31) - 2147483647 AND -(OLD.id << 31);
END;
CREATE TRIGGER comment_texts_insert AFTER INSERT ON timeline WHEN NEW.kind = 'comment' BEGIN
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    -(NEW.issue_id << 31) - NEW.id,
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.body || '  ');
END;
CREATE TRIGGER comment_texts_update AFTER UPDATE OF body ON timeline
WHEN NEW.kind = 'comment' AND NEW.body <> OLD.body BEGIN
  DELETE FROM issue_texts WHERE rowid = -(OLD.issue_id << 31) - OLD.id;
  INSERT INTO issue_texts (rowid, place, words) VALUES (
    -(NEW.issue_id << 31) - NEW.id,
    char(19968 + NEW.repo_id / 400000000 % 20000, 19968 + NEW.repo_id / 20000 % 20000, 19968 + NEW.repo_id % 20000),
    NEW.body || '  ');
END;
CREATE TRIGGER comment_texts_delete AFTER DELETE ON timeline WHEN OLD.kind = 'comment' BEGIN
  DELETE FROM issue_texts WHERE rowid = -(OLD.issue_id << 31) - OLD.id;
END;

-- In the order of the index: it writes a piece of its own for each row that comes before the last one.
INSERT INTO issue_texts (rowid, place, words)
  SELECT -(id << 31),
    char(19968 + repo_id / 400000000 % 20000, 19968 + repo_id / 20000 % 20000, 19968 + repo_id % 20000),
    title || char(10) || body || '  '
  FROM issues ORDER BY id DESC;
INSERT INTO issue_texts (rowid, place, words)
  SELECT -(issue_id << 31) - id,
    char(19968 + repo_id / 400000000 % 20000, 19968 + repo_id / 20000 % 20000, 19968 + repo_id % 20000),
    body || '  '
  FROM timeline WHERE kind = 'comment' ORDER BY issue_id DESC, id DESC;
