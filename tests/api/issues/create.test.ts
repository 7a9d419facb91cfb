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
