import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { HEARTH_VERSION } from "../../src/version.ts";
import { aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { unzipped } from "../unzipped.ts";
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
  const words = wordsOf((await page.get(`${MONITOR}?token=unspoken`)).text);
  expect(words).toContain(`GET ${MONITOR}`);
  expect(words).not.toContain("unspoken");
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

test("a diagnosis is a zip of what administrators see, without secrets, addresses and what jobs are about", async () => {
  server.core.jobs.enqueue("server.prune", { task: "nothing" });
  const cookie = await aSession(server, root.user);
  const answer = await fetch(`${server.url}/-/admin/monitor/diagnosis`, { headers: { cookie } });
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
    200,
    "application/zip",
    "no-store",
  ]);
  const files = new Map(unzipped(await answer.bytes()).map(({ content, name }) => [name, content]));
  const names = ["overview", "settings", "self-check", "process", "requests", "jobs", "schedules", "events-set-aside"];
  expect([...files.keys()]).toEqual(names.map((name) => `hearth-diagnosis/${name}.json`));
  const read = (name: string) => JSON.parse(files.get(`hearth-diagnosis/${name}.json`) ?? "");
  expect(read("overview").versions.hearth).toBe(HEARTH_VERSION);
  expect(read("requests").map(({ path }: { path: string }) => path)).toEqual(["/-/admin/monitor/diagnosis"]);
  expect(read("requests")[0]).not.toHaveProperty("address");
  expect(read("settings").length).toBeGreaterThan(50);
  const all = [...files.values()].join("\n");
  for (const hidden of ["payload", root.user.email, root.token]) expect(all).not.toContain(hidden);
  const stranger = await aPageOf(server, (await aUser(server)).user);
  expect((await stranger.get("/-/admin/monitor/diagnosis")).status).toBe(403);
});

test("a test of the caches says what they hold", async () => {
  const tested = await page.post("/-/admin/config/test_cache");
  expect([tested.status, tested.location]).toEqual([303, "/-/admin/config"]);
  expect(wordsOf((await page.get("/-/admin/config")).text)).toMatch(/The cache works/);
});
