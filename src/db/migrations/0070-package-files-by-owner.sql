-- What the packages of an account add up to, counted again every night without reading all files of everyone.
CREATE INDEX package_files_by_owner ON package_files (owner_id, counted_bytes);
