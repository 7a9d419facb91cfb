import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** What the server does now, as administrators see it. */

let server: TestServer;
let root: TestUser;
let page: Visitor;
beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  page = await aPageOf(server, root.user);
});
afterAll(() => server?.close());

const MONITOR = "/-/admin/monitor/stats";

test("requests that are being answered are named by their declared path, without what they were sent", async () => {
  const words = wordsOf((await page.get(`${MONITOR}?token=secret`)).text);
  expect(words).toContain(`GET ${MONITOR}`);
  expect(words).not.toContain("secret");
  expect(words).toMatch(/Maintenance 0 of \d+/);
  // Nothing is left of what ended, whichever way.
  await page.get("/nobody/nothing");
  await call(server, "POST", "/api/v1/user/repos", { token: root.token, body: { name: "" } });
  expect(server.core.requests.list()).toEqual([]);
});

test("jobs in threads are shown while they run", async () => {
  const { pool } = server.core;
  const held = Promise.withResolvers<void>();
  const job = pool.start(
    "workers.hold",
    { path: join(server.core.config.data, "held"), manner: "waits" },
    { lane: "maintenance", onNote: (note) => note === "held" && held.resolve() },
  );
  job.end();
  await held.promise;
  const words = wordsOf((await page.get("/-/admin/system_status")).text);
  expect(words).toMatch(/Maintenance 1 of \d+ workers\.hold/);
  job.abort();
  await job.result.catch(() => {});
  expect(wordsOf((await page.get("/-/admin/system_status")).text)).not.toContain("workers.hold");
});

test("it is the administrators' alone, under the addresses of the dialect too", async () => {
  const stranger = await aPageOf(server, (await aUser(server)).user);
  for (const path of [MONITOR, "/-/admin/system_status", "/-/admin/monitor/queue"])
    expect([path, (await stranger.get(path)).status]).toEqual([path, 403]);
  expect((await page.get("/-/admin/monitor/stacktrace")).location).toBe(MONITOR);
  expect((await page.get("/admin/monitor/queue")).location).toBe("/-/admin/monitor/queue");
});
