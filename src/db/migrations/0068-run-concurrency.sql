-- `concurrency` of a run's workflow as it is written, JSON: another attempt evaluates it again. NULL: the file has none, or the run is
-- older than this column.
ALTER TABLE actions_runs ADD COLUMN concurrency TEXT;
