-- Words that repositories are found by.
CREATE TABLE topics (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  -- when a repository last took or dropped it
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE repository_topics (
  repo_id  INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  topic_id INTEGER NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
  PRIMARY KEY (repo_id, topic_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX repository_topics_by_topic ON repository_topics (topic_id);
