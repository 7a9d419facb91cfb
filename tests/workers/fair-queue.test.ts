import { expect, test } from "bun:test";
import { FairQueue } from "../../src/workers/fair-queue.ts";
import { JobTimedOut, WorkerPool } from "../../src/workers/pool.ts";

const task = (name: string, ...shares: string[]) => ({ name, shares });

test("first come, first served, within each one's share", () => {
  const queue = new FairQueue<ReturnType<typeof task>>(1);
  const [one, two, other] = [task("one", "client:a"), task("two", "client:a"), task("other", "client:b", "repo:1")];
  for (const waiting of [one, two, other, task("third", "client:c", "repo:1")]) queue.push(waiting);
  expect([queue.next()?.name, queue.next()?.name, queue.next()?.name]).toEqual(["one", "other", undefined]);
  expect([queue.hasNext(), queue.length]).toEqual([false, 2]);
  queue.done(one);
  expect(queue.next()?.name).toBe("two");
  queue.done(other);
  expect(queue.next()?.name).toBe("third");
});

test("who leaves the line takes nothing", () => {
  const queue = new FairQueue<ReturnType<typeof task>>(1);
  const gone = task("gone", "client:a");
  queue.push(gone);
  expect([queue.remove(gone), queue.remove(gone), queue.next()]).toEqual([true, false, undefined]);
});

test("one client's jobs leave a thread to the others", async () => {
  const pool = new WorkerPool({ bulk: 1, interactive: 2, idleMs: 1000 });
  const busy = Array.from({ length: 4 }, () =>
    pool.asClient("203.0.113.1", () => pool.start("workers.burn", { ms: 60_000 }, { lane: "interactive" })),
  );
  for (const job of busy) {
    job.end();
    job.result.catch(() => {});
  }
  const other = pool.asClient("198.51.100.1", () => pool.run("workers.echo", { text: "here" }));
  expect((await other).text).toBe("here");
  pool.close();
});

test("a job that takes too long ends, and so does one that waits too long for a thread", async () => {
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  const began = performance.now();
  const long = pool.run("workers.burn", { ms: 60_000 }, { timeoutMs: 200 });
  const behind = pool.run("workers.burn", { ms: 60_000 }, { timeoutMs: 10 });
  await expect(long).rejects.toBeInstanceOf(JobTimedOut);
  await expect(behind).rejects.toBeInstanceOf(JobTimedOut);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect((await pool.run("workers.echo", { text: "again" })).text).toBe("again");
  pool.close();
});
