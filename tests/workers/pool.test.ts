import { afterAll, expect, test } from "bun:test";
import { WorkerPool } from "../../src/workers/pool.ts";

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
  await expect(job.result).rejects.toThrow("aborted");
  expect((await pool.run("workers.echo", { text: "again" }, { lane: "bulk" })).text).toBe("again");
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
