-- When everything stored of a repository, or all uploaded files (repo_id NULL), was last read and compared with its checksums.
CREATE TABLE scrubs (
  id INTEGER PRIMARY KEY,
  repo_id INTEGER UNIQUE REFERENCES repositories (id) ON DELETE CASCADE,
  finished_at INTEGER NOT NULL,
  -- objects, or files
  items INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX scrubs_of_blobs ON scrubs (repo_id IS NULL) WHERE repo_id IS NULL;

CREATE TABLE scrub_findings (
  id INTEGER PRIMARY KEY,
  scrub_id INTEGER NOT NULL REFERENCES scrubs (id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  message TEXT NOT NULL,
  -- JSON: what it hits
  hits TEXT NOT NULL
) STRICT;

CREATE INDEX scrub_findings_by_scrub ON scrub_findings (scrub_id);
