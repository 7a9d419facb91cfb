-- Which unit of the repository an entry of a feed tells of: whoever may not read that unit does not see the entry.
-- Empty: the repository itself.
ALTER TABLE activities ADD COLUMN unit TEXT NOT NULL DEFAULT '';
UPDATE activities SET unit = 'code' WHERE kind NOT IN ('create_repo', 'rename_repo');

-- Maintenance was called upkeep.
UPDATE OR REPLACE event_cursors SET consumer = 'maintenance' WHERE consumer = 'upkeep';
UPDATE jobs SET kind = replace(kind, 'upkeep', 'maintenance'), unique_key = replace(unique_key, 'upkeep', 'maintenance')
  WHERE kind LIKE '%upkeep%' OR unique_key LIKE '%upkeep%';
