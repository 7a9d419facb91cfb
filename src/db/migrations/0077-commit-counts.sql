-- How many commits the default branch has, and at which commit they were counted: every page of a repository says so.
ALTER TABLE repositories ADD COLUMN counted_tip TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN commit_count INTEGER NOT NULL DEFAULT 0;
