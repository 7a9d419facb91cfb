-- Comments on several lines: the first of them, with the sign of the last; 0: there is one line only.
-- A comment on a whole file has the line 0.
ALTER TABLE code_comments ADD COLUMN start_line INTEGER NOT NULL DEFAULT 0;

-- Which files someone has looked at, and the content that each then had: another one is to be looked at again.
DROP TABLE viewed_files;
CREATE TABLE viewed_files (
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issue_id   INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  -- empty: the change deletes it
  oid        TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, issue_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX viewed_files_by_issue ON viewed_files (issue_id);
