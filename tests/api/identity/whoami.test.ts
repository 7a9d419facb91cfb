import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aToken, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("a token says who asks, and a wrong one is refused everywhere", async () => {
  const ada = await aUser(server, { login: "Ada" });
  const seen = await call(server, "GET", "/api/v1/user", { token: ada.token });
  expect(seen.status).toBe(200);
  expect(seen.body["login"]).toBe("Ada");
  expect(seen.body["email"]).toBe("ada@example.org");
  const wrong = await call(server, "GET", "/api/v1/version", { token: "0".repeat(40) });
  expect([wrong.status, wrong.body["message"]]).toEqual([401, "invalid username, password or token"]);
  const anonymous = await call(server, "GET", "/api/v1/user");
  expect([anonymous.status, anonymous.body["message"]]).toEqual([401, "token is required"]);
  expect(anonymous.body["url"]).toBe(`${server.url}api/swagger`);
});

test("a token's scope is asked for", async () => {
  const bob = await aUser(server);
  const narrow = aToken(server, bob.user, ["read:repository"]);
  const refused = await call(server, "GET", "/api/v1/user", { token: narrow });
  expect(refused.status).toBe(403);
  expect(refused.body["message"]).toStartWith("token does not have at least one of required scope(s)");
});

test("builders make a repository with files", async () => {
  const carol = await aUser(server);
  const repo = aRepo(server, carol.user, {
    files: { "README.md": "# hello\n", "src/a/b.ts": "1\n", "src/c.ts": "2\n" },
  });
  expect(repo.isEmpty).toBe(false);
  expect(server.services.refs.find(repo.id, "refs/heads/main")?.oid).toHaveLength(40);
});
