-- Passcodes from an authenticator app (TOTP). The secret is sealed.
CREATE TABLE passcode_secrets (
  user_id    INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret     TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Steps of 30 seconds whose passcode was used: each is good once.
CREATE TABLE used_passcodes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  step    INTEGER NOT NULL,
  PRIMARY KEY (user_id, step)
) STRICT, WITHOUT ROWID;

-- Salted hashes of the recovery codes that are left, as a sealed JSON list.
CREATE TABLE recovery_codes (
  user_id    INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hashes     TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Public keys of passkeys and security keys (WebAuthn).
CREATE TABLE passkeys (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name          TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  -- base64url
  public_key    TEXT NOT NULL,
  -- of signatures made; 0 where the authenticator does not count
  counter       INTEGER NOT NULL,
  -- JSON list, for the browser
  transports    TEXT NOT NULL,
  -- its counter went back once: there are two of it
  is_cloned     INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL,
  last_used_at  INTEGER
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- What happened to the security of accounts. Rows are added and, when they are old, removed; never changed. Names stand
-- for themselves, because accounts go and the record stays.
CREATE TABLE audit_entries (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  action     TEXT NOT NULL,
  account_id INTEGER,
  account    TEXT NOT NULL,
  actor_id   INTEGER,
  actor      TEXT NOT NULL,
  via        TEXT NOT NULL,
  address    TEXT NOT NULL,
  details    TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id);
CREATE INDEX audit_entries_by_name ON audit_entries (account COLLATE NOCASE, id);
CREATE INDEX audit_entries_by_action ON audit_entries (action, id);
CREATE INDEX audit_entries_by_time ON audit_entries (at);

-- "Stay signed in": a secret that opens the next session, good once. It goes with its session.
CREATE TABLE remembered_sign_ins (
  id            TEXT PRIMARY KEY,
  session_id    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  secret_hash   TEXT NOT NULL,
  -- the one before it, which several tabs may bring at once
  previous_hash TEXT NOT NULL,
  replaced_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX remembered_sign_ins_by_session ON remembered_sign_ins (session_id);
ALTER TABLE sessions ADD COLUMN last_used_at INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET last_used_at = created_at;
