-- Public keys of SSH: of an account, or of repositories (deploy_keys says which). No content is there twice, so that a key
-- tells who comes.
CREATE TABLE ssh_keys (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL: a deploy key
  user_id      INTEGER REFERENCES users (id) ON DELETE CASCADE,
  title        TEXT NOT NULL,
  -- type and base64
  content      TEXT NOT NULL UNIQUE,
  comment      TEXT NOT NULL,
  fingerprint  TEXT NOT NULL,
  is_read_only INTEGER NOT NULL DEFAULT 0 CHECK (is_read_only IN (0, 1)),
  -- its owner signed a token with it
  is_verified  INTEGER NOT NULL DEFAULT 0 CHECK (is_verified IN (0, 1)),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX ssh_keys_by_user ON ssh_keys (user_id, id);
CREATE UNIQUE INDEX ssh_keys_by_title ON ssh_keys (user_id, title) WHERE user_id IS NOT NULL;
CREATE INDEX ssh_keys_by_fingerprint ON ssh_keys (fingerprint);

CREATE TABLE deploy_keys (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id      INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  key_id       INTEGER NOT NULL REFERENCES ssh_keys (id) ON DELETE CASCADE,
  title        TEXT NOT NULL,
  is_read_only INTEGER NOT NULL CHECK (is_read_only IN (0, 1)),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (repo_id, key_id),
  UNIQUE (repo_id, title)
) STRICT;
CREATE INDEX deploy_keys_by_key ON deploy_keys (key_id);
-- A deploy key that no repository has any more may be anyone's again.
CREATE TRIGGER deploy_keys_gone AFTER DELETE ON deploy_keys BEGIN
  DELETE FROM ssh_keys WHERE id = OLD.key_id AND user_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM deploy_keys WHERE key_id = OLD.key_id);
END;

-- Names in certificates of trusted authorities that stand for an account.
CREATE TABLE ssh_principals (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX ssh_principals_by_user ON ssh_principals (user_id, id);

-- OpenPGP keys; a subkey has a row of its own.
CREATE TABLE gpg_keys (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id             INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  primary_id          INTEGER REFERENCES gpg_keys (id) ON DELETE CASCADE,
  -- 16 upper-case hexadecimal digits
  key_id              TEXT NOT NULL,
  fingerprint         TEXT NOT NULL,
  -- the packet of the public key
  packet              BLOB NOT NULL,
  -- the whole key with identities and subkeys, of primary keys
  block               BLOB,
  can_sign            INTEGER NOT NULL CHECK (can_sign IN (0, 1)),
  can_encrypt_comms   INTEGER NOT NULL CHECK (can_encrypt_comms IN (0, 1)),
  can_encrypt_storage INTEGER NOT NULL CHECK (can_encrypt_storage IN (0, 1)),
  is_verified         INTEGER NOT NULL DEFAULT 0 CHECK (is_verified IN (0, 1)),
  expires_at          INTEGER,
  created_at          INTEGER NOT NULL
) STRICT;
CREATE INDEX gpg_keys_by_user ON gpg_keys (user_id, id);
CREATE INDEX gpg_keys_by_primary ON gpg_keys (primary_id);
CREATE INDEX gpg_keys_by_key_id ON gpg_keys (key_id);
-- A key that signs tells who signed. One that only encrypts proves nothing, and may stand under several primary keys.
CREATE UNIQUE INDEX gpg_keys_that_sign ON gpg_keys (key_id) WHERE primary_id IS NULL OR can_sign = 1;

-- Addresses that the identities of a primary key name, in lower case.
CREATE TABLE gpg_key_emails (
  gpg_key_id  INTEGER NOT NULL REFERENCES gpg_keys (id) ON DELETE CASCADE,
  lower_email TEXT NOT NULL,
  PRIMARY KEY (gpg_key_id, lower_email)
) STRICT, WITHOUT ROWID;
