-- Files of a version in groups that composite keys tell: revisions of recipes and binaries.
CREATE INDEX package_files_by_version_key ON package_files (version_id, composite_key, created_at)
  WHERE composite_key <> '';
