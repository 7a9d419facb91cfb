-- What an account pushed a short while ago, which the home of a repository offers to propose.
CREATE INDEX ref_log_by_mover ON ref_log (actor_id, at) WHERE actor_id IS NOT NULL;
