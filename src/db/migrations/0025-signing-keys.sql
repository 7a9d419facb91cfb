-- The keys that the server signs commits with, one made for each format when it is first needed; the newest of a format
-- signs, earlier ones still verify. key_id is as signatures name it: 16 upper-case digits, or SHA256:… public_key is in
-- binary form (an OpenPGP key with its identity, or SSH's), private_key sealed.
CREATE TABLE signing_keys (
  key_id      TEXT NOT NULL PRIMARY KEY,
  format      TEXT NOT NULL CHECK (format IN ('openpgp', 'ssh')),
  public_key  BLOB NOT NULL,
  private_key TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX signing_keys_by_format ON signing_keys (format, created_at);
