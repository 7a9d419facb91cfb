import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { anonymous, asAccount, operator, type Principal } from "../../src/access/principal.ts";
import { aServer, aUser, type TestServer } from "../builders.ts";

declare module "../../src/jobs/types.ts" {
  interface JobPayloads {
    "test.hold": { readonly path: string };
  }
}

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const page = { page: 1, limit: 10, offset: 0 };

describe("is closed to everyone but site administrators:", () => {
  const doors: Record<string, (who: Principal) => unknown> = {
    "the list of jobs": (who) => server.services.background.listJobs(who, undefined, page),
    "cancelling a job": (who) => server.services.background.cancelJob(who, 1),
    "running a job again": (who) => server.services.background.retryJob(who, 1),
    "the list of schedules": (who) => server.services.background.listSchedules(who),
    "running a schedule": (who) => server.services.background.runSchedule(who, "git_gc_repos"),
    "the list of events that were set aside": (who) => server.services.background.listSetAside(who, page),
    "trying an event again": (who) => server.services.background.retrySetAside(who, "activity", 1),
    "giving an event up": (who) => server.services.background.discardSetAside(who, "activity", 1),
    "news of jobs": (who) => server.services.live.subscribe("jobs", who),
  };
  test.each(Object.entries(doors))("%s", async (name, open) => {
    const { user } = await aUser(server);
    const publicOnly = { ...asAccount({ ...user, isAdmin: true }), scope: { categories: {}, publicOnly: true } };
    const refusal = name === "news of jobs" ? "not-found" : "access.site-admin-required";
    for (const who of [anonymous, asAccount(user), publicOnly])
      expect(await Promise.try(() => open(who)).catch(String)).toContain(refusal);
    // What is not there is told to those who may ask.
    const outcome = await Promise.try(() => open(operator)).catch(String);
    expect(String(outcome)).not.toContain(refusal === "not-found" ? "not-found" : "site-admin");
  });
});

test("an administrator follows a job that works in a thread, and stops it there", async () => {
  const { background, live, pool } = server.services;
  const { jobs } = server.core;
  const path = join(server.dataDir, "held.lock");
  const holds = Promise.withResolvers<void>();
  jobs.handle("test.hold", {
    parse: (payload) => payload as { path: string },
    run: async (input, run) => {
      const onNote = (note: string) => {
        run.progress(note, 10);
        holds.resolve();
      };
      const job = pool.start("workers.hold", { ...input, manner: "polls" }, { signal: run.signal, onNote });
      job.end();
      await job.result;
    },
  });
  const news = live.subscribe("jobs", operator);
  jobs.enqueue("test.hold", { path });
  await holds.promise;
  expect(existsSync(path)).toBe(true);
  const [running] = background.listJobs(operator, "running", page).items;
  expect(running).toMatchObject({ kind: "test.hold", progress: "held", percent: 10 });
  background.cancelJob(operator, running?.id ?? 0);
  let heard = "";
  const decoder = new TextDecoder();
  for await (const part of news) {
    heard += decoder.decode(part, { stream: true });
    if (heard.includes('"cancelled"')) break;
  }
  expect(heard).toContain(`event: job.changed\ndata: {"id":${running?.id},"kind":"test.hold","state":"running"`);
  expect(existsSync(path)).toBe(false);
  expect(background.listJobs(operator, "cancelled", page).items).toMatchObject([{ kind: "test.hold" }]);
});
