-- Mail servers are a kind of sign-in source.
CREATE TABLE new_sign_in_sources (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  name                TEXT NOT NULL,
  lower_name          TEXT NOT NULL UNIQUE,
  kind                TEXT NOT NULL CHECK (kind IN ('oauth2', 'ldap', 'ldap-simple', 'smtp')),
  is_active           INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  -- the nightly job brings its accounts up to date
  is_synchronized     INTEGER NOT NULL CHECK (is_synchronized IN (0, 1)),
  -- it asks for second factors itself
  skips_second_factor INTEGER NOT NULL CHECK (skips_second_factor IN (0, 1)),
  -- JSON; src/sources/settings.ts says of what
  settings            TEXT NOT NULL,
  -- sealed: the secret of the OAuth2 client, or the password that a directory is searched with; empty for none
  secret              TEXT NOT NULL DEFAULT '',
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL
) STRICT;
INSERT INTO new_sign_in_sources (id, name, lower_name, kind, is_active, is_synchronized, skips_second_factor, settings, secret,
    created_at, updated_at)
  SELECT id, name, lower_name, kind, is_active, is_synchronized, skips_second_factor, settings, secret, created_at, updated_at
  FROM sign_in_sources;
-- A number is given once: accounts and the log of security events name sources by it.
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'sign_in_sources')
  WHERE name = 'new_sign_in_sources';
DROP TABLE sign_in_sources;
ALTER TABLE new_sign_in_sources RENAME TO sign_in_sources;
