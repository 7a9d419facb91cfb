-- Entries that go with their repository, which the database looks for whenever one is deleted.
CREATE INDEX timeline_by_repo ON timeline (repo_id);
