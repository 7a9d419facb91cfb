-- Jobs are named in git's terms.
UPDATE jobs SET kind = 'repository.geometric-repack',
    unique_key = replace(unique_key, 'repository.consolidate', 'repository.geometric-repack')
  WHERE kind = 'repository.consolidate';
UPDATE jobs SET kind = 'repository.prune-packs',
    unique_key = replace(unique_key, 'repository.drop-replaced', 'repository.prune-packs')
  WHERE kind = 'repository.drop-replaced';
