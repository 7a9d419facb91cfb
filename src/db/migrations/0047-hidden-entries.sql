-- What an account does not want to see in conversations: topics of `src/issues/hidden-entries/types.ts`.
CREATE TABLE hidden_entries (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  topic   TEXT NOT NULL,
  PRIMARY KEY (user_id, topic)
) STRICT, WITHOUT ROWID;
