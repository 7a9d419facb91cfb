-- What the server tells its administrators on its own account.
CREATE TABLE notices (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  -- which words it is told in
  kind       TEXT NOT NULL,
  -- what it is about, as JSON
  facts      TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notices_by_time ON notices (created_at);

-- Badges that administrators give to people.
CREATE TABLE badges (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  slug        TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  image_url   TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE user_badges (
  user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  badge_id INTEGER NOT NULL REFERENCES badges (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, badge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_badges_by_badge ON user_badges (badge_id);
