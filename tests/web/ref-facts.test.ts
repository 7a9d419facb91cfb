import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import type { TagService } from "../../src/content/tags/service.ts";
import { RefFacts } from "../../web/repos/ref-facts.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("a page does not wait for the times of tags: it offers them by name until they are known", async () => {
  const { user } = await aUser(server);
  const { id } = aRepo(server, user, { files: { "a.txt": "a\n" } });
  const { repos, tags, refLists, revisions, caches } = server.services;
  const seen = repos.seeById(operator, id)!;
  for (const name of ["b", "a"]) await tags.create(seen, { name });
  const found = Promise.withResolvers<string[]>();
  const slow = { newestNames: () => found.promise } as unknown as TagService;
  const now = repos.seeById(operator, id)!;
  const facts = new RefFacts(refLists, revisions, slow, caches);
  expect(await facts.choices(now)).toEqual({ branches: ["main"], tags: ["a", "b"], hasMore: false });
  const second = facts.choices(now);
  found.resolve(["b", "a"]);
  expect(await second).toEqual({ branches: ["main"], tags: ["b", "a"], hasMore: false });
  expect(await facts.choices(now)).toEqual({ branches: ["main"], tags: ["b", "a"], hasMore: false });
});
