import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { JobQueue } from "../../src/jobs/queue.ts";
import { Schedules } from "../../src/jobs/schedules.ts";
import { ClockWatch } from "../../src/kernel/clock-watch.ts";
import { makeLog } from "../../src/kernel/log.ts";

/** A system's clock that is set while there are jobs and schedules. */

declare module "../../src/jobs/types.ts" {
  interface JobPayloads {
    "test.clock": { readonly name: string };
  }
}

const quiet = makeLog({ level: "error", format: "text", write: () => {} });
const DAY_MS = 86_400_000;
const DECADE_MS = 3_652 * DAY_MS;
const NOON = new Date(2026, 0, 15, 12, 0, 0).getTime();

let dir: string;
let db: Database;
let now: number;
let steady: number;
let watch: ClockWatch;
let jobs: JobQueue;
let ran: string[];
let fails: boolean;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hearth-clock-"));
  db = new Database(join(dir, "a.db"));
  migrate(db);
  [now, steady, ran, fails] = [NOON, 0, [], false];
  watch = new ClockWatch(
    () => now,
    () => steady,
  );
  jobs = new JobQueue(db, quiet, () => now);
  jobs.handle("test.clock", {
    parse: (payload) => payload as { name: string },
    run: ({ name }) => {
      if (fails) throw new Error("not yet");
      ran.push(name);
    },
  });
});
afterEach(async () => {
  await jobs.stop(0);
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

function pass(ms: number): void {
  now += ms;
  steady += ms;
}

const waits = () =>
  db.query<{ runAt: number }>("SELECT run_at AS runAt FROM jobs WHERE state = 'waiting'").all()[0]?.runAt;

/** As every half minute; the queue is at work for no longer than it takes to look. */
async function look(): Promise<void> {
  const before = waits();
  jobs.start();
  for (let turns = 0; turns < 200 && waits() === before; turns++) await Bun.sleep(5);
  await jobs.stop(0);
}

describe("a job that a clock ten years ahead planned", () => {
  test("waits no longer than it was to wait once the clock is right", async () => {
    now += DECADE_MS;
    jobs.enqueue("test.clock", { name: "a" }, { uniqueKey: "one", delayMs: 60_000 });
    now -= DECADE_MS;
    await look();
    expect(waits()).toBe(now + 60_000);
    pass(60_000);
    await jobs.drain();
    expect(ran).toEqual(["a"]);
    jobs.enqueue("test.clock", { name: "b" }, { uniqueKey: "one" });
    await jobs.drain();
    expect(ran).toEqual(["a", "b"]);
  });

  test("and tried is tried again as soon as it was to be", async () => {
    fails = true;
    jobs.enqueue("test.clock", { name: "a" });
    now += DECADE_MS;
    await jobs.drain();
    const waitMs = (waits() ?? 0) - now;
    expect(waitMs).toBeGreaterThan(0);
    now -= DECADE_MS;
    await look();
    expect(waits()).toBe(now + waitMs);
  });

  test("is left as it is by a clock that is right: what waits for long waits", async () => {
    jobs.enqueue("test.clock", { name: "a" }, { delayMs: 30 * DAY_MS });
    jobs.requeueInterrupted();
    jobs.start();
    jobs.enqueue("test.clock", { name: "b" });
    for (let turns = 0; turns < 1000 && ran.length === 0; turns++) await Bun.sleep(5);
    expect([ran, waits()]).toEqual([["b"], NOON + 30 * DAY_MS]);
  });
});

describe("schedules", () => {
  const both = () => {
    const schedules = new Schedules(db, jobs, () => now, quiet, watch);
    const rest = { cron: "0 3 * * *", kind: "test.clock" } as const;
    schedules.add({ ...rest, name: "adds", payload: { name: "adds" } });
    schedules.add({ ...rest, name: "removes", payload: { name: "removes" }, removesByAge: true });
    return schedules;
  };
  const due = async (schedules: Schedules) => {
    await schedules.runDue();
    await jobs.drain();
    return ran.splice(0);
  };

  test("that remove what is old wait for a day when the clock was set forward by more than one", async () => {
    const schedules = both();
    await due(schedules);
    now += DECADE_MS;
    expect(await due(schedules)).toEqual(["adds"]);
    pass(DAY_MS / 2);
    await due(schedules);
    pass(DAY_MS);
    expect((await due(schedules)).sort()).toEqual(["adds", "removes"]);
  });

  test("that remove what is old do so again as soon as the clock is put right", async () => {
    const schedules = both();
    await due(schedules);
    now += DECADE_MS;
    await due(schedules);
    now -= DECADE_MS;
    await due(schedules);
    pass(DAY_MS);
    expect((await due(schedules)).sort()).toEqual(["adds", "removes"]);
  });

  test("that remove what is old wait for a day after a start that finds itself years later", async () => {
    const before = both();
    await due(before);
    pass(DAY_MS);
    await due(before);
    now += DECADE_MS;
    watch = new ClockWatch(
      () => now,
      () => steady,
    );
    const schedules = both();
    schedules.start();
    schedules.stop();
    expect(await due(schedules)).toEqual(["adds"]);
  });

  test("that remove what is old do not wait after a night that was missed", async () => {
    const schedules = both();
    await due(schedules);
    pass(DAY_MS);
    expect((await due(schedules)).sort()).toEqual(["adds", "removes"]);
  });
});

describe("the watch on the clock", () => {
  test("tells by how much it was set, once, and minds no small correction", () => {
    const heard: number[] = [];
    watch.onSet((byMs) => heard.push(byMs));
    pass(DAY_MS);
    watch.look();
    now += 2_000;
    watch.look();
    now -= 3_600_000;
    watch.look();
    watch.look();
    now += DECADE_MS;
    watch.look();
    expect(heard).toEqual([-3_598_000, DECADE_MS]);
    expect(watch.isInDoubt).toBe(true);
  });
});
