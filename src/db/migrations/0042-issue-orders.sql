-- Lists by the time of closing and by priority walk an index in their order, open items too, whose time is NULL.
DROP INDEX issues_by_closing;
CREATE INDEX issues_by_closing ON issues (repo_id, is_pull, is_closed, closed_at, id);
CREATE INDEX issues_by_priority ON issues (repo_id, is_pull, is_closed, priority, id);
