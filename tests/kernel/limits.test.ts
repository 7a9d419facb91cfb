import { describe, expect, test } from "bun:test";
import { TooManyRequests } from "../../src/kernel/errors.ts";
import { RateLimiter } from "../../src/kernel/rate-limiter.ts";
import { Semaphore } from "../../src/kernel/semaphore.ts";

describe("at most so many in a time", () => {
  test("so many at once, then one each part of the time, per key", () => {
    let now = 1_000_000;
    const limiter = new RateLimiter({ limit: 3, windowMs: 3_000 }, () => now);
    expect([1, 2, 3, 4].map(() => limiter.tryTake("a"))).toEqual([0, 0, 0, 1_000]);
    expect(limiter.tryTake("b")).toBe(0);
    now += 999;
    expect(limiter.tryTake("a")).toBe(1);
    now += 1;
    expect([limiter.tryTake("a"), limiter.tryTake("a")]).toEqual([0, 1_000]);
    now += 60_000;
    expect([1, 2, 3, 4].map(() => limiter.tryTake("a"))).toEqual([0, 0, 0, 1_000]);
    limiter.forget("a");
    expect(limiter.tryTake("a")).toBe(0);
  });

  test("whoever has room is let in whatever the clock's fraction", () => {
    for (let step = 0; step < 1_000; step++) {
      const limiter = new RateLimiter({ limit: 7, windowMs: 60_000 }, () => 315_532_800_000 + step / 7);
      expect([1, 2, 3, 4, 5, 6, 7].map(() => limiter.tryTake("a"))).toEqual([0, 0, 0, 0, 0, 0, 0]);
      expect(limiter.tryTake("a")).toBeGreaterThan(8_000);
    }
  });

  test("says for how long, in whole seconds", () => {
    const limiter = new RateLimiter({ limit: 1, windowMs: 1_500 }, () => 0);
    limiter.take("a");
    try {
      limiter.take("a");
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(TooManyRequests);
      expect(error).toMatchObject({ code: "request.rate-limited", retryAfterSeconds: 2 });
    }
  });

  test("remembers a bounded number of keys", () => {
    const limiter = new RateLimiter({ limit: 1, windowMs: 1_000, maxKeys: 2 }, () => 0);
    for (const key of ["a", "b", "c"]) limiter.take(key);
    expect(["c", "b"].map((key) => limiter.tryTake(key))).toEqual([1_000, 1_000]);
    expect(limiter.tryTake("a")).toBe(0);
  });
});

describe("at most so many at once", () => {
  const never = new AbortController().signal;

  test("the others wait in line, in order, per key", async () => {
    const semaphore = new Semaphore<string>(1);
    const order: string[] = [];
    const leave = await semaphore.enter("x", never);
    const enter = async (name: string) => {
      const done = await semaphore.enter("x", never);
      order.push(name);
      return done;
    };
    const second = enter("second");
    const third = enter("third");
    (await semaphore.enter("y", never))();
    expect([order, semaphore.isTaken("y"), semaphore.isTaken("x")]).toEqual([[], false, true]);
    leave();
    (await second)();
    (await third)();
    expect([order, semaphore.isTaken("x")]).toEqual([["second", "third"], false]);
  });

  test("a line that is full refuses at once, and who goes away leaves it", async () => {
    const semaphore = new Semaphore<string>(1, 1);
    const leave = await semaphore.enter("x", never);
    const impatient = new AbortController();
    const waiting = semaphore.enter("x", impatient.signal);
    await expect(semaphore.enter("x", never)).rejects.toMatchObject({ status: 503, code: "server.busy" });
    impatient.abort();
    await expect(waiting).rejects.toThrow("went away");
    const next = semaphore.enter("x", never);
    leave();
    (await next)();
    expect(semaphore.isTaken("x")).toBe(false);
  });
});
