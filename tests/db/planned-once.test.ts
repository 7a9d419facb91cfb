import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";

test("parameters stand behind a plus, and texts, comments and paths in JSON stay as they are", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-db-"));
  const db = new Database(join(folder, "a.db"));
  try {
    db.execute(
      "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, data TEXT); CREATE INDEX by_name ON things (name)",
    );
    db.query("INSERT INTO things (name, data) VALUES (?, ?)").run("it's $name?", '{"off": ["code"]}');
    const found = db.query<{ name: string; first: string; text: string; seven: number }>(
      `SELECT name, data ->> '$.off[0]' AS first, '$name ''?''' AS text, 10 -$three AS seven -- $name?
       FROM things WHERE name IS $name AND ?1 = 1 ORDER BY id LIMIT $limit`.replace("?1", "$one"),
    );
    expect(found.all({ name: "it's $name?", three: 3, one: 1, limit: 5 })).toEqual([
      { name: "it's $name?", first: "code", text: "$name '?'", seven: 7 },
    ]);
    expect(db.query<{ n: number | null }>("SELECT ?2 AS n WHERE ?1").all(1, null)).toEqual([{ n: null }]);
    // What follows a plus has no affinity of its own, as the parameter alone: the column's decides, and its index is used.
    expect(db.query("SELECT 1 FROM things WHERE id = ?").all("1")).toHaveLength(1);
    const plan = db.query<{ detail: string }>("EXPLAIN QUERY PLAN SELECT 1 FROM things WHERE name = $name");
    expect(plan.all({ name: "a" })[0]?.detail).toContain("by_name");
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
