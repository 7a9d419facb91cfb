-- Content-addressed files below blobs/. A row is there from the transaction that first refers to the file until the file
-- may be unlinked.
CREATE TABLE blobs (
  -- SHA-256 of the bytes, hexadecimal; also the file's name.
  digest             TEXT PRIMARY KEY CHECK (length(digest) = 64),
  size               INTEGER NOT NULL,
  media_type         TEXT NOT NULL,
  created_at         INTEGER NOT NULL,
  -- Since when nothing refers to it; null while something does.
  unreferenced_since INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_unreferenced ON blobs (unreferenced_since) WHERE unreferenced_since IS NOT NULL;

-- Who refers to a file: an area's name and its own key of the thing that has it.
CREATE TABLE blob_references (
  area       TEXT NOT NULL,
  owner_key  TEXT NOT NULL,
  digest     TEXT NOT NULL REFERENCES blobs (digest),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (area, owner_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_references_by_digest ON blob_references (digest);

-- Kept by the database, so that a reference that goes by a cascade counts, too.
CREATE TRIGGER blob_referenced AFTER INSERT ON blob_references BEGIN
  UPDATE blobs SET unreferenced_since = NULL WHERE digest = NEW.digest;
END;
CREATE TRIGGER blob_reference_moved AFTER UPDATE OF digest ON blob_references WHEN OLD.digest <> NEW.digest BEGIN
  UPDATE blobs SET unreferenced_since = NULL WHERE digest = NEW.digest;
  UPDATE blobs SET unreferenced_since = unixepoch() * 1000
    WHERE digest = OLD.digest AND NOT EXISTS (SELECT 1 FROM blob_references WHERE digest = OLD.digest);
END;
CREATE TRIGGER blob_unreferenced AFTER DELETE ON blob_references BEGIN
  UPDATE blobs SET unreferenced_since = unixepoch() * 1000
    WHERE digest = OLD.digest AND NOT EXISTS (SELECT 1 FROM blob_references WHERE digest = OLD.digest);
END;
