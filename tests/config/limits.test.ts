import { expect, test } from "bun:test";
import { join } from "node:path";
import { settingNames } from "../../src/config/schema.ts";

test("docs/operations.md lists every setting that is a limit", async () => {
  const text = await Bun.file(join(import.meta.dir, "../../docs/operations.md")).text();
  const limits = text.slice(text.indexOf("## Limits"), text.indexOf("## Look after it"));
  const known = settingNames.filter((name) => /(^|[._])(max|concurrent|connections)_|_seconds$|body_memory/.test(name));
  const missing = known.filter((name) => name !== "shutdown.grace_seconds" && !limits.includes(`\`${name}\``));
  expect(known.length).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});
