import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("many edits are rolled into one pack, and what it replaced leaves the disk after its grace time", async () => {
  const { user, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "0" } });
  const path = `/api/v1/repos/${user.login}/${repo.name}/contents/a.txt`;
  let sha = hashObject("blob", Buffer.from("0"));
  for (let at = 1; at <= 340; at++) {
    const content = Buffer.from(`${at}`);
    const answer = await call(server, "PUT", path, {
      token,
      body: { content: content.toString("base64"), sha, message: `edit ${at}` },
    });
    expect(answer.status).toBe(200);
    sha = hashObject("blob", content);
  }
  const objects = join(server.services.storage.dirOf(repo.id), "objects");
  const loose = () =>
    readdirSync(objects)
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .flatMap((name) => readdirSync(join(objects, name)));
  expect(loose().length).toBeGreaterThan(1000);
  const { db, jobs } = server.services;
  const dueNow = () => db.query("UPDATE jobs SET run_at = 0 WHERE state = 'waiting'").run();
  server.services.outbox.dispatch();
  // Refreshing enqueues the roll-up, which enqueues the clearing away; the queue's own threads may take some of it.
  while (loose().length > 0) {
    dueNow();
    await jobs.drain();
    await call(server, "GET", "/api/v1/version");
  }
  expect(loose()).toEqual([]);
  expect(readdirSync(join(objects, "pack")).filter((name) => name.endsWith(".pack")).length).toBe(1);
  const read = await call<{ content: string }>(server, "GET", path, { token });
  expect(Buffer.from(read.body.content, "base64").toString()).toBe("340");
  expect(server.errors).toEqual([]);
}, 60_000);
