-- Lists of what people watch are remembered as those of what they starred are.
CREATE TRIGGER listed_watch_made AFTER INSERT ON watches BEGIN UPDATE repository_lists SET version = version + 1; END;
CREATE TRIGGER listed_watch_gone AFTER DELETE ON watches BEGIN UPDATE repository_lists SET version = version + 1; END;
