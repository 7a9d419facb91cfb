-- Branches that were deleted lately, to be restored; and lists of repositories by the time they were made.
CREATE INDEX ref_log_deletions ON ref_log (folder_id, id) WHERE new_oid IS NULL;
CREATE INDEX repositories_by_creation ON repositories (created_at);
