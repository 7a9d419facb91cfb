-- What searches of repositories and people look in, by trigrams: rows are those of the table, texts are kept there. A
-- migration that rebuilds one of the tables makes its triggers again.
CREATE VIRTUAL TABLE repository_names USING fts5 (name, description, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO repository_names (rowid, name, description) SELECT id, lower_name, description FROM repositories;
CREATE TRIGGER repositories_named AFTER INSERT ON repositories BEGIN
  INSERT INTO repository_names (rowid, name, description) VALUES (NEW.id, NEW.lower_name, NEW.description);
END;
CREATE TRIGGER repositories_renamed AFTER UPDATE OF lower_name, description ON repositories
WHEN NEW.lower_name <> OLD.lower_name OR NEW.description <> OLD.description BEGIN
  UPDATE repository_names SET name = NEW.lower_name, description = NEW.description WHERE rowid = NEW.id;
END;
CREATE TRIGGER repositories_unnamed AFTER DELETE ON repositories BEGIN
  DELETE FROM repository_names WHERE rowid = OLD.id;
END;

CREATE VIRTUAL TABLE user_names USING fts5 (login, full_name, email, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO user_names (rowid, login, full_name, email) SELECT id, lower_login, full_name, email FROM users;
CREATE TRIGGER users_named AFTER INSERT ON users BEGIN
  INSERT INTO user_names (rowid, login, full_name, email) VALUES (NEW.id, NEW.lower_login, NEW.full_name, NEW.email);
END;
CREATE TRIGGER users_renamed AFTER UPDATE OF lower_login, full_name, email ON users
WHEN NEW.lower_login <> OLD.lower_login OR NEW.full_name <> OLD.full_name OR NEW.email <> OLD.email BEGIN
  UPDATE user_names SET login = NEW.lower_login, full_name = NEW.full_name, email = NEW.email WHERE rowid = NEW.id;
END;
CREATE TRIGGER users_unnamed AFTER DELETE ON users BEGIN
  DELETE FROM user_names WHERE rowid = OLD.id;
END;
