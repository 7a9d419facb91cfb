-- Everyone's packages, the last published first.
CREATE INDEX packages_latest ON packages (latest_version_id) WHERE latest_version_id IS NOT NULL;
