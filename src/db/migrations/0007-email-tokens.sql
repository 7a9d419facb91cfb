-- Whose an address is: shown by a link in a mail, or said by an administrator. Commits are attributed by these only.
ALTER TABLE user_emails ADD COLUMN is_proven INTEGER NOT NULL DEFAULT 0;
-- Until now an account got its primary address from its making; all others people had added themselves.
UPDATE user_emails SET is_proven = is_verified WHERE is_primary = 1;

-- What a mailed link may do, once. The link carries a keyed hash over this row and the account's present state, so the
-- row alone opens nothing.
CREATE TABLE email_tokens (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose    TEXT NOT NULL CHECK (purpose IN ('activate', 'confirm-email', 'reset-password')),
  email      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX email_tokens_by_user ON email_tokens (user_id, purpose, created_at);
CREATE INDEX email_tokens_by_end ON email_tokens (expires_at);
