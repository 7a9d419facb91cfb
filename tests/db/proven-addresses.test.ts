import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { migrations } from "../../src/db/migrations/index.ts";

test("an older database's primary addresses stay proven, those that people added themselves do not", () => {
  const dir = mkdtempSync(join(tmpdir(), "hearth-migration-"));
  const db = new Database(join(dir, "hearth.db"));
  try {
    const before = migrations.findIndex(({ sql }) => sql.includes("is_proven"));
    for (const { sql } of migrations.slice(0, before)) db.execute(sql);
    db.execute(`PRAGMA user_version = ${before}`);
    db.execute(
      "INSERT INTO users (id, login, lower_login, email, created_at, updated_at) VALUES (1, 'Ada', 'ada', 'a@x', 0, 0)",
    );
    const add = db.query(
      "INSERT INTO user_emails (user_id, email, lower_email, is_verified, is_primary) VALUES (1, $email, $email, 1, $primary)",
    );
    add.run({ email: "a@x", primary: 1 });
    add.run({ email: "b@x", primary: 0 });
    migrate(db);
    expect(db.query("SELECT email, is_verified, is_proven FROM user_emails ORDER BY id").values()).toEqual([
      ["a@x", 1, 1],
      ["b@x", 1, 0],
    ]);
  } finally {
    db.close();
    rmSync(dir, { recursive: true });
  }
});
