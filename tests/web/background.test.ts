import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount, operator } from "../../src/access/principal.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { aServer, aToken, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Background work as administrators see it, over REST and pages; everyone else is refused, and nothing happens. */

const PAGE = "/-/admin/background";
let server: TestServer;
let root: TestUser;
let bob: TestUser;
let visitor: Visitor;

async function signedIn({ user }: TestUser): Promise<Visitor> {
  return aPageOf(server, user);
}

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { isAdmin: true });
  bob = await aUser(server);
  visitor = await signedIn(root);
});
afterAll(() => server.close());

const cron = (method: string, path = "", token = root.token) =>
  call(server, method, `/api/v1/admin/cron${path}`, { token });

test("cron tasks are listed and run by site administrators alone", async () => {
  const list = await call<{ name: string; next: string; exec_times: number }[]>(
    server,
    "GET",
    "/api/v1/admin/cron?limit=50",
    {
      token: root.token,
    },
  );
  expect(list.status).toBe(200);
  expect(list.headers.get("x-total-count")).toBe(String(list.body.length));
  const [task] = list.body;
  expect(Object.keys(task ?? {})).toEqual(["name", "schedule", "next", "prev", "exec_times"]);
  expect((await cron("POST", `/${task?.name}`)).status).toBe(204);
  const again = await call<{ name: string; exec_times: number }[]>(server, "GET", "/api/v1/admin/cron?limit=1", {
    token: root.token,
  });
  expect(again.body).toHaveLength(1);
  expect(again.body[0]?.exec_times).toBe((task?.exec_times ?? 0) + 1);
  expect((await cron("POST", "/no-such-task")).status).toBe(404);
  const publicOnly = aToken(server, root.user, ["public-only", "write:admin"]);
  for (const [token, status] of [
    ["", 401],
    [bob.token, 403],
    [publicOnly, 403],
    [aToken(server, root.user, ["read:admin"]), 403],
  ] as const)
    expect([status, (await cron("POST", `/${task?.name}`, token)).status]).toEqual([status, status]);
});

test("the page shows jobs and schedules, and discards, runs again and refuses", async () => {
  const { db, jobs } = server.core;
  db.query(
    `INSERT INTO jobs (kind, payload, state, attempts, last_error, run_at, created_at, finished_at)
     VALUES ('test.broken', '{}', 'failed', 3, 'it <b>broke</b>', 1, 1, 1)`,
  ).run();
  const failed = jobs.list({ state: "failed" }, { limit: 1, offset: 0 }).items[0]?.id ?? 0;
  const shown = await visitor.get(`${PAGE}?state=failed`);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain("it &lt;b&gt;broke");
  // Discarding is asked about in a dialog; running again is one press.
  expect(shown.text).toMatch(new RegExp(`<dialog[^>]*id="job-${failed}-stop"`));
  const [row, dialog] = shown.text.split(`id="job-${failed}-stop"`);
  expect(row).toContain('value="retry"');
  expect(row).not.toContain('value="discard"');
  expect(dialog).toContain("Discard test.broken #");
  expect(dialog).toContain('<input type="hidden" name="action" value="discard"/>');
  const stranger = await signedIn(bob);
  expect((await stranger.get(PAGE)).status).toBe(403);
  expect((await stranger.post(`${PAGE}/jobs`, { id: String(failed), action: "discard" })).status).toBe(403);
  expect(jobs.find(failed)).toBeDefined();
  expect((await visitor.post(`${PAGE}/jobs`, { id: String(failed), action: "cancel" })).location).toBe(PAGE);
  expect(wordsOf((await visitor.get(PAGE)).text)).toContain("The job has ended already.");
  expect((await visitor.post(`${PAGE}/jobs`, { id: String(failed), action: "discard" })).location).toBe(PAGE);
  expect(jobs.find(failed)).toBeUndefined();
  expect((await visitor.post(`${PAGE}/jobs`, { id: "99999999999999999999", action: "retry" })).status).toBe(404);
  expect((await visitor.post(`${PAGE}/schedules`, { name: "../x" })).status).toBe(404);
  expect((await visitor.post(`${PAGE}/events`, { consumer: "x", event: "1", action: "discard" })).status).toBe(404);
});

test("services refuse who may not, whoever calls them", async () => {
  const { accountCreation, identity, tokens, sessions, emails, admin, background } = server.services;
  const [mine, hers] = [asAccount(bob.user), root.user];
  const paging = { page: 1, limit: 9, offset: 0 };
  const refused = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Failure) return error.status;
      throw error;
    }
    return 200;
  };
  for (const work of [
    () => identity.edit(mine, hers, { fullName: "x" }),
    () => identity.edit(mine, bob.user, { isAdmin: true }),
    () => identity.edit(mine, bob.user, { email: "other@example.org" }),
    () => identity.rename(mine, hers, "renamed"),
    () => identity.remove(mine, hers),
    () => identity.setAvatar(mine, hers, "x"),
    () => accountCreation.create(mine, { login: "new", email: "new@example.org" }),
    () => tokens.create(mine, hers, "t", ["all"]),
    () => tokens.list(mine, hers, paging),
    () => tokens.remove(mine, hers, "1"),
    () => sessions.list(mine, hers.id),
    () => emails.list(mine, hers),
    () => emails.search(mine, { part: "" }, paging),
    () => admin.deleteUser(mine, hers, { purge: true }),
    () => background.listJobs(mine, undefined, paging),
  ])
    expect([String(work), await refused(work)]).toEqual([String(work), 403]);
  expect(identity.byId(hers.id)).toEqual(hers);
  expect(identity.byId(bob.user.id)).toEqual(bob.user);
});

test("signing out and deleting a token end what listens with them", async () => {
  const ada = await aUser(server);
  const principal = await server.services.authenticator.identify({
    authorization: `token ${ada.token}`,
    queryToken: null,
    sessionSecret: undefined,
    passcode: null,
    forGit: false,
    address: "",
  });
  server.core.live.declareTopic("test", () => true);
  const reader = server.services.live.subscribe("test:1", principal.principal).getReader();
  await reader.read();
  const token = server.services.tokens.list(operator, ada.user, { page: 1, limit: 1, offset: 0 }).items[0];
  server.services.tokens.remove(asAccount(ada.user), ada.user, String(token?.id));
  expect((await reader.read()).done).toBe(true);
});
