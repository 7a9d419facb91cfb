-- Raised by whatever changes which repositories someone sees or a filter finds, and by nothing else: how many there are
-- is remembered until then. Pushes, issues and comments come a hundred times as often.
CREATE TABLE repository_lists (version INTEGER NOT NULL) STRICT;
INSERT INTO repository_lists (version) VALUES (0);

CREATE TRIGGER listed_repository_made AFTER INSERT ON repositories BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_repository_gone AFTER DELETE ON repositories BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_repository_changed AFTER UPDATE OF owner_id, lower_name, description, is_private, is_template,
  is_archived, fork_of, binned_at, settings ON repositories BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_owner_changed AFTER UPDATE OF lower_login, visibility, is_restricted, is_admin, is_active ON users
  BEGIN UPDATE repository_lists SET version = version + 1; END;

CREATE TRIGGER listed_collaborator_made AFTER INSERT ON collaborators BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_collaborator_gone AFTER DELETE ON collaborators BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_collaborator_changed AFTER UPDATE ON collaborators BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_member_made AFTER INSERT ON organization_members BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_member_gone AFTER DELETE ON organization_members BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_changed AFTER UPDATE OF level, includes_all ON teams BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_member_made AFTER INSERT ON team_members BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_member_gone AFTER DELETE ON team_members BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_repository_made AFTER INSERT ON team_repositories BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_repository_gone AFTER DELETE ON team_repositories BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_unit_made AFTER INSERT ON team_units BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_unit_gone AFTER DELETE ON team_units BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_team_unit_changed AFTER UPDATE ON team_units BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_star_made AFTER INSERT ON stars BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_star_gone AFTER DELETE ON stars BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_topic_made AFTER INSERT ON repository_topics BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_topic_gone AFTER DELETE ON repository_topics BEGIN UPDATE repository_lists SET version = version + 1; END;

-- The repositories of one owner, the latest first.
CREATE INDEX repositories_by_owner_update ON repositories (owner_id, updated_at);
