-- The provider that vouched for whoever signed in, which may be told when they sign out.
ALTER TABLE sessions ADD COLUMN source_id INTEGER REFERENCES sign_in_sources (id) ON DELETE SET NULL;
CREATE INDEX sessions_by_source ON sessions (source_id) WHERE source_id IS NOT NULL;
