import { expect, test } from "bun:test";
import { CacheBudget, textBytes } from "../../src/kernel/cache.ts";
import { newSeed, random } from "../random.ts";

/** As the budget counts an entry with a number as its key. */
const ENTRY = 160;

test("what was used longest ago goes first, in whichever cache it stands", () => {
  const budget = new CacheBudget(10 * (ENTRY + 100));
  const names = budget.cache<number, string>(() => 100);
  const pages = budget.cache<number, string>(() => 100);
  for (let n = 0; n < 5; n++) {
    names.set(n, `name ${n}`);
    pages.set(n, `page ${n}`);
  }
  expect(names.get(0)).toBe("name 0");
  pages.set(5, "page 5");
  names.set(5, "name 5");
  expect([pages.get(0), names.get(1), names.get(0)]).toEqual([undefined, undefined, "name 0"]);
  expect(budget.bytes).toBe(10 * (ENTRY + 100));
});

test("caches do not see each other's keys", () => {
  const budget = new CacheBudget(1 << 20);
  const [a, b] = [budget.cache<string, number>(() => 0), budget.cache<string, number>(() => 0)];
  a.set("x", 1);
  expect([a.get("x"), b.get("x")]).toEqual([1, undefined]);
  a.delete("x");
  expect([a.get("x"), budget.bytes]).toEqual([undefined, 0]);
});

test("a value that would push out a quarter of the rest is not kept, and a replaced one is counted once", () => {
  const budget = new CacheBudget(4000);
  const cache = budget.cache<string, string>(textBytes);
  cache.set("big", "x".repeat(1000));
  expect(cache.get("big")).toBeUndefined();
  cache.set("a", "x".repeat(200));
  cache.set("a", "y");
  expect([cache.get("a"), budget.bytes]).toEqual(["y", ENTRY + 1 + 2]);
  cache.set("a", "x".repeat(5000));
  expect([cache.get("a"), budget.bytes]).toEqual([undefined, 0]);
});

test("a budget of nothing keeps nothing", () => {
  const cache = new CacheBudget(0).cache<string, number>(() => 0);
  cache.set("x", 1);
  expect(cache.get("x")).toBeUndefined();
});

test("counts exactly what is there, whatever is done in which order", () => {
  const chance = random(newSeed());
  const capacity = 20_000;
  const budget = new CacheBudget(capacity);
  const caches = [1, 2, 3].map(() => budget.cache<number, { bytes: number }>(({ bytes }) => bytes));
  // The model: one list of all entries, the one used longest ago first.
  let model: { cache: number; key: number; bytes: number }[] = [];
  const is = (cache: number, key: number) => (entry: { cache: number; key: number }) =>
    entry.cache === cache && entry.key === key;
  for (let step = 0; step < 5_000; step++) {
    const [cache, key, bytes] = [3, 40, 6_000].map((below) => Math.floor(chance() * below)) as [number, number, number];
    const found = model.find(is(cache, key));
    const action = chance();
    if (action < 0.1) {
      caches[cache]?.delete(key);
      model = model.filter((entry) => entry !== found);
    } else if (action < 0.5) {
      expect(caches[cache]?.get(key)?.bytes).toBe(found?.bytes);
      if (found) model = [...model.filter((entry) => entry !== found), found];
    } else {
      caches[cache]?.set(key, { bytes });
      model = model.filter((entry) => entry !== found);
      if (bytes + ENTRY <= capacity / 4) model.push({ cache, key, bytes });
      while (model.reduce((sum, entry) => sum + entry.bytes + ENTRY, 0) > capacity) model.shift();
    }
    expect(budget.bytes).toBe(model.reduce((sum, entry) => sum + entry.bytes + ENTRY, 0));
  }
});

test("what a thread is lent is taken from the rest, which always keeps a quarter, and comes back", () => {
  const budget = new CacheBudget(8 * (ENTRY + 100));
  const cache = budget.cache<number, string>(() => 100);
  const fill = () => {
    for (let n = 0; n < 8; n++) cache.set(n, "");
    return budget.bytes / (ENTRY + 100);
  };
  expect(fill()).toBe(8);
  const loans = [budget.lend(1 / 8)];
  expect([loans[0]?.bytes, fill()]).toEqual([ENTRY + 100, 7]);
  for (let n = 0; n < 20; n++) loans.push(budget.lend(1 / 8));
  expect(fill()).toBe(2);
  for (const loan of loans) loan.end();
  expect(fill()).toBe(8);
  cache.clear();
  expect([budget.bytes, cache.get(7)]).toEqual([0, undefined]);
});
