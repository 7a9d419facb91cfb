import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { JobQueue } from "../../src/jobs/queue.ts";
import type { JobChange, JobDefinition, JobRun } from "../../src/jobs/types.ts";
import { makeLog } from "../../src/kernel/log.ts";

interface Named {
  readonly name: string;
}

declare module "../../src/jobs/types.ts" {
  interface JobPayloads {
    "test.one": Named;
    "test.other": Named;
  }
}

const quiet = makeLog({ level: "error", format: "text", write: () => {} });
const DAY_MS = 86_400_000;

let dir: string;
let db: Database;
let now: number;
let jobs: JobQueue;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hearth-jobs-"));
  db = new Database(join(dir, "a.db"));
  migrate(db);
  now = Date.now();
  jobs = new JobQueue(db, quiet, () => now, undefined, { abortGraceMs: 20 });
});
afterEach(async () => {
  await jobs.stop(0);
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

function parse(payload: unknown): Named {
  if (typeof payload === "object" && payload !== null && "name" in payload && typeof payload.name === "string")
    return { name: payload.name };
  throw new Error("the job has no name");
}

function handle(
  kind: "test.one" | "test.other",
  run: (name: string, run: JobRun) => Promise<void> | void,
  rules: Partial<Omit<JobDefinition<"test.one">, "run" | "parse">> = {},
): void {
  jobs.handle(kind, { parse, run: ({ name }, active) => run(name, active), ...rules });
}

/** Jobs that have begun and wait to be let go on. */
class Gate {
  readonly begun: string[] = [];
  private readonly waiting = new Map<string, () => void>();
  private wake: () => void = () => {};

  readonly run = (name: string) => {
    this.begun.push(name);
    this.wake();
    return new Promise<void>((resolve) => this.waiting.set(name, resolve));
  };

  async untilBegun(count: number): Promise<void> {
    while (this.begun.length < count)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
  }

  release(name: string): void {
    this.waiting.get(name)?.();
  }
}

const states = () =>
  Object.fromEntries(
    db
      .query<{ name: string; state: string }>("SELECT payload ->> 'name' AS name, state FROM jobs ORDER BY id")
      .all()
      .map(({ name, state }) => [name, state]),
  );

/** Resolves when a job comes into that state. */
const untilOne = (state: JobChange["state"]) =>
  new Promise<JobChange>((resolve) => jobs.onChange((change) => change.state === state && resolve(change)));

const ignoresItsSignal = () => new Promise<void>(() => {});

test("a job for tomorrow does not hold up one that is due now", async () => {
  const ran = new Promise<string>((resolve) => handle("test.one", resolve));
  handle("test.other", () => {});
  jobs.start();
  db.transaction(() => {
    jobs.enqueue("test.one", { name: "now" });
    jobs.enqueue("test.other", { name: "later" }, { delayMs: DAY_MS });
  });
  expect(await ran).toBe("now");
});

test("a job of a transaction that was taken back does not exist", async () => {
  handle("test.one", () => {});
  expect(() =>
    db.transaction(() => {
      jobs.enqueue("test.one", { name: "never" });
      throw new Error("taken back");
    }),
  ).toThrow("taken back");
  await jobs.drain();
  expect(states()).toEqual({});
});

test("a job that was done stays listed, with when it ran", async () => {
  handle("test.one", () => {});
  jobs.enqueue("test.one", { name: "a" });
  await jobs.drain();
  const { items, total } = jobs.list({ state: "done" }, { limit: 10, offset: 0 });
  expect(total).toBe(1);
  expect(items).toMatchObject([
    { kind: "test.one", payload: '{"name":"a"}', state: "done", attempts: 1, startedAt: now, finishedAt: now },
  ]);
});

describe("how many run at the same time", () => {
  test("is limited for each kind, and a kind at its limit holds up no other", async () => {
    const gate = new Gate();
    handle("test.one", gate.run, { concurrency: 2 });
    handle("test.other", gate.run);
    for (const name of ["a", "b", "c"]) jobs.enqueue("test.one", { name });
    for (const name of ["x", "y"]) jobs.enqueue("test.other", { name });
    jobs.start();
    await gate.untilBegun(3);
    expect(states()).toEqual({ a: "running", b: "running", c: "waiting", x: "running", y: "waiting" });
    gate.release("x");
    await gate.untilBegun(4);
    gate.release("a");
    await gate.untilBegun(5);
    expect(gate.begun.slice(3)).toEqual(["y", "c"]);
    for (const name of ["b", "c", "y"]) gate.release(name);
  });

  test("is one for jobs of the same exclusion key, of whatever kind", async () => {
    const gate = new Gate();
    const exclusionKey = ({ name }: Named) => name.slice(0, 1);
    handle("test.one", gate.run, { concurrency: 5, exclusionKey });
    handle("test.other", gate.run, { concurrency: 5, exclusionKey });
    for (const name of ["a1", "a2", "b1"]) jobs.enqueue("test.one", { name });
    jobs.enqueue("test.other", { name: "a3" });
    jobs.start();
    await gate.untilBegun(2);
    expect(states()).toEqual({ a1: "running", a2: "waiting", b1: "running", a3: "waiting" });
    gate.release("a1");
    await gate.untilBegun(3);
    expect(states()).toMatchObject({ a2: "running", a3: "waiting" });
    gate.release("a2");
    await gate.untilBegun(4);
    for (const name of ["a3", "b1"]) gate.release(name);
  });
});

describe("a job that fails", () => {
  const failing = () => {
    throw new Error("it broke");
  };

  test("is tried again with growing waits, as often as its kind allows, and can be revived", async () => {
    let isBroken = true;
    handle("test.one", () => (isBroken ? failing() : undefined), {
      maxTries: 3,
      backoff: { firstMs: 1000, maxMs: 1500 },
    });
    jobs.enqueue("test.one", { name: "a" });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await jobs.drain();
      const [job] = jobs.list({}, { limit: 1, offset: 0 }).items;
      expect(job).toMatchObject({ attempts: attempt, lastError: "it broke" });
      waits.push((job?.runAt ?? 0) - now);
      now = job?.runAt ?? 0;
    }
    expect(waits).toEqual([1000, 1500, 0]);
    const [failed] = jobs.list({ state: "failed" }, { limit: 1, offset: 0 }).items;
    isBroken = false;
    jobs.retry(failed?.id ?? 0);
    await jobs.drain();
    expect(jobs.find(failed?.id ?? 0)).toMatchObject({ state: "done", attempts: 1 });
    expect(() => jobs.retry(failed?.id ?? 0)).toThrow("jobs.not-failed");
    expect(() => jobs.retry(99)).toThrow("jobs.not-found");
  });

  test("for a payload that its kind cannot read is not tried again", async () => {
    handle("test.one", () => {});
    jobs.enqueue("test.one", { name: "a" });
    db.query("UPDATE jobs SET payload = '{\"name\":7}'").run();
    await jobs.drain();
    expect(jobs.list({}, { limit: 1, offset: 0 }).items).toMatchObject([
      { state: "failed", attempts: 1, lastError: "the job has no name" },
    ]);
  });

  test("by killing the process has used a try up each time, and then rests", async () => {
    const path = join(dir, "killed.db");
    const own = new Database(path);
    migrate(own);
    own
      .query(
        "INSERT INTO jobs (kind, payload, run_at, created_at) VALUES ('test.deadly', ?, 0, 0), ('test.deadly', ?, 1, 1)",
      )
      .run('{"kills":true}', '{"kills":false}');
    const lives = async () => {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "killed-by-job.ts"), path]);
      await child.exited;
      return child.signalCode;
    };
    expect([await lives(), await lives(), await lives(), await lives()]).toEqual([
      "SIGKILL",
      "SIGKILL",
      "SIGKILL",
      null,
    ]);
    expect(own.query<object>("SELECT state, attempts, last_error FROM jobs ORDER BY id").all()).toEqual([
      { state: "failed", attempts: 3, last_error: "the server stopped while it ran" },
      { state: "done", attempts: 1, last_error: null },
    ]);
    own.close();
  });
});

