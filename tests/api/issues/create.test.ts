import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let olga: TestUser;

beforeAll(async () => {
  server = await aServer();
  olga = await aUser(server, { login: "olga" });
  aRepo(server, olga.user, { name: "plans" });
});
afterAll(() => server.close());

test("ten at once get the numbers that follow, without a gap", async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      call<{ number: number; state: string; user: { login: string } }>(
        server,
        "POST",
        "/api/v1/repos/olga/plans/issues",
        { token: olga.token, body: { title: ` Plan ${at} ` } },
      ),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(made.map(({ body }) => body.number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const shown = await call<{ title: string }>(server, "GET", "/api/v1/repos/olga/plans/issues/1");
  expect(shown.body).toMatchObject({ title: expect.stringMatching(/^Plan \d$/), state: "open", pull_request: null });
  const repo = await call<{ open_issues_count: number }>(server, "GET", "/api/v1/repos/olga/plans");
  expect(repo.body.open_issues_count).toBe(10);
});

test("what a new issue is planned with is told of in the order of the reference", async () => {
  const at = "/api/v1/repos/olga/plans";
  const ask = <T>(method: string, path: string, body?: unknown) =>
    call<T>(server, method, `${at}/${path}`, { token: olga.token, body });
  const label = await ask<{ id: number }>("POST", "labels", { name: "big", color: "#00aabb" });
  const milestone = await ask<{ id: number }>("POST", "milestones", { title: "1.0" });
  const planned = { labels: [label.body.id], milestone: milestone.body.id, assignees: ["olga"] };
  const made = await ask<{ number: number }>("POST", "issues", { title: "Planned", ...planned });
  const entries = await ask<{ type: string }[]>("GET", `issues/${made.body.number}/timeline`);
  expect(entries.body.map(({ type }) => type)).toEqual(["milestone", "label", "assignees"]);
});
