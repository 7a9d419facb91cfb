-- What entries of feeds are about: an issue or a pull request, and a comment of it. They go when it goes.
ALTER TABLE activities ADD COLUMN issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE;
ALTER TABLE activities ADD COLUMN entry_id INTEGER REFERENCES timeline (id) ON DELETE CASCADE;
CREATE INDEX activities_by_issue ON activities (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX activities_by_entry ON activities (entry_id) WHERE entry_id IS NOT NULL;
