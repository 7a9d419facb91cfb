-- Which mails people want about what happens; without a row what the site says.
CREATE TABLE mail_preferences (
  user_id    INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  preference TEXT NOT NULL CHECK (preference IN ('enabled', 'onmention', 'disabled', 'andyourown'))
) STRICT;

-- What someone was mailed: one thing is told once, whatever it concerns them by.
CREATE TABLE told_by_mail (
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  told_at    INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_by_mail_by_time ON told_by_mail (told_at);
