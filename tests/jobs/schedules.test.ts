import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { JobQueue } from "../../src/jobs/queue.ts";
import { Retention } from "../../src/jobs/retention.ts";
import { Schedules } from "../../src/jobs/schedules.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { aServer } from "../builders.ts";

declare module "../../src/jobs/types.ts" {
  interface JobPayloads {
    "test.nightly": Record<string, never>;
  }
}

const quiet = makeLog({ level: "error", format: "text", write: () => {} });
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Winter, far from any change of the hour. */
const NOON = new Date(2026, 0, 15, 12, 0, 0).getTime();
const NEXT_THREE = new Date(2026, 0, 16, 3, 0, 0).getTime();

let dir: string;
let db: Database;
let now: number;
let runs: number;
let jobs: JobQueue;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hearth-schedules-"));
  db = new Database(join(dir, "a.db"));
  migrate(db);
  now = NOON;
  runs = 0;
  jobs = new JobQueue(db, quiet, () => now);
  jobs.handle("test.nightly", {
    parse: () => ({}),
    run: () => {
      runs++;
    },
  });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

function nightly(cron = "0 3 * * *"): Schedules {
  const schedules = new Schedules(db, jobs, () => now, quiet);
  schedules.add({ name: "nightly", cron, kind: "test.nightly", payload: {} });
  return schedules;
}

async function pass(schedules: Schedules, to: number): Promise<void> {
  now = to;
  await schedules.runDue();
  await jobs.drain();
}

test("a schedule runs at its time, not when it is new", async () => {
  const schedules = nightly();
  await pass(schedules, NOON);
  expect(runs).toBe(0);
  expect(await schedules.list()).toEqual([
    {
      name: "nightly",
      cron: "0 3 * * *",
      nextRunAt: NEXT_THREE,
      lastRunAt: undefined,
      runs: 0,
      isIdle: false,
      isManual: false,
    },
  ]);
  await pass(schedules, NEXT_THREE - 1);
  expect(runs).toBe(0);
  await pass(schedules, NEXT_THREE);
  await pass(schedules, NEXT_THREE + 1);
  expect(runs).toBe(1);
  expect(await schedules.list()).toMatchObject([{ nextRunAt: NEXT_THREE + DAY_MS, lastRunAt: NEXT_THREE, runs: 1 }]);
});

test("what was missed while the server was down runs once", async () => {
  await pass(nightly(), NOON);
  await pass(nightly(), NOON + 30 * DAY_MS);
  await pass(nightly(), NOON + 30 * DAY_MS + 1);
  expect(runs).toBe(1);
});

test("a clock that is set back for an hour does not run it a second time that night", async () => {
  const schedules = nightly();
  await pass(schedules, NOON);
  await pass(schedules, NEXT_THREE);
  await pass(schedules, NEXT_THREE - HOUR_MS);
  await pass(schedules, NEXT_THREE);
  expect(runs).toBe(1);
  await pass(schedules, NEXT_THREE + DAY_MS);
  expect(runs).toBe(2);
});

test("a clock that was years ahead for a while does not keep it from running for years", async () => {
  const schedules = nightly();
  await pass(schedules, NOON);
  await pass(schedules, NOON + 10 * 365 * DAY_MS);
  expect(runs).toBe(1);
  await pass(schedules, NOON);
  await pass(schedules, NEXT_THREE);
  expect(runs).toBe(2);
});

test("a schedule whose words changed follows the new ones", async () => {
  await pass(nightly(), NOON);
  const hourly = nightly("@hourly");
  await pass(hourly, NOON);
  expect(await hourly.list()).toMatchObject([{ nextRunAt: NOON + HOUR_MS }]);
});

test("run now runs it now, and leaves its next time alone", async () => {
  const schedules = nightly();
  schedules.runNow("nightly");
  await jobs.drain();
  expect(runs).toBe(1);
  await pass(schedules, NOON);
  expect(await schedules.list()).toMatchObject([{ nextRunAt: NEXT_THREE, lastRunAt: NOON, runs: 1 }]);
  expect(() => schedules.runNow("nothing")).toThrow("schedules.not-found");
});

