-- Parts of generated indices (debian, rpm, alpine, arch) whose packages have changed, by a number that only grows: an index
-- is made again where that is higher than at its last making.
CREATE TABLE package_index_changes (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type     TEXT NOT NULL,
  -- the files' composite key; '*': all of them
  part     TEXT NOT NULL,
  UNIQUE (owner_id, type, part)
) STRICT;

-- The files of a part.
CREATE INDEX package_files_by_key ON package_files (owner_id, composite_key, id);

-- Who sees a package changes with its repository.
CREATE TRIGGER packages_index_link AFTER UPDATE OF repo_id ON packages
  WHEN NEW.type IN ('alpine', 'arch', 'debian', 'rpm') AND NEW.repo_id IS NOT OLD.repo_id BEGIN
  DELETE FROM package_index_changes WHERE owner_id = NEW.owner_id AND type = NEW.type AND part = '*';
  INSERT INTO package_index_changes (owner_id, type, part) VALUES (NEW.owner_id, NEW.type, '*');
END;
CREATE TRIGGER repositories_index_visibility AFTER UPDATE OF is_private, binned_at ON repositories
  WHEN NEW.is_private <> OLD.is_private OR NEW.binned_at IS NOT OLD.binned_at BEGIN
  DELETE FROM package_index_changes WHERE part = '*' AND (owner_id, type) IN
    (SELECT owner_id, type FROM packages WHERE repo_id = NEW.id AND type IN ('alpine', 'arch', 'debian', 'rpm'));
  INSERT INTO package_index_changes (owner_id, type, part) SELECT DISTINCT owner_id, type, '*' FROM packages
    WHERE repo_id = NEW.id AND type IN ('alpine', 'arch', 'debian', 'rpm');
END;
