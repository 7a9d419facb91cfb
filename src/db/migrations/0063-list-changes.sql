-- Which repository each raising of repository_lists is about, where it is about one: remembered lists take these in instead
-- of being read again. A version that has no row here changed more than one.
CREATE TABLE repository_list_changes (version INTEGER PRIMARY KEY, repo_id INTEGER NOT NULL) STRICT;
CREATE TRIGGER repository_list_changes_kept AFTER INSERT ON repository_list_changes BEGIN
  DELETE FROM repository_list_changes WHERE version <= NEW.version - 500;
END;

DROP TRIGGER listed_repository_made;
CREATE TRIGGER listed_repository_made AFTER INSERT ON repositories BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.id FROM repository_lists;
END;
DROP TRIGGER listed_repository_gone;
CREATE TRIGGER listed_repository_gone AFTER DELETE ON repositories BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, OLD.id FROM repository_lists;
END;
DROP TRIGGER listed_repository_changed;
CREATE TRIGGER listed_repository_changed AFTER UPDATE OF owner_id, lower_name, description, is_private, is_template,
  is_archived, fork_of, binned_at, settings ON repositories BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.id FROM repository_lists;
END;
-- What is pushed seldom changes the main language.
CREATE TRIGGER listed_repository_spoken AFTER UPDATE OF primary_language ON repositories
  WHEN NEW.primary_language <> OLD.primary_language BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.id FROM repository_lists;
END;
DROP TRIGGER listed_collaborator_made;
CREATE TRIGGER listed_collaborator_made AFTER INSERT ON collaborators BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_collaborator_gone;
CREATE TRIGGER listed_collaborator_gone AFTER DELETE ON collaborators BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, OLD.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_collaborator_changed;
CREATE TRIGGER listed_collaborator_changed AFTER UPDATE ON collaborators BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_team_repository_made;
CREATE TRIGGER listed_team_repository_made AFTER INSERT ON team_repositories BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_team_repository_gone;
CREATE TRIGGER listed_team_repository_gone AFTER DELETE ON team_repositories BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, OLD.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_star_made;
CREATE TRIGGER listed_star_made AFTER INSERT ON stars BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_star_gone;
CREATE TRIGGER listed_star_gone AFTER DELETE ON stars BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, OLD.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_topic_made;
CREATE TRIGGER listed_topic_made AFTER INSERT ON repository_topics BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_topic_gone;
CREATE TRIGGER listed_topic_gone AFTER DELETE ON repository_topics BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, OLD.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_watch_made;
CREATE TRIGGER listed_watch_made AFTER INSERT ON watches BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, NEW.repo_id FROM repository_lists;
END;
DROP TRIGGER listed_watch_gone;
CREATE TRIGGER listed_watch_gone AFTER DELETE ON watches BEGIN
  UPDATE repository_lists SET version = version + 1;
  INSERT OR REPLACE INTO repository_list_changes (version, repo_id) SELECT version, OLD.repo_id FROM repository_lists;
END;

-- The repositories by size.
CREATE INDEX repositories_by_size ON repositories (size_bytes);
-- The repositories of one main language.
CREATE INDEX repositories_by_language ON repositories (primary_language COLLATE NOCASE) WHERE primary_language <> '';
