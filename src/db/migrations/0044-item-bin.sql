-- Deleted issues, pull requests and comments that can still be restored. Their rows are gone from everywhere; what they
-- were stands here, so that nothing that reads items has to know of the bin.
CREATE TABLE deleted_items (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- rows that are gone: the item, and, of a comment alone, its entry
  issue_id   INTEGER NOT NULL,
  entry_id   INTEGER,
  number     INTEGER NOT NULL,
  is_pull    INTEGER NOT NULL,
  -- the item's title, and the first words of a comment
  title      TEXT NOT NULL,
  excerpt    TEXT NOT NULL DEFAULT '',
  deleted_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deleted_items_by_repo ON deleted_items (repo_id, deleted_at, id);
CREATE INDEX deleted_items_by_time ON deleted_items (deleted_at);
CREATE INDEX deleted_items_by_account ON deleted_items (deleted_by) WHERE deleted_by IS NOT NULL;

-- Every row that went with it, as JSON by its columns; the first one is the item or the entry itself.
CREATE TABLE deleted_rows (
  id         INTEGER PRIMARY KEY,
  deleted_id INTEGER NOT NULL REFERENCES deleted_items (id) ON DELETE CASCADE,
  table_name TEXT NOT NULL,
  content    TEXT NOT NULL
) STRICT;
CREATE INDEX deleted_rows_by_item ON deleted_rows (deleted_id, table_name, id);

-- Columns of rows that stayed, which led to one that went.
CREATE TABLE deleted_links (
  deleted_id  INTEGER NOT NULL REFERENCES deleted_items (id) ON DELETE CASCADE,
  table_name  TEXT NOT NULL,
  column_name TEXT NOT NULL,
  row_id      INTEGER NOT NULL,
  value       INTEGER NOT NULL,
  PRIMARY KEY (deleted_id, table_name, column_name, row_id)
) STRICT, WITHOUT ROWID;

-- Files of what leaves the bin for good; those that were restored are referred to by their attachments again.
CREATE TRIGGER deleted_rows_drop_blobs AFTER DELETE ON deleted_rows WHEN OLD.table_name = 'attachments' BEGIN
  DELETE FROM blob_references WHERE area = 'deleted-attachments' AND owner_key = OLD.content ->> '$.uuid';
END;
