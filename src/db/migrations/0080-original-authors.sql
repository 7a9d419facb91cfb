-- What people wrote on another forge finds its author once they have an account here.
CREATE INDEX issues_by_original_author ON issues (original_author_id) WHERE original_author_id <> 0;
CREATE INDEX timeline_by_original_author ON timeline (original_author_id) WHERE original_author_id <> 0;
CREATE INDEX reactions_by_original_author ON reactions (original_author_id) WHERE original_author_id <> 0;
