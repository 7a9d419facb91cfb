-- OAuth2 and OpenID Connect for other programs (contract identity.md 6).

-- owner_id NULL: the site's own, for all its people. redirect_uris is a JSON list. Public clients have a secret too, but
-- nothing is proven by it; the built-in ones have none.
CREATE TABLE oauth2_applications (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id            INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name                TEXT NOT NULL,
  client_id           TEXT NOT NULL UNIQUE,
  secret_hash         TEXT,
  is_confidential     INTEGER NOT NULL,
  skips_later_consent INTEGER NOT NULL,
  is_built_in         INTEGER NOT NULL DEFAULT 0,
  redirect_uris       TEXT NOT NULL,
  created_at          INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth2_applications_by_owner ON oauth2_applications (owner_id, id);

INSERT INTO oauth2_applications
  (name, client_id, is_confidential, skips_later_consent, is_built_in, redirect_uris, created_at)
VALUES
  ('git-credential-oauth', 'a4792ccc-144e-407e-86c9-5e7d8d9c3269', 0, 0, 1, '["http://127.0.0.1","https://127.0.0.1"]', 0),
  ('Git Credential Manager', 'e90ee53c-94e2-48ac-9358-a874fb9e0662', 0, 0, 1, '["http://127.0.0.1","https://127.0.0.1"]', 0),
  ('tea', 'd57cb8c4-630c-4168-8324-ec79935e18d4', 0, 0, 1, '["http://127.0.0.1","https://127.0.0.1"]', 0);

-- That an account let an application in, and how far.
CREATE TABLE oauth2_grants (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  application_id INTEGER NOT NULL REFERENCES oauth2_applications (id) ON DELETE CASCADE,
  user_id        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  scope          TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  last_used_at   INTEGER,
  UNIQUE (user_id, application_id)
) STRICT;
CREATE INDEX oauth2_grants_by_application ON oauth2_grants (application_id);

-- All tokens that come from one consent or code: each refresh makes a new pair and counts up, and only the refresh token of
-- the present count is good. Without its row none of them is.
CREATE TABLE oauth2_token_families (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id   INTEGER NOT NULL REFERENCES oauth2_grants (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth2_token_families_by_grant ON oauth2_token_families (grant_id);
CREATE INDEX oauth2_token_families_by_expiry ON oauth2_token_families (expires_at);

-- family_id: what the code was redeemed for; a code that comes again ends it (RFC 6749 section 4.1.2).
CREATE TABLE oauth2_codes (
  code_hash        TEXT PRIMARY KEY,
  grant_id         INTEGER NOT NULL REFERENCES oauth2_grants (id) ON DELETE CASCADE,
  redirect_uri     TEXT NOT NULL,
  nonce            TEXT NOT NULL,
  challenge        TEXT NOT NULL,
  challenge_method TEXT NOT NULL,
  is_redeemed      INTEGER NOT NULL DEFAULT 0,
  family_id        INTEGER REFERENCES oauth2_token_families (id) ON DELETE SET NULL,
  expires_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth2_codes_by_grant ON oauth2_codes (grant_id);
CREATE INDEX oauth2_codes_by_family ON oauth2_codes (family_id);
CREATE INDEX oauth2_codes_by_expiry ON oauth2_codes (expires_at);

-- Devices that wait for someone to let them in (RFC 8628). grant_id: someone has.
CREATE TABLE oauth2_devices (
  code_hash      TEXT PRIMARY KEY,
  user_code      TEXT NOT NULL UNIQUE,
  application_id INTEGER NOT NULL REFERENCES oauth2_applications (id) ON DELETE CASCADE,
  scope          TEXT NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('waiting', 'granted', 'denied')),
  grant_id       INTEGER REFERENCES oauth2_grants (id) ON DELETE CASCADE,
  interval_ms    INTEGER NOT NULL,
  polled_at      INTEGER,
  expires_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth2_devices_by_application ON oauth2_devices (application_id);
CREATE INDEX oauth2_devices_by_grant ON oauth2_devices (grant_id);
CREATE INDEX oauth2_devices_by_expiry ON oauth2_devices (expires_at);

-- private_key: a sealed JWK.
CREATE TABLE oauth2_signing_keys (
  id          TEXT PRIMARY KEY,
  algorithm   TEXT NOT NULL,
  public_key  TEXT NOT NULL,
  private_key TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
