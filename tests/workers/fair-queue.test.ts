import { expect, test } from "bun:test";
import { FairQueue } from "../../src/workers/fair-queue.ts";
import { JobTimedOut, WorkerPool } from "../../src/workers/pool.ts";

const task = (name: string, ...shares: string[]) => ({ name, shares });

test("first come, first served, within each one's share, and who has nothing at work before who has", () => {
  const queue = new FairQueue<ReturnType<typeof task>>(2);
  const names = ["one a", "two a", "three a", "one b 1", "one c 1"];
  for (const name of names) {
    const [, client, repo] = name.split(" ");
    queue.push(task(name, `client:${client}`, ...(repo === undefined ? [] : [`repo:${repo}`])));
  }
  const atWork = new Map<string, number>();
  const takenNext = () => {
    const taken = queue.next(atWork);
    for (const share of taken?.shares ?? []) atWork.set(share, (atWork.get(share) ?? 0) + 1);
    return taken?.name;
  };
  expect(Array.from(names, takenNext)).toEqual(["one a", "one b 1", "two a", "one c 1", undefined]);
  atWork.set("client:a", 1);
  expect(queue.next(atWork, ({ name }) => name !== "three a")).toBeUndefined();
  expect([takenNext(), queue.length]).toEqual(["three a", 0]);
});

test("who leaves the line takes nothing", () => {
  const queue = new FairQueue<ReturnType<typeof task>>(1);
  const gone = task("gone", "client:a");
  queue.push(gone);
  expect([queue.remove(gone), queue.remove(gone), queue.next(new Map())]).toEqual([true, false, undefined]);
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

test.each(["bulk", "pushes"] as const)("one client's %s leave a thread to the others", async (lane) => {
  const pool = new WorkerPool({ bulk: 2, interactive: 1, idleMs: 1000 });
  const start = (client: string, ms: number, share?: string) =>
    pool.asClient(client, () => {
      const job = pool.start("workers.burn", { ms }, { lane, ...(share === undefined ? {} : { share }) });
      job.end();
      job.result.catch(() => {});
      return job;
    });
  const busy = Array.from({ length: 4 }, () => start("203.0.113.1", 60_000));
  await start("198.51.100.1", 1).result;
  for (const job of busy) job.abort();
  // An account counts wherever it comes from.
  for (const client of ["198.51.100.2", "198.51.100.3"]) start(client, 60_000, "account:1");
  await start("198.51.100.4", 1, "account:2").result;
  pool.close();
});

test("maintenance that has a deadline waits for its thread as long as it must", async () => {
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  const before = pool.run("workers.burn", { ms: 3_000 }, { lane: "maintenance" });
  const behind = pool.run("workers.echo", { text: "at last" }, { lane: "maintenance", timeoutMs: 2_000 });
  expect((await behind).text).toBe("at last");
  await before;
  pool.close();
});

test("a job that takes too long ends, and so does one that waits too long for a thread", async () => {
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  const long = pool.run("workers.burn", { ms: 60_000 }, { timeoutMs: 200 });
  const behind = pool.run("workers.burn", { ms: 60_000 }, { timeoutMs: 10 });
  await expect(long).rejects.toBeInstanceOf(JobTimedOut);
  await expect(behind).rejects.toBeInstanceOf(JobTimedOut);
  expect((await pool.run("workers.echo", { text: "again" })).text).toBe("again");
  pool.close();
});
