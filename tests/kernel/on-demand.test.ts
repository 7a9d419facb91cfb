import { expect, test } from "bun:test";
import { eachOnDemand, onDemand, whenMade } from "../../src/kernel/on-demand.ts";

class Counter {
  count = 0;
  #secret = 7;

  raise(by = 1): number {
    this.count += by;
    return this.count;
  }

  get secret(): number {
    return this.#secret;
  }
}

function pair() {
  const first = new Counter();
  return { first, second: { raiseFirst: () => first.raise() } };
}

test("what stands for an object makes it when it is first asked for something, and once", () => {
  let made = 0;
  const counter = onDemand(() => {
    made++;
    return new Counter();
  });
  expect(made).toBe(0);
  expect(counter.raise()).toBe(1);
  expect(counter.raise(2)).toBe(3);
  counter.count = 10;
  expect({ made, count: counter.count, secret: counter.secret }).toEqual({ made: 1, count: 10, secret: 7 });
  expect("count" in counter && counter instanceof Counter).toBe(true);
});

test("a method that is taken from it is the object's own, also once it was replaced", () => {
  const counter = onDemand(() => new Counter());
  const { raise } = counter;
  expect(raise()).toBe(1);
  counter.raise = () => 42;
  expect(counter.raise()).toBe(42);
});

test("what could not be made is tried again", () => {
  let tries = 0;
  const counter = onDemand(() => {
    if (++tries === 1) throw new Error("not yet");
    return new Counter();
  });
  expect(() => counter.raise()).toThrow("not yet");
  expect(counter.raise()).toBe(1);
});

test("things that are made together know each other, and are made for the first of them", () => {
  let made = 0;
  const { first, second } = eachOnDemand(
    () => {
      made++;
      return pair();
    },
    { first: true, second: true },
  );
  second.raiseFirst();
  expect({ made, count: first.count }).toEqual({ made: 1, count: 1 });
});

test("what is given to one of them reaches it before it does anything, through whichever it was made", () => {
  const given: string[] = [];
  const { first, second } = eachOnDemand(pair, { first: true, second: true });
  whenMade(first, (counter) => {
    given.push("early");
    counter.raise(100);
  });
  expect(given).toEqual([]);
  expect(second.raiseFirst()).toBe(101);
  whenMade(first, () => given.push("late"));
  whenMade(new Counter(), () => given.push("at once"));
  expect(given).toEqual(["early", "late", "at once"]);
});
