-- The address of an uploaded picture: 32 random hexadecimal digits, another for each upload; empty where there is none.
-- Its files are the references `<address>:large` and `<address>:small` of the area `avatars`.
ALTER TABLE users ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX users_by_avatar ON users (avatar) WHERE avatar <> '';
CREATE UNIQUE INDEX repositories_by_avatar ON repositories (avatar) WHERE avatar <> '';

-- Whatever takes a picture away, its files go with it.
CREATE TRIGGER user_avatar_changed AFTER UPDATE OF avatar ON users WHEN OLD.avatar <> NEW.avatar BEGIN
  DELETE FROM blob_references WHERE area = 'avatars' AND owner_key IN (OLD.avatar || ':large', OLD.avatar || ':small');
END;
CREATE TRIGGER user_avatar_deleted AFTER DELETE ON users WHEN OLD.avatar <> '' BEGIN
  DELETE FROM blob_references WHERE area = 'avatars' AND owner_key IN (OLD.avatar || ':large', OLD.avatar || ':small');
END;
CREATE TRIGGER repository_avatar_changed AFTER UPDATE OF avatar ON repositories WHEN OLD.avatar <> NEW.avatar BEGIN
  DELETE FROM blob_references WHERE area = 'avatars' AND owner_key IN (OLD.avatar || ':large', OLD.avatar || ':small');
END;
CREATE TRIGGER repository_avatar_deleted AFTER DELETE ON repositories WHEN OLD.avatar <> '' BEGIN
  DELETE FROM blob_references WHERE area = 'avatars' AND owner_key IN (OLD.avatar || ':large', OLD.avatar || ':small');
END;
