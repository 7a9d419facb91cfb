-- Who follows whom; the newest first, from both sides.
CREATE TABLE follows (
  follower_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  followed_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (follower_id, followed_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX follows_by_follower ON follows (follower_id, created_at);
CREATE INDEX follows_by_followed ON follows (followed_id, created_at);

-- When someone did something, for the heat map: everything it asks of an entry.
CREATE INDEX activities_by_actor_time ON activities (actor_id, created_at, repo_id, unit);
