import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aServer, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";

/** What is noted of an account's packages besides the packages: what they take, and its name. */

let server: TestServer;
let root: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("what packages take is counted again every night", async () => {
  const owner = await aUser(server);
  const path = `/api/packages/${owner.login}/generic/tools/1.0/a.bin`;
  expect((await call(server, "PUT", path, { token: owner.token, body: "0123456789" })).status).toBe(201);
  const used = () =>
    server.core.db
      .query<{ packages: number }>("SELECT packages FROM account_usage WHERE user_id = ?")
      .get(owner.user.id)?.packages;
  expect(used()).toBe(10);
  server.core.db.query("UPDATE account_usage SET packages = 77 WHERE user_id = ?").run(owner.user.id);
  expect((await api("POST", "/admin/cron/check_repo_stats", root)).status).toBe(204);
  await settled(server);
  expect(used()).toBe(10);
});
