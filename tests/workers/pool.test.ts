import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HoldManner } from "../../src/workers/hold.job.ts";
import { JobTimedOut, WorkerPool } from "../../src/workers/pool.ts";
import { tempDir } from "../git/objects/real-git.ts";

const pool = new WorkerPool({ bulk: 2, interactive: 1, idleMs: 1000 });
afterAll(() => pool.close());

test("a job answers its result", async () => {
  expect(await pool.run("workers.echo", { text: "hello" })).toEqual({ text: "hello", bytes: 0 });
});

test("bytes stream through a job in both directions with backpressure", async () => {
  const job = pool.start("workers.echo", { text: "x" });
  const total = 20;
  const size = 1 << 20;
  const writing = (async () => {
    for (let at = 0; at < total; at++) await job.send(new Uint8Array(size).fill(at));
    job.end();
  })();
  let received = 0;
  for await (const chunk of job.output) {
    expect(chunk[0]).toBe(Math.floor(received / size));
    received += chunk.byteLength;
  }
  await writing;
  expect(received).toBe(total * size);
  expect((await job.result).bytes).toBe(total * size);
});

test("an aborted job fails and the next one runs", async () => {
  const job = pool.start("workers.echo", { text: "x" });
  await job.send(new Uint8Array(10));
  job.abort();
  expect(await job.result.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  expect((await pool.run("workers.echo", { text: "again" }, { lane: "bulk" })).text).toBe("again");
});

describe("a job that is aborted", () => {
  const hasty = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000, abortGraceMs: 200 });
  const patient = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000, abortGraceMs: 30_000 });
  afterAll(() => {
    hasty.close();
    patient.close();
  });

  async function held(from: WorkerPool, manner: HoldManner) {
    const dir = tempDir();
    const path = join(dir.path, "thing.lock");
    const notes: string[] = [];
    const holds = Promise.withResolvers<void>();
    const onNote = (note: string) => {
      notes.push(note);
      holds.resolve();
    };
    const job = from.start("workers.hold", { path, manner }, { onNote });
    job.end();
    await holds.promise;
    expect(existsSync(path)).toBe(true);
    return { dir, path, notes, job };
  }

  test.each(["polls", "waits"] as const)("hears of it where it %s and ends by itself", async (manner) => {
    const { dir, path, notes, job } = await held(patient, manner);
    job.abort();
    expect(await job.result.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
    expect(existsSync(path)).toBe(false);
    expect(notes).toEqual(["held", "given up"]);
    dir[Symbol.dispose]();
  });

  test("and does not hear is ended with its thread, and its locks are free when it fails", async () => {
    const { dir, path, notes, job } = await held(hasty, "is stalled");
    job.abort();
    expect((await hasty.run("workers.echo", { text: "meanwhile" }, { lane: "bulk" })).text).toBe("meanwhile");
    expect(await job.result.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
    expect(existsSync(path)).toBe(false);
    expect(notes).toEqual(["held"]);
    dir[Symbol.dispose]();
  });

  test("by a signal, as a job of the queue is, ends before the pool's stop is over", async () => {
    const own = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000, abortGraceMs: 30_000 });
    const { dir, path, job } = await held(own, "polls");
    const outcome = job.result.catch((error: unknown) => error);
    await own.stop();
    expect(existsSync(path)).toBe(false);
    expect(await outcome).toMatchObject({ name: "AbortError" });
    expect(() => own.start("workers.echo", { text: "late" })).toThrow("closed");
    own.close();
    dir[Symbol.dispose]();
  });
});

test("jobs that wait for their clients hold no one up", async () => {
  const silent = Array.from({ length: 3 }, () => pool.start("workers.echo", { text: "sends nothing" }));
  const deaf = Array.from({ length: 3 }, () => {
    const job = pool.start("workers.echo", { text: "reads nothing" });
    for (let sent = 0; sent < 8; sent++) job.send(new Uint8Array(1 << 20)).catch(() => {});
    job.end();
    return job;
  });
  expect((await pool.run("workers.echo", { text: "next" }, { lane: "bulk" })).text).toBe("next");
  for (const job of silent) job.end();
  for (const job of silent) expect((await job.result).bytes).toBe(0);
  for (const job of deaf) {
    await job.output.pipeTo(new WritableStream());
    expect((await job.result).bytes).toBe(8 << 20);
  }
});

test("a job that no one listens to is given up", async () => {
  const hasty = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000, stallTimeoutMs: 20 });
  const deaf = hasty.start("workers.echo", { text: "reads nothing" });
  for (let sent = 0; sent < 8; sent++) deaf.send(new Uint8Array(1 << 20)).catch(() => {});
  expect(deaf.result).rejects.toThrow("aborted");
  await deaf.result.catch(() => {});
  hasty.close();
});

test("a push that computes for too long fails, and one that waits for its client does not", async () => {
  const strict = new WorkerPool({ bulk: 2, interactive: 1, idleMs: 1000, workLimitMs: 2_000, abortGraceMs: 50 });
  const waits = strict.start("workers.echo", { text: "patient" }, { lane: "pushes" });
  await waits.send(new Uint8Array(10));
  await expect(strict.run("workers.burn", { ms: 60_000 }, { lane: "pushes" })).rejects.toBeInstanceOf(JobTimedOut);
  waits.end();
  const [{ bytes }] = await Promise.all([waits.result, new Response(waits.output).bytes()]);
  expect(bytes).toBe(10);
  strict.close();
});

test("a lane is quiet when it has had nothing to do for a moment, and no one waits for longer than they said", async () => {
  const { signal } = new AbortController();
  const busy = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  try {
    const job = busy.start("workers.echo", { text: "x" }, { lane: "maintenance" });
    await job.send(new Uint8Array(1));
    let isOver = false;
    const ended = job.result.then(() => {
      isOver = true;
    });
    for await (const _ of job.output) {
      const quiet = busy.quiet("maintenance", 600_000, signal).then(() => isOver);
      job.end();
      expect(await quiet).toBe(true);
    }
    await ended;
    const held = busy.start("workers.echo", { text: "x" }, { lane: "maintenance" });
    await busy.quiet("maintenance", 50, signal);
    held.abort();
    await held.result.catch(() => {});
    await expect(busy.quiet("maintenance", 600_000, AbortSignal.abort())).rejects.toThrow();
  } finally {
    busy.close();
  }
});
