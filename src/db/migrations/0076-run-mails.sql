-- Which mails people want about runs of workflows that they started; without a row those of failures.
CREATE TABLE run_mail_preferences (
  user_id    INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  preference TEXT NOT NULL CHECK (preference IN ('all', 'failure-only', 'disabled'))
) STRICT;
