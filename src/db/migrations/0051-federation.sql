-- The keys of this site's actors: made when one is first asked for.
CREATE TABLE actor_keys (
  -- `site`, or `user:<id>`
  actor       TEXT PRIMARY KEY,
  user_id     INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- PEM; the private key is sealed
  public_key  TEXT NOT NULL,
  private_key TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX actor_keys_by_user ON actor_keys (user_id) WHERE user_id IS NOT NULL;

-- When the last Like began that was accepted from another server: an older one is one that was recorded and sent again.
CREATE TABLE federated_hosts (
  host         TEXT PRIMARY KEY,
  last_like_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
