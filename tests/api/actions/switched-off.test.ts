import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";

/** A site that has Actions switched off (contract actions.md 1.4). */

let server: TestServer;
let ada: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "actions.enabled": false });
  ada = await aUser(server, { login: "ada", isAdmin: true });
});
afterAll(() => server.close());

const workflow = "on: push\njobs:\n  b:\n    runs-on: self\n    steps: [{ run: a }]\n";

test("starts nothing", async () => {
  const repo = aRepo(server, ada.user, { files: { "README.md": "1", ".gitea/workflows/a.yml": workflow } });
  const body = { content: "", message: "a change", branch: "main" };
  expect((await api("POST", `/repos/ada/${repo.name}/contents/x`, ada, body)).status).toBe(201);
  await settled(server);
  const rows = (table: string) => server.core.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect([rows("actions_happenings"), rows("actions_runs")]).toEqual([0, 0]);
});

test("has nothing of it, for its administrators either", async () => {
  const repo = aRepo(server, ada.user, { files: { ".gitea/workflows/a.yml": workflow } });
  const path = `/repos/ada/${repo.name}/actions`;
  const asked = [
    ...["runs", "jobs", "tasks", "workflows", "secrets", "variables", "runners", "artifacts"].map(
      (rest) => `${path}/${rest}`,
    ),
    "/user/actions/variables",
    "/user/actions/runners",
    "/admin/actions/runners",
  ];
  for (const one of asked) expect([one, (await api("GET", one, ada)).status]).toEqual([one, 404]);
  const dispatch = await api("POST", `${path}/workflows/a.yml/dispatches`, ada, { ref: "main" });
  expect(dispatch.status).toBe(404);
  expect((await api("GET", `${path}/runs`, undefined)).status).toBe(404);
});

test("answers no runner", async () => {
  for (const rpc of [
    "ping.v1.PingService/Ping",
    "runner.v1.RunnerService/Register",
    "runner.v1.RunnerService/FetchTask",
  ]) {
    const answer = await call(server, "POST", `/api/actions/${rpc}`, {
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([rpc, answer.status]).toEqual([rpc, 404]);
  }
});

test("has no pages of it, and no way to them", async () => {
  const repo = aRepo(server, ada.user, { files: { ".gitea/workflows/a.yml": workflow } });
  const home = `/ada/${repo.name}`;
  for (const path of [
    `${home}/actions`,
    `${home}/settings/actions/general`,
    "/-/admin/actions/runners",
    `${home}/actions/workflows/a.yml/badge.svg`,
  ])
    expect([path, (await call(server, "GET", path, { basic: [ada.login, ada.token] })).status]).toEqual([path, 404]);
  const page = await call(server, "GET", home);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain(`${home}/actions"`);
});
