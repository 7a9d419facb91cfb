import { expect, test } from "bun:test";
import { RequestTurns } from "../../src/http/request-turns.ts";

/** Keeps the thread for so long, as the making of a page does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test("a client's crowd lets the event loop turn, and another's request begins in the first one", async () => {
  const turns = new RequestTurns();
  let loops = 0;
  const counting = setInterval(() => loops++, 0);
  const order: string[] = [];
  const request = (client: string, name: string): Promise<void> => {
    const answer = () => {
      order.push(name);
      work(3);
    };
    const turn = turns.enter(client);
    if (turn) return turn.then(answer);
    answer();
    return Promise.resolve();
  };
  const crowd = Array.from({ length: 40 }, (_, at) => request("a", `a${at}`));
  const other = request("b", "b");
  await other;
  const before = order.length;
  await Promise.all(crowd);
  clearInterval(counting);
  expect(before).toBeLessThan(10);
  expect(order.filter((name) => name !== "b")).toEqual(Array.from({ length: 40 }, (_, at) => `a${at}`));
  expect(loops).toBeGreaterThan(5);
});

test("whoever comes alone waits for nothing", async () => {
  const turns = new RequestTurns();
  expect(turns.enter("a")).toBeUndefined();
  expect(turns.enter("a")).toBeUndefined();
  expect(turns.enter("b")).toBeUndefined();
});
