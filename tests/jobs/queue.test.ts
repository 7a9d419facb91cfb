import { expect, test } from "bun:test";
import { aServer } from "../builders.ts";

test("a job for tomorrow does not hold up one that is due now", async () => {
  await using server = await aServer();
  const { jobs, db } = server.core;
  const ran = new Promise<unknown>((resolve) => jobs.handle("test.now", resolve));
  jobs.handle("test.later", () => {});
  db.transaction(() => {
    jobs.enqueue("test.now", { n: 1 });
    jobs.enqueue("test.later", {}, { delayMs: 86_400_000 });
  });
  expect(await ran).toEqual({ n: 1 });
});
