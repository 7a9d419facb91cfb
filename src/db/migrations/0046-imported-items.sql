-- Who wrote an item or a comment on the forge it was moved from, when they have no account here; empty: it was written here.
ALTER TABLE issues ADD COLUMN original_author TEXT NOT NULL DEFAULT '';
ALTER TABLE issues ADD COLUMN original_author_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE timeline ADD COLUMN original_author TEXT NOT NULL DEFAULT '';
ALTER TABLE timeline ADD COLUMN original_author_id INTEGER NOT NULL DEFAULT 0;
