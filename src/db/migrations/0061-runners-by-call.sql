-- Runners as lists show them: the enabled first, then by their last call.
CREATE INDEX actions_runners_by_call ON actions_runners (is_disabled, coalesce(last_online_at, 0) DESC, id);