test("every schedule of the server has words that can be understood", async () => {
  await using server = await aServer();
  const found = await server.core.schedules.list();
  expect(found.map(({ name }) => name)).toContain("git_gc_repos");
  for (const { isManual, nextRunAt } of found)
    if (isManual) expect(nextRunAt).toBeUndefined();
    else expect(nextRunAt).toBeGreaterThan(Date.now());
});

test("what is old is pruned in the night, and what is not stays", async () => {
  await using server = await aServer({ "retention.activities_days": 0 });
  const { db: own, jobs: queue, schedules, outbox } = server.core;
  own.execute(
    `INSERT INTO users (id, login, lower_login, email, created_at, updated_at) VALUES (1, 'a', 'a', 'a@x', 1, 1);
     INSERT INTO repository_storage VALUES (1, 'live', 1);
     INSERT INTO repositories (id, owner_id, name, lower_name, created_at, updated_at) VALUES (1, 1, 'r', 'r', 1, 1);
     INSERT INTO git_folders (id, repo_id, kind, default_branch) VALUES (1, 1, 'code', 'main');
     INSERT INTO activities (event_id, actor_id, repo_id, kind, created_at) VALUES (1, 1, 1, 'push', 1);`,
  );
  const log = own.query("INSERT INTO ref_log (folder_id, name, at) VALUES (1, 'refs/heads/main', ?)");
  const event = own.query("INSERT INTO events (kind, payload, created_at) VALUES ('test.said', '{}', ?)");
  own.transaction(() => {
    for (let at = 0; at < 1_200; at++) log.run(at);
    for (const at of [1, Date.now()]) event.run(at);
    log.run(Date.now());
  });
  outbox.dispatch();
  const ended = new Promise<string>((resolve) =>
    queue.onChange(({ kind, state }) => {
      if (kind === "server.prune-history" && state !== "running") resolve(state);
    }),
  );
  schedules.runNow("prune_history");
  queue.wake(0);
  expect(await ended).toBe("done");
  const count = (table: string) => own.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect([count("ref_log"), count("events"), count("activities")]).toEqual([1, 1, 1]);
  expect(server.errors).toEqual([]);
});

test("a task that has nothing to do is listed with its next time, counts when it is run, and gives way to one that has", async () => {
  const schedules = nightly();
  schedules.addIdle({ name: "idle", cron: "0 3 * * *" });
  schedules.addIdle({ name: "nightly", cron: "0 4 * * *" });
  await pass(schedules, NOON);
  await pass(schedules, NEXT_THREE);
  schedules.runNow("idle");
  expect((await schedules.list()).map(({ name, cron, runs, isIdle }) => ({ name, cron, runs, isIdle }))).toEqual([
    { name: "idle", cron: "0 3 * * *", runs: 1, isIdle: true },
    { name: "nightly", cron: "0 3 * * *", runs: 1, isIdle: false },
  ]);
  const [idle] = await schedules.list();
  expect(idle?.nextRunAt).toBe(NEXT_THREE + DAY_MS);
  expect(jobs.list({ state: undefined }, { limit: 10, offset: 0 }).total).toBe(1);
});

test("what has a task of its own is removed by it, and by nothing else", async () => {
  const schedules = new Schedules(db, jobs, () => now, quiet);
  const retention = new Retention(jobs, schedules, () => now, quiet);
  const pruned: string[] = [];
  const prune = (name: string) => () => {
    pruned.push(name);
    return 0;
  };
  retention.add({ name: "notes", days: 1, prune: prune("notes") });
  retention.add({ name: "deliveries", days: 1, task: "cleanup_hook_task_table", prune: prune("deliveries") });
  schedules.runNow("cleanup_hook_task_table");
  await jobs.drain();
  expect(pruned).toEqual(["deliveries"]);
  schedules.runNow("prune_history");
  await jobs.drain();
  expect(pruned).toEqual(["deliveries", "notes"]);
});
