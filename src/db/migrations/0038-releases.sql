-- Releases: a tag with notes and files, or a draft of one.
CREATE TABLE releases (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id       INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  tag           TEXT NOT NULL,
  lower_tag     TEXT NOT NULL,
  -- branch or commit that the tag is or was made from, as it was given
  target        TEXT NOT NULL,
  title         TEXT NOT NULL,
  body          TEXT NOT NULL,
  is_draft      INTEGER NOT NULL,
  is_prerelease INTEGER NOT NULL,
  author_id     INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX releases_by_tag ON releases (repo_id, lower_tag);
CREATE INDEX releases_by_time ON releases (repo_id, created_at, id);
CREATE INDEX releases_published ON releases (repo_id) WHERE is_draft = 0;
CREATE INDEX releases_by_author ON releases (author_id) WHERE author_id IS NOT NULL;

-- Files of releases; their bytes are blobs of the area `release-assets`, by uuid.
CREATE TABLE release_assets (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid           TEXT NOT NULL UNIQUE,
  release_id     INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  name           TEXT NOT NULL,
  size_bytes     INTEGER NOT NULL,
  download_count INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX release_assets_by_release ON release_assets (release_id, name, id);
CREATE TRIGGER release_assets_drop_blobs AFTER DELETE ON release_assets BEGIN
  DELETE FROM blob_references WHERE area = 'release-assets' AND owner_key = OLD.uuid;
END;
