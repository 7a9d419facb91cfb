-- The keys with which the SSH server shows that it is itself, one of each type, made when it first listens. public_key is
-- in SSH's binary form, private_key is text in OpenSSH's form, sealed.
CREATE TABLE ssh_host_keys (
  type        TEXT NOT NULL PRIMARY KEY,
  public_key  BLOB NOT NULL,
  private_key TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
