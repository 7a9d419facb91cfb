-- Where people sign in other than by a password that is kept here.
CREATE TABLE sign_in_sources (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  name                TEXT NOT NULL,
  lower_name          TEXT NOT NULL UNIQUE,
  kind                TEXT NOT NULL CHECK (kind IN ('oauth2', 'ldap', 'ldap-simple')),
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

-- Whom an account is at a source. A source that has some is not deleted.
CREATE TABLE outside_accounts (
  source_id    INTEGER NOT NULL REFERENCES sign_in_sources (id),
  -- who vouches for the subject: a source may be pointed to another provider
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- what the source calls it, for people
  name         TEXT NOT NULL,
  -- the directory had it no more, so the account was deactivated
  is_gone      INTEGER NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1)),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (source_id, issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX outside_accounts_by_user ON outside_accounts (user_id);

CREATE INDEX users_by_source ON users (source_id, login_name) WHERE source_id <> 0;

-- Keys that a source brings and takes away; 0 for those that people add.
ALTER TABLE ssh_keys ADD COLUMN source_id INTEGER NOT NULL DEFAULT 0;
