-- Packages of accounts (contract packages.md 1.1).
CREATE TABLE packages (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id          INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the repository it is linked to
  repo_id           INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  type              TEXT NOT NULL,
  name              TEXT NOT NULL,
  lower_name        TEXT NOT NULL,
  -- holds what the registry itself keeps: generated indices
  is_internal       INTEGER NOT NULL DEFAULT 0,
  -- the last version that was published and is there; triggers keep it
  latest_version_id INTEGER,
  created_at        INTEGER NOT NULL,
  UNIQUE (owner_id, type, lower_name)
) STRICT;
CREATE INDEX packages_by_latest ON packages (owner_id, latest_version_id) WHERE latest_version_id IS NOT NULL;
CREATE INDEX packages_by_repo ON packages (repo_id, latest_version_id) WHERE repo_id IS NOT NULL;
CREATE INDEX packages_empty ON packages (id) WHERE latest_version_id IS NULL;

CREATE TABLE package_versions (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  package_id     INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  -- the package's, for lists of all that an owner has
  owner_id       INTEGER NOT NULL,
  creator_id     INTEGER REFERENCES users (id) ON DELETE SET NULL,
  version        TEXT NOT NULL,
  lower_version  TEXT NOT NULL,
  is_internal    INTEGER NOT NULL DEFAULT 0,
  -- what the registry of the type read, as JSON; NULL: nothing
  metadata       TEXT,
  download_count INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  UNIQUE (package_id, lower_version)
) STRICT;
CREATE INDEX package_versions_by_owner ON package_versions (owner_id, created_at, id) WHERE is_internal = 0;
CREATE INDEX package_versions_by_time ON package_versions (package_id, created_at, id) WHERE is_internal = 0;
CREATE INDEX package_versions_by_package ON package_versions (package_id, id) WHERE is_internal = 0;
CREATE INDEX package_versions_by_creator ON package_versions (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX package_versions_internal ON package_versions (id) WHERE is_internal = 1;

-- What files hold, each content once; the bytes are blobs of the same digest.
CREATE TABLE package_blobs (
  sha256     TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  md5        TEXT NOT NULL,
  sha1       TEXT NOT NULL,
  sha512     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- when the last file that held it went; NULL: some hold it
  unused_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX package_blobs_unused ON package_blobs (unused_at) WHERE unused_at IS NOT NULL;

CREATE TABLE package_files (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  version_id    INTEGER NOT NULL REFERENCES package_versions (id) ON DELETE CASCADE,
  -- the package's, so that what goes with it is still counted for its owner
  owner_id      INTEGER NOT NULL,
  sha256        TEXT NOT NULL REFERENCES package_blobs (sha256),
  size_bytes    INTEGER NOT NULL,
  -- size_bytes, or 0 of what the registry itself keeps
  counted_bytes INTEGER NOT NULL,
  name          TEXT NOT NULL,
  lower_name    TEXT NOT NULL,
  -- tells files of one name apart: an architecture, a digest
  composite_key TEXT NOT NULL DEFAULT '',
  -- its downloads are counted
  is_lead       INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL,
  UNIQUE (version_id, lower_name, composite_key)
) STRICT;
CREATE INDEX package_files_by_blob ON package_files (sha256);

-- What registries note of a package, a version or a file; a name may repeat.
CREATE TABLE package_properties (
  id      INTEGER PRIMARY KEY,
  subject TEXT NOT NULL CHECK (subject IN ('package', 'version', 'file')),
  ref_id  INTEGER NOT NULL,
  name    TEXT NOT NULL,
  value   TEXT NOT NULL
) STRICT;
CREATE INDEX package_properties_by_subject ON package_properties (subject, ref_id, name);
CREATE INDEX package_properties_by_value ON package_properties (subject, name, value);

-- Contents that come in pieces (container images).
CREATE TABLE package_uploads (
  id             TEXT PRIMARY KEY,
  owner_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  image          TEXT NOT NULL,
  bytes_received INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX package_uploads_by_time ON package_uploads (updated_at);
CREATE INDEX package_uploads_by_owner ON package_uploads (owner_id);

-- Each piece is a blob; a content that came in one piece is that blob.
CREATE TABLE package_upload_chunks (
  upload_id  TEXT NOT NULL REFERENCES package_uploads (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  md5        TEXT NOT NULL,
  sha1       TEXT NOT NULL,
  sha512     TEXT NOT NULL,
  PRIMARY KEY (upload_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE package_cleanup_rules (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type            TEXT NOT NULL,
  is_enabled      INTEGER NOT NULL,
  keep_count      INTEGER NOT NULL,
  keep_pattern    TEXT NOT NULL,
  remove_days     INTEGER NOT NULL,
  remove_pattern  TEXT NOT NULL,
  match_full_name INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  UNIQUE (owner_id, type)
) STRICT;

-- Keys that registries sign with, and public keys of clients; the private ones are sealed.
CREATE TABLE package_keys (
  owner_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose     TEXT NOT NULL,
  private_key TEXT NOT NULL,
  public_key  TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (owner_id, purpose)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER package_versions_latest AFTER INSERT ON package_versions WHEN NEW.is_internal = 0 BEGIN
  UPDATE packages SET latest_version_id = NEW.id WHERE id = NEW.package_id;
END;
CREATE TRIGGER package_versions_gone AFTER DELETE ON package_versions BEGIN
  UPDATE packages SET latest_version_id = (SELECT max(id) FROM package_versions
      WHERE package_id = OLD.package_id AND is_internal = 0)
    WHERE id = OLD.package_id AND latest_version_id = OLD.id;
  DELETE FROM package_properties WHERE subject = 'version' AND ref_id = OLD.id;
END;
CREATE TRIGGER packages_gone AFTER DELETE ON packages BEGIN
  DELETE FROM package_properties WHERE subject = 'package' AND ref_id = OLD.id;
END;

CREATE TRIGGER package_files_count AFTER INSERT ON package_files BEGIN
  UPDATE account_usage SET packages = packages + NEW.counted_bytes WHERE user_id = NEW.owner_id;
  UPDATE package_blobs SET unused_at = NULL WHERE sha256 = NEW.sha256;
END;
CREATE TRIGGER package_files_move AFTER UPDATE OF counted_bytes ON package_files BEGIN
  UPDATE account_usage SET packages = packages + NEW.counted_bytes - OLD.counted_bytes WHERE user_id = NEW.owner_id;
END;
CREATE TRIGGER package_files_uncount AFTER DELETE ON package_files BEGIN
  UPDATE account_usage SET packages = packages - OLD.counted_bytes WHERE user_id = OLD.owner_id;
  UPDATE package_blobs SET unused_at = unixepoch() * 1000
    WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM package_files WHERE sha256 = OLD.sha256);
  DELETE FROM package_properties WHERE subject = 'file' AND ref_id = OLD.id;
END;

-- The bytes go with the row.
CREATE TRIGGER package_blobs_forget AFTER DELETE ON package_blobs BEGIN
  DELETE FROM blob_references WHERE area = 'packages' AND owner_key = OLD.sha256;
END;
CREATE TRIGGER package_upload_chunks_forget AFTER DELETE ON package_upload_chunks BEGIN
  DELETE FROM blob_references WHERE area = 'package-chunks' AND owner_key = OLD.upload_id || ':' || OLD.position;
END;
