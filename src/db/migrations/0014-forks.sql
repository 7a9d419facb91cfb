-- The repository that one was forked from; none once that is deleted.
ALTER TABLE repositories ADD COLUMN fork_of INTEGER REFERENCES repositories (id) ON DELETE SET NULL;
CREATE INDEX repositories_by_base ON repositories (fork_of) WHERE fork_of IS NOT NULL;
