-- Large files of repositories (git LFS). An object belongs to a repository, and whoever sends it shows its bytes: the same
-- bytes at another repository are another object. Their oid is the SHA-256 of their bytes, and so their blob's digest.
CREATE TABLE lfs_objects (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  oid        TEXT NOT NULL CHECK (length(oid) = 64),
  size_bytes INTEGER NOT NULL,
  -- when it came, or a client was last told that it need not send it
  updated_at INTEGER NOT NULL,
  UNIQUE (repo_id, oid)
) STRICT;
CREATE INDEX lfs_objects_by_oid ON lfs_objects (oid, repo_id);
CREATE INDEX lfs_objects_by_repo ON lfs_objects (repo_id, id);

-- What one repository has from another needs no bytes: its blob is there.
CREATE TRIGGER lfs_objects_keep_blob AFTER INSERT ON lfs_objects BEGIN
  INSERT OR IGNORE INTO blob_references (area, owner_key, digest, created_at)
    VALUES ('lfs', NEW.repo_id || ':' || NEW.oid, NEW.oid, NEW.updated_at);
END;
CREATE TRIGGER lfs_objects_drop_blob AFTER DELETE ON lfs_objects BEGIN
  DELETE FROM blob_references WHERE area = 'lfs' AND owner_key = OLD.repo_id || ':' || OLD.oid;
END;
CREATE TRIGGER lfs_objects_count_size AFTER INSERT ON lfs_objects BEGIN
  UPDATE repository_usage SET lfs = lfs + NEW.size_bytes WHERE repo_id = NEW.repo_id;
END;
CREATE TRIGGER lfs_objects_uncount_size AFTER DELETE ON lfs_objects BEGIN
  UPDATE repository_usage SET lfs = lfs - OLD.size_bytes WHERE repo_id = OLD.repo_id;
END;

-- Files that someone works on, which others are asked to leave alone.
CREATE TABLE lfs_locks (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id    INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  lower_path TEXT NOT NULL,
  owner_id   INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  UNIQUE (repo_id, lower_path)
) STRICT;
CREATE INDEX lfs_locks_by_repo ON lfs_locks (repo_id, id);
CREATE INDEX lfs_locks_by_owner ON lfs_locks (owner_id);
