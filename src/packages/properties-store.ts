import type { Database } from "../db/database.ts";
import type { Property, PropertySubject } from "./types.ts";

export function addProperties(
  db: Database,
  subject: PropertySubject,
  refId: number,
  properties: readonly Property[],
): void {
  const insert = db.query("INSERT INTO package_properties (subject, ref_id, name, value) VALUES (?, ?, ?, ?)");
  for (const { name, value } of properties) insert.run(subject, refId, name, value);
}

export function removeProperties(db: Database, subject: PropertySubject, refId: number, name: string): void {
  db.query("DELETE FROM package_properties WHERE subject = ? AND ref_id = ? AND name = ?").run(subject, refId, name);
}

/** Properties of several subjects, in the order they were added. */
export function propertiesOf(
  db: Database,
  subject: PropertySubject,
  refIds: readonly number[],
): Map<number, Property[]> {
  // CROSS JOIN keeps SQLite from scanning all properties in ID order.
  const rows = db
    .query<Property & { refId: number }>(
      `SELECT ref_id AS refId, package_properties.name, package_properties.value FROM json_each($ids) AS asked
         CROSS JOIN package_properties ON subject = $subject AND ref_id = asked.value ORDER BY package_properties.id`,
    )
    .all({ ids: JSON.stringify(refIds), subject });
  return Map.groupBy(rows, ({ refId }) => refId);
}
