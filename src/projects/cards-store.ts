import type { Database } from "../db/database.ts";
import type { CardFilter, CardPlace, ProjectCard } from "./types.ts";

const columns = "project_id AS projectId, issue_id AS issueId, column_id AS columnId, sorting";

/** Which cards the viewer sees: by kind for a repository's board, else by the access condition. */
export interface CardViewer {
  /** SQL condition on `issues`, and on `repositories` and `owners` if they are joined. */
  readonly isVisible: string;
  readonly joinsRepositories: boolean;
  readonly params: Readonly<Record<string, number | string>>;
}

const repositories = `CROSS JOIN repositories ON repositories.id = issues.repo_id
  CROSS JOIN users AS owners ON owners.id = repositories.owner_id`;

/** Cards of a column in order. */
export function cardsOf(
  db: Database,
  columnId: number,
  viewer: CardViewer,
  { assigneeId, labelIds, milestoneId }: CardFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): ProjectCard[] {
  const conditions = [viewer.isVisible];
  const params: Record<string, number | string> = { ...viewer.params, columnId, limit, offset };
  if (labelIds.length > 0) {
    // The item lacks none of the labels: cards that do are skipped after one index lookup.
    conditions.push(`NOT EXISTS (SELECT 1 FROM json_each($labels) AS wanted WHERE NOT EXISTS (SELECT 1 FROM issue_labels
      WHERE issue_labels.issue_id = project_cards.issue_id AND issue_labels.label_id = wanted.value))`);
    params["labels"] = JSON.stringify(labelIds);
  }
  if (assigneeId !== undefined) {
    conditions.push(`EXISTS (SELECT 1 FROM issue_assignees
      WHERE issue_assignees.issue_id = issues.id AND issue_assignees.user_id = $assigneeId)`);
    params["assigneeId"] = assigneeId;
  }
  if (milestoneId === -1) conditions.push("issues.milestone_id IS NULL");
  else if (milestoneId !== undefined) {
    conditions.push("issues.milestone_id = $milestoneId");
    params["milestoneId"] = milestoneId;
  }
  // The cards drive the join, in index order: a page costs only what it shows.
  const sql = `SELECT project_cards.project_id AS projectId, project_cards.issue_id AS issueId,
      project_cards.column_id AS columnId, project_cards.sorting AS sorting
    FROM project_cards INDEXED BY project_cards_by_column
      CROSS JOIN issues ON issues.id = project_cards.issue_id ${viewer.joinsRepositories ? repositories : ""}
    WHERE project_cards.column_id = $columnId AND ${conditions.join(" AND ")}
    ORDER BY project_cards.sorting, project_cards.issue_id LIMIT $limit OFFSET $offset`;
  return db.query<ProjectCard>(sql).all(params);
}

/** Positions of these items on a board. */
export function findCards(db: Database, projectId: number, issueIds: readonly number[]): Map<number, ProjectCard> {
  const sql = `SELECT ${columns} FROM project_cards
    WHERE project_id = ? AND issue_id IN (SELECT value FROM json_each(?))`;
  const rows = db.query<ProjectCard>(sql).all(projectId, JSON.stringify(issueIds));
  return new Map(rows.map((card) => [card.issueId, card]));
}

/** All cards of these items, by project. */
export function cardsOfIssues(db: Database, issueIds: readonly number[]): ProjectCard[] {
  const sql = `SELECT ${columns} FROM project_cards WHERE issue_id IN (SELECT value FROM json_each(?))
    ORDER BY project_id`;
  return db.query<ProjectCard>(sql).all(JSON.stringify(issueIds));
}

/** A sort value after the last card of the column. */
export function endOf(db: Database, columnId: number): number {
  const sql = "SELECT sorting FROM project_cards WHERE column_id = ? ORDER BY sorting DESC LIMIT 1";
  return Math.floor(db.query<{ sorting: number }>(sql).get(columnId)?.sorting ?? 0) + 1;
}

/** The card right before a position in the column; undefined: none. */
export function cardBefore(db: Database, columnId: number, { issueId, sorting }: CardPlace): ProjectCard | undefined {
  const sql = `SELECT ${columns} FROM project_cards WHERE column_id = ? AND (sorting, issue_id) < (?, ?)
    ORDER BY sorting DESC, issue_id DESC LIMIT 1`;
  return db.query<ProjectCard>(sql).get(columnId, sorting, issueId) ?? undefined;
}

