-- What is brought in from other forges besides issues: large files, pull requests, reactions.
-- Where the large files of the source are, sealed, as it may have a password in it; empty: where git LFS looks for them.
ALTER TABLE repository_imports ADD COLUMN lfs_endpoint TEXT NOT NULL DEFAULT '';
-- What is added to the numbers of pull requests where the source counts them by themselves.
ALTER TABLE repository_imports ADD COLUMN pull_offset INTEGER NOT NULL DEFAULT 0;
-- How many of each part have been brought, as a JSON object.
ALTER TABLE repository_imports ADD COLUMN counts TEXT NOT NULL DEFAULT '{}';
-- The source wants no requests before that; NULL: it has nothing against them.
ALTER TABLE repository_imports ADD COLUMN waits_until INTEGER;

-- Large files come along, from there.
ALTER TABLE pull_mirrors ADD COLUMN has_lfs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pull_mirrors ADD COLUMN lfs_endpoint TEXT NOT NULL DEFAULT '';
-- All that the refs name was looked for.
ALTER TABLE pull_mirrors ADD COLUMN lfs_is_whole INTEGER NOT NULL DEFAULT 0;

-- Reactions may be those of people who have no account here.
CREATE TABLE new_reactions (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id           INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  entry_id           INTEGER REFERENCES timeline (id) ON DELETE CASCADE,
  -- NULL: someone who has no account here
  user_id            INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- who gave it on the forge it was moved from; empty: it was given here
  original_author    TEXT NOT NULL DEFAULT '',
  original_author_id INTEGER NOT NULL DEFAULT 0,
  content            TEXT NOT NULL,
  created_at         INTEGER NOT NULL
) STRICT;
INSERT INTO new_reactions (id, issue_id, entry_id, user_id, content, created_at)
  SELECT id, issue_id, entry_id, user_id, content, created_at FROM reactions;
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'reactions') WHERE name = 'new_reactions';
DROP TABLE reactions;
ALTER TABLE new_reactions RENAME TO reactions;
CREATE UNIQUE INDEX reactions_once
  ON reactions (issue_id, coalesce(entry_id, 0), coalesce(user_id, 0), original_author, original_author_id, content);
CREATE INDEX reactions_by_entry ON reactions (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX reactions_by_user ON reactions (user_id) WHERE user_id IS NOT NULL;