describe("a job is aborted", () => {
  /** Ends when it is told to, as workers and requests do. */
  const obeys = (_: string, { signal }: JobRun) =>
    new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  test("at its time limit, and tried again", async () => {
    handle("test.one", obeys, { timeLimitMs: 5 });
    jobs.enqueue("test.one", { name: "a" });
    await jobs.drain();
    expect(jobs.list({}, { limit: 1, offset: 0 }).items).toMatchObject([
      { state: "waiting", attempts: 1, lastError: "the job timed out" },
    ]);
  });

  test("and is not waited for for ever when it does not end: the next of its key runs", async () => {
    const exclusionKey = () => "k";
    handle("test.one", ignoresItsSignal, { timeLimitMs: 5, maxTries: 1, exclusionKey });
    const ran = new Promise<string>((resolve) => handle("test.other", resolve, { exclusionKey }));
    jobs.enqueue("test.one", { name: "stuck" });
    jobs.enqueue("test.other", { name: "next" });
    jobs.start();
    expect(await ran).toBe("next");
    expect(states()).toMatchObject({ stuck: "failed" });
  });

  test("when an administrator cancels it, and is not tried again", async () => {
    handle("test.one", obeys);
    jobs.enqueue("test.one", { name: "a" });
    jobs.enqueue("test.one", { name: "b" });
    const cancelled = untilOne("cancelled");
    const running = untilOne("running");
    jobs.start();
    const { id } = await running;
    jobs.cancel(id + 1);
    jobs.cancel(id);
    expect((await cancelled).id).toBe(id);
    expect(states()).toEqual({ a: "cancelled", b: "cancelled" });
    expect(() => jobs.cancel(id)).toThrow("jobs.already-ended");
    expect(() => jobs.cancel(99)).toThrow("jobs.not-found");
  });

  test.each([
    ["ends", obeys],
    ["does not", ignoresItsSignal],
  ])("when the server stops, and waits for the next start without having lost a try: one that %s", async (_, run) => {
    handle("test.one", run);
    jobs.enqueue("test.one", { name: "a" });
    const running = untilOne("running");
    jobs.start();
    await running;
    await jobs.stop(10);
    expect(jobs.list({}, { limit: 1, offset: 0 }).items).toMatchObject([
      { state: "waiting", attempts: 0, lastError: "the server is stopping" },
    ]);
  });
});

