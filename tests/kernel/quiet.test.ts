import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { whenQuiet } from "../../src/kernel/quiet.ts";

/** CPU the process has used so far, as it is told. */
let usedMs = 0;
let given = 0;
let stop = () => {};

beforeEach(() => {
  jest.useFakeTimers();
  usedMs = 100;
  given = 0;
  spyOn(process, "cpuUsage").mockImplementation(() => ({ user: usedMs * 1000, system: 0 }));
  stop = whenQuiet(() => given++);
});

afterEach(() => {
  stop();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

function work(ms: number): void {
  usedMs += ms;
}

test("a server that is left alone after its start gives back what that took, once", () => {
  jest.advanceTimersByTime(10_000);
  expect(given).toBe(0);
  jest.advanceTimersByTime(3_000);
  expect(given).toBe(1);
  jest.advanceTimersByTime(600_000);
  expect(given).toBe(1);
});

test("later, little work is not worth it, and more is after ten quiet seconds, long work after two", () => {
  jest.advanceTimersByTime(13_000);
  work(400);
  jest.advanceTimersByTime(60_000);
  expect(given).toBe(1);
  work(200);
  jest.advanceTimersByTime(9_000);
  expect(given).toBe(1);
  jest.advanceTimersByTime(4_500);
  expect(given).toBe(2);
  work(6_000);
  jest.advanceTimersByTime(4_500);
  expect(given).toBe(3);
});