/** The cards after a position in the column. */
export function cardsAfter(
  db: Database,
  columnId: number,
  { issueId, sorting }: CardPlace,
  limit: number,
): ProjectCard[] {
  const sql = `SELECT ${columns} FROM project_cards WHERE column_id = ? AND (sorting, issue_id) > (?, ?)
    ORDER BY sorting, issue_id LIMIT ?`;
  return db.query<ProjectCard>(sql).all(columnId, sorting, issueId, limit);
}

export function insertCard(db: Database, { columnId, issueId, projectId, sorting }: ProjectCard): void {
  const sql = "INSERT INTO project_cards (project_id, issue_id, column_id, sorting) VALUES (?, ?, ?, ?)";
  db.query(sql).run(projectId, issueId, columnId, sorting);
}

/** @param from its current position */
export function moveCard(db: Database, from: ProjectCard, columnId: number, sorting: number): void {
  const sql = "UPDATE project_cards SET column_id = ?, sorting = ? WHERE project_id = ? AND issue_id = ?";
  db.query(sql).run(columnId, sorting, from.projectId, from.issueId);
  if (from.columnId === columnId) return;
  addToCount(db, from.columnId, -1);
  addToCount(db, columnId, 1);
}

function addToCount(db: Database, columnId: number, cards: number): void {
  db.query("UPDATE project_columns SET cards = cards + ? WHERE id = ?").run(cards, columnId);
}

/** Renumbers a column's cards when no fraction fits between two of them any more. */
export function renumber(db: Database, columnId: number): void {
  const sql = `UPDATE project_cards SET sorting = ranked.place
    FROM (SELECT project_id, issue_id, row_number() OVER (ORDER BY sorting, issue_id) AS place
      FROM project_cards WHERE column_id = ?1) AS ranked
    WHERE project_cards.column_id = ?1 AND project_cards.project_id = ranked.project_id
      AND project_cards.issue_id = ranked.issue_id`;
  db.query(sql).run(columnId);
}

/** Moves all cards of a column to the end of another, in order. */
export function moveAllCards(db: Database, fromColumnId: number, toColumnId: number): void {
  const first = db
    .query<{ sorting: number | null }>("SELECT min(sorting) AS sorting FROM project_cards WHERE column_id = ?")
    .get(fromColumnId)?.sorting;
  if (first === undefined || first === null) return;
  const sql = "UPDATE project_cards SET column_id = ?, sorting = sorting + ? WHERE column_id = ?";
  const { changes } = db.query(sql).run(toColumnId, endOf(db, toColumnId) - first, fromColumnId);
  addToCount(db, fromColumnId, -changes);
  addToCount(db, toColumnId, changes);
}

export function deleteCard(db: Database, { columnId, issueId, projectId }: ProjectCard): void {
  db.query("DELETE FROM project_cards WHERE project_id = ? AND issue_id = ?").run(projectId, issueId);
  addToCount(db, columnId, -1);
  const sql = `UPDATE projects SET
      open_items = open_items - 1 + (SELECT is_closed FROM issues WHERE id = $issueId),
      closed_items = closed_items - (SELECT is_closed FROM issues WHERE id = $issueId)
    WHERE id = $projectId`;
  db.query(sql).run({ issueId, projectId });
}

/** Removes a transferred repository's items from the boards of its former owner. */
export function deleteCardsOfRepo(db: Database, repoId: number, ownerId: number): void {
  const ofOwner = "project_id IN (SELECT id FROM projects WHERE owner_id = ?1)";
  const sql = `DELETE FROM project_cards WHERE ${ofOwner} AND issue_id IN (SELECT id FROM issues WHERE repo_id = ?2)`;
  if (db.query(sql).run(ownerId, repoId).changes === 0) return;
  db.query(
    `UPDATE project_columns SET cards = (SELECT count(*) FROM project_cards WHERE column_id = project_columns.id)
     WHERE ${ofOwner}`,
  ).run(ownerId);
  const items = (isClosed: 0 | 1) => `(SELECT count(*) FROM project_cards JOIN issues ON issues.id = issue_id
    WHERE project_id = projects.id AND is_closed = ${isClosed})`;
  db.query(`UPDATE projects SET open_items = ${items(0)}, closed_items = ${items(1)} WHERE owner_id = ?`).run(ownerId);
}