test("progress stands with the job and is told to those who listen", async () => {
  const told: JobChange[] = [];
  handle("test.one", (_, run) => {
    run.progress("halfway", 50.4);
    expect(jobs.find(run.id)).toMatchObject({ progress: "halfway", percent: 50 });
  });
  jobs.onChange((change) => told.push(change));
  jobs.enqueue("test.one", { name: "a" });
  await jobs.drain();
  expect(told.map(({ state, progress, percent }) => ({ state, progress, percent }))).toEqual([
    { state: "running", progress: "", percent: undefined },
    { state: "running", progress: "halfway", percent: 50 },
    { state: "done", progress: "halfway", percent: 50 },
  ]);
});

test("a clock that is set forward does not start a job a second time", async () => {
  const gate = new Gate();
  handle("test.one", gate.run, { concurrency: 2 });
  jobs.enqueue("test.one", { name: "a" });
  jobs.start();
  await gate.untilBegun(1);
  now += 365 * DAY_MS;
  jobs.requeueInterrupted();
  jobs.enqueue("test.one", { name: "b" });
  await gate.untilBegun(2);
  expect(gate.begun).toEqual(["a", "b"]);
  const done = untilOne("done");
  gate.release("a");
  await done;
  gate.release("b");
});

test("ended jobs go after their time, some at once, those that wait stay", async () => {
  handle("test.one", () => {});
  for (const name of ["a", "b", "c"]) jobs.enqueue("test.one", { name });
  await jobs.drain();
  jobs.enqueue("test.one", { name: "d" }, { delayMs: 2 * DAY_MS });
  expect(jobs.prune(["done"], now, 10)).toBe(0);
  expect(jobs.prune(["failed"], now + DAY_MS, 10)).toBe(0);
  expect(jobs.prune(["done"], now + DAY_MS, 2)).toBe(2);
  expect(jobs.prune(["done"], now + DAY_MS, 2)).toBe(1);
  expect(states()).toEqual({ d: "waiting" });
});

test("what the queue asks all the time is answered by an index, however many jobs there are", () => {
  const planOf = (sql: string) =>
    db
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join("; ");
  const first =
    "SELECT id FROM jobs WHERE state = 'waiting' AND kind = 'k' AND run_at <= 1 ORDER BY run_at, id LIMIT 1";
  const due = "SELECT 1 FROM jobs WHERE state = 'waiting' AND run_at <= 1 LIMIT 1";
  const next = "SELECT min(run_at) FROM jobs WHERE state = 'waiting' AND run_at > 1";
  const running = "SELECT id FROM jobs WHERE state = 'running'";
  const page = "SELECT id FROM jobs WHERE state = 'failed' ORDER BY id DESC LIMIT 10 OFFSET 0";
  for (const sql of [first, due, next, running, page]) {
    expect(planOf(sql)).toMatch(/USING (COVERING )?INDEX/);
    expect(planOf(sql)).not.toContain("TEMP B-TREE");
  }
});
