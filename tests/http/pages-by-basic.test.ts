import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aToken, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** Two pages share their address with feeds, and open by HTTP Basic as those do (contract web.md 0.2). */

let server: TestServer;
let ada: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", password: true, visibility: "private" });
  aRepo(server, ada.user, { name: "vault", isPrivate: true, files: { "README.md": "# Vault\n" } });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const statusOf = async (path: string, options: Parameters<typeof call>[3]) =>
  (await call(server, "GET", path, options)).status;

test("the page of an account and the home of a repository open by HTTP Basic, no other page does", async () => {
  const secret = aToken(server, ada.user, ["read:repository", "read:user"]);
  for (const path of ["/ada", "/ada/vault"]) {
    expect([path, await statusOf(path, {})]).toEqual([path, 404]);
    expect([path, await statusOf(path, { basic: ["ada", ada.password] })]).toEqual([path, 200]);
    expect([path, await statusOf(path, { basic: ["ada", secret] })]).toEqual([path, 200]);
    expect([path, await statusOf(path, { token: secret })]).toEqual([path, 404]);
    expect([path, await statusOf(path, { basic: ["ada", "wrong"] })]).toEqual([path, 401]);
  }
  const narrow = aToken(server, ada.user, ["read:issue"]);
  expect(await statusOf("/ada/vault", { basic: ["ada", narrow] })).toBe(403);
  expect(await statusOf("/ada/vault/issues", { basic: ["ada", ada.password] })).toBe(404);
});

test("whoever is signed in stays who they are behind a proxy with passwords of its own", async () => {
  const cookie = await aSession(server, ada.user);
  expect(await statusOf("/ada/vault", { cookie, basic: ["proxy", "password"] })).toBe(200);
});
