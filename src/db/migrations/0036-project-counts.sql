-- Many cards leave a column or a board at once: their counters are then changed once, by whoever takes them away.
DROP TRIGGER project_cards_count_move;
DROP TRIGGER project_cards_count_delete;
DROP TRIGGER issues_drop_cards;
CREATE TRIGGER issues_drop_cards BEFORE DELETE ON issues BEGIN
  UPDATE project_columns SET cards = cards - 1
    WHERE id IN (SELECT column_id FROM project_cards WHERE issue_id = OLD.id);
  UPDATE projects SET open_items = open_items - 1 + OLD.is_closed, closed_items = closed_items - OLD.is_closed
    WHERE id IN (SELECT project_id FROM project_cards WHERE issue_id = OLD.id);
  DELETE FROM project_cards WHERE issue_id = OLD.id;
END;
