import { expect, test } from "bun:test";
import { join } from "node:path";

/**
 * What a route of the API takes in its query is named once, by `asks` or `lists` (src/http/query.ts): its reading, its
 * refusals and its documentation are one definition. A handler that reads the address itself would be documented by hand.
 */

const root = join(import.meta.dir, "../..");

/**
 * Not of the API's document: git's protocol and those of package registries, pictures of pages, and credentials that may
 * stand in any address.
 */
const others = new Set(["src/avatars/api.ts", "src/identity/tokens/api.ts", "src/transport/api.ts"]);

test("routes of the API name what they take in their query", async () => {
  const reading: string[] = [];
  for await (const file of new Bun.Glob("src/**/*.ts").scan(root)) {
    if (/^src\/(http|packages\/registries)\//.test(file) || others.has(file)) continue;
    const source = await Bun.file(join(root, file)).text();
    if (/\bcall\.query\.(?:get|getAll|has)\(|\bpaging\([^)]*query/.test(source)) reading.push(file);
  }
  expect(reading).toEqual([]);
});

test("what stands outside of that is still there", async () => {
  for (const file of others) expect(await Bun.file(join(root, file)).text()).toContain("call.query.get(");
});
