import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { Label, LabelOrder } from "./types.ts";

interface LabelRow {
  id: number;
  repo_id: number | null;
  owner_id: number | null;
  name: string;
  color: string;
  description: string;
  is_exclusive: number;
  exclusive_order: number;
  archived_at: number | null;
  open_items: number;
  closed_items: number;
  created_at: number;
  updated_at: number;
}

function labelOf(row: LabelRow): Label {
  return {
    id: row.id,
    repoId: row.repo_id ?? undefined,
    ownerId: row.owner_id ?? undefined,
    name: row.name,
    color: row.color,
    description: row.description,
    isExclusive: row.is_exclusive === 1,
    exclusiveOrder: row.exclusive_order,
    archivedAt: row.archived_at ?? undefined,
    openItems: row.open_items,
    closedItems: row.closed_items,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function findLabels(db: Database, ids: readonly number[]): Map<number, Label> {
  if (ids.length === 0) return new Map();
  const sql = "SELECT * FROM labels WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<LabelRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, labelOf(row)]),
  );
}

/** The owner of labels: a repository or an organization. */
export type LabelOwner = { readonly repoId: number } | { readonly ownerId: number };

/** The column that refers to the owner, and its value. */
const ownedBy = (owner: LabelOwner) =>
  "repoId" in owner ? (["repo_id", owner.repoId] as const) : (["owner_id", owner.ownerId] as const);

const orderSql: Readonly<Record<LabelOrder, string>> = {
  name: "name, id",
  reversealphabetically: "name DESC, id DESC",
  leastissues: "open_items + closed_items, name, id",
  mostissues: "open_items + closed_items DESC, name, id",
};

export function listLabels(
  db: Database,
  owner: LabelOwner,
  order: LabelOrder,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  text = "",
): Slice<Label> {
  const [column, id] = ownedBy(owner);
  // SQLite folds only ASCII; other letters must match exactly.
  const where = `${column} = ?${text === "" ? "" : " AND instr(lower(name || ' ' || description), lower(?)) > 0"}`;
  const params = text === "" ? [id] : [id, text];
  const sql = `SELECT * FROM labels WHERE ${where} ORDER BY ${orderSql[order]} LIMIT ? OFFSET ?`;
  const items = db
    .query<LabelRow>(sql)
    .all(...params, limit, offset)
    .map(labelOf);
  const found = db.query<{ total: number }>(`SELECT count(*) AS total FROM labels WHERE ${where}`).get(...params);
  return { items, total: found?.total ?? 0 };
}

export function countLabels(db: Database, owner: LabelOwner): number {
  const [column, id] = ownedBy(owner);
  return db.query<{ total: number }>(`SELECT count(*) AS total FROM labels WHERE ${column} = ?`).get(id)?.total ?? 0;
}

/** Labels with exactly one of these names, oldest first. */
export function findLabelsNamed(db: Database, owner: LabelOwner, names: readonly string[]): Label[] {
  const [column, id] = ownedBy(owner);
  const sql = `SELECT * FROM labels WHERE ${column} = ? AND name IN (SELECT value FROM json_each(?)) ORDER BY id`;
  return db.query<LabelRow>(sql).all(id, JSON.stringify(names)).map(labelOf);
}

export type LabelValues = Pick<
  Label,
  "name" | "color" | "description" | "isExclusive" | "exclusiveOrder" | "archivedAt"
>;

const paramsOf = ({ archivedAt, isExclusive, ...values }: LabelValues) => ({
  ...values,
  isExclusive: isExclusive ? 1 : 0,
  archivedAt: archivedAt ?? null,
});

export function insertLabel(db: Database, owner: LabelOwner, values: LabelValues, now: number): Label {
  const [column, id] = ownedBy(owner);
  const sql = `INSERT INTO labels
      (${column}, name, color, description, is_exclusive, exclusive_order, archived_at, created_at, updated_at)
    VALUES ($owner, $name, $color, $description, $isExclusive, $exclusiveOrder, $archivedAt, $now, $now) RETURNING *`;
  const row = db.query<LabelRow>(sql).get({ ...paramsOf(values), owner: id, now });
  if (!row) throw new Error("an inserted label has a row");
  return labelOf(row);
}

export function updateLabel(db: Database, id: number, values: LabelValues, now: number): Label | undefined {
  const sql = `UPDATE labels SET name = $name, color = $color, description = $description, is_exclusive = $isExclusive,
      exclusive_order = $exclusiveOrder, archived_at = $archivedAt, updated_at = $now
    WHERE id = $id RETURNING *`;
  const row = db.query<LabelRow>(sql).get({ ...paramsOf(values), id, now });
  return row ? labelOf(row) : undefined;
}

/** Also removes it from all items and their timelines. */
export function deleteLabel(db: Database, id: number): void {
  db.query("DELETE FROM labels WHERE id = ?").run(id);
}
