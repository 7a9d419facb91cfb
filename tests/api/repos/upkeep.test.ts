import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { writeObjects } from "../../../src/git/objects/write.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("many loose objects are rolled into one pack, and what it replaced leaves the disk after its grace time", async () => {
  const { user, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "first" } });
  const dir = server.services.storage.dirOf(repo.id);
  // As many as hundreds of edits leave behind, without the edits.
  writeObjects(
    dir,
    Array.from({ length: 1_100 }, (_, at) => ({ type: "blob" as const, data: Buffer.from(`blob ${at}`) })),
  );
  const path = `/api/v1/repos/${user.login}/${repo.name}/contents/a.txt`;
  const sha = hashObject(SHA1, "blob", Buffer.from("first"));
  const body = { content: Buffer.from("second").toString("base64"), sha, message: "edit" };
  expect((await call(server, "PUT", path, { token, body })).status).toBe(200);
  const loose = () =>
    readdirSync(join(dir, "objects"))
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .flatMap((name) => readdirSync(join(dir, "objects", name)));
  const packs = () => readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack"));
  expect(loose().length).toBeGreaterThan(1000);
  // Refreshing enqueues the roll-up, which enqueues the clearing away; the queue runs them by itself, we only move their time.
  const { db, outbox, jobs } = server.services;
  outbox.dispatch();
  for (const end = Date.now() + 30_000; loose().length > 0 && Date.now() < end; ) {
    db.query("UPDATE jobs SET run_at = 0 WHERE state = 'waiting'").run();
    await jobs.drain();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(loose()).toEqual([]);
  expect(packs().length).toBe(1);
  const read = await call<{ content: string }>(server, "GET", path, { token });
  expect(Buffer.from(read.body.content, "base64").toString()).toBe("second");
  expect(server.errors).toEqual([]);
});
