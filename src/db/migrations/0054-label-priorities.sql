-- An item's priority is what its label of the scope `priority` says, in any letter case: the label's place in the scope,
-- the first the highest; one without a place comes before none.
CREATE VIEW label_priorities AS
  SELECT id AS label_id, CASE WHEN exclusive_order > 0 THEN max(1000000 - exclusive_order, 2) ELSE 1 END AS priority
  FROM labels
  WHERE is_exclusive = 1 AND lower(name) GLOB 'priority/?*' AND instr(substr(name, 10), '/') = 0;

CREATE TRIGGER label_priority_insert AFTER INSERT ON issue_labels
WHEN EXISTS (SELECT 1 FROM label_priorities WHERE label_id = NEW.label_id) BEGIN
  UPDATE issues SET priority = (SELECT max(label_priorities.priority) FROM issue_labels
      CROSS JOIN label_priorities ON label_priorities.label_id = issue_labels.label_id
      WHERE issue_labels.issue_id = NEW.issue_id)
    WHERE id = NEW.issue_id;
END;
CREATE TRIGGER label_priority_delete AFTER DELETE ON issue_labels BEGIN
  UPDATE issues SET priority = coalesce((SELECT max(label_priorities.priority) FROM issue_labels
      CROSS JOIN label_priorities ON label_priorities.label_id = issue_labels.label_id
      WHERE issue_labels.issue_id = OLD.issue_id), 0)
    WHERE id = OLD.issue_id AND priority <> 0;
END;
CREATE TRIGGER label_priority_update AFTER UPDATE OF name, is_exclusive, exclusive_order ON labels
WHEN (lower(OLD.name) GLOB 'priority/?*' OR lower(NEW.name) GLOB 'priority/?*')
  AND (OLD.name <> NEW.name OR OLD.is_exclusive <> NEW.is_exclusive OR OLD.exclusive_order <> NEW.exclusive_order) BEGIN
  UPDATE issues SET priority = coalesce((SELECT max(label_priorities.priority) FROM issue_labels
      CROSS JOIN label_priorities ON label_priorities.label_id = issue_labels.label_id
      WHERE issue_labels.issue_id = issues.id), 0)
    WHERE id IN (SELECT issue_id FROM issue_labels WHERE label_id = NEW.id);
END;

UPDATE issues SET priority = (SELECT max(label_priorities.priority) FROM issue_labels
    CROSS JOIN label_priorities ON label_priorities.label_id = issue_labels.label_id
    WHERE issue_labels.issue_id = issues.id)
  WHERE id IN (SELECT issue_labels.issue_id FROM label_priorities
    CROSS JOIN issue_labels ON issue_labels.label_id = label_priorities.label_id);
