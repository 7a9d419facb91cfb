import type { Database } from "../../db/database.ts";

export function isDisabled(db: Database, repoId: number, workflow: string): boolean {
  const sql = "SELECT 1 FROM actions_disabled_workflows WHERE repo_id = ? AND workflow = ?";
  return db.query(sql).get(repoId, workflow) !== null;
}

export function disabledWorkflows(db: Database, repoId: number): Set<string> {
  const sql = "SELECT workflow FROM actions_disabled_workflows WHERE repo_id = ?";
  const rows = db.query<{ workflow: string }>(sql).all(repoId);
  return new Set(rows.map(({ workflow }) => workflow));
}

export function setDisabled(db: Database, repoId: number, workflow: string, isOff: boolean): void {
  const sql = isOff
    ? "INSERT INTO actions_disabled_workflows (repo_id, workflow) VALUES (?, ?) ON CONFLICT DO NOTHING"
    : "DELETE FROM actions_disabled_workflows WHERE repo_id = ? AND workflow = ?";
  db.query(sql).run(repoId, workflow);
}
