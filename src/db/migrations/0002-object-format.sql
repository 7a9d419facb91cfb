-- How a repository names its objects. Chosen when it is made, for ever; its folder's config says the same.
ALTER TABLE repositories ADD COLUMN object_format TEXT NOT NULL DEFAULT 'sha1' CHECK (object_format IN ('sha1', 'sha256'));
