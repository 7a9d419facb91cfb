-- Raised by whatever changes which accounts someone sees or a filter finds, or their order by name or age, and by nothing
-- else: which these are is remembered until then. Sign-ins and profiles change much more often.
CREATE TABLE account_lists (version INTEGER NOT NULL) STRICT;
INSERT INTO account_lists (version) VALUES (0);

CREATE TRIGGER listed_account_made AFTER INSERT ON users BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_account_gone AFTER DELETE ON users BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_account_changed AFTER UPDATE OF lower_login, full_name, email, hide_email, kind, visibility, source_id,
  login_name, is_active, is_admin, is_restricted, prohibit_login ON users
  BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_address_made AFTER INSERT ON user_emails BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_address_gone AFTER DELETE ON user_emails BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_address_changed AFTER UPDATE ON user_emails BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_fellow_made AFTER INSERT ON organization_members BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_fellow_gone AFTER DELETE ON organization_members BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_fellow_changed AFTER UPDATE ON organization_members BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_follow_made AFTER INSERT ON follows BEGIN UPDATE account_lists SET version = version + 1; END;
CREATE TRIGGER listed_follow_gone AFTER DELETE ON follows BEGIN UPDATE account_lists SET version = version + 1; END;
