import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
});
afterAll(() => server.close());

const at = "/repos/acme/engine";
const make = async (method: string, path: string, body?: Json) => {
  const answer = await api(method, path, ada, body);
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body;
};
const push = async (branch: string) =>
  (await api("POST", `${at}/contents/f${Math.random()}`, bob, { content: "", branch })).status;

test("a team in a list may push as its members, and is in no list any more when it loses the repository", async () => {
  await make("POST", "/orgs", { username: "acme" });
  await make("POST", "/orgs/acme/repos", { name: "engine", auto_init: true });
  const units_map = { "repo.code": "write" };
  const team = await make("POST", "/orgs/acme/teams", { name: "Makers", permission: "write", units_map });
  await make("PUT", `/teams/${team["id"]}/members/bob`);
  const list = { enable_push: true, enable_push_whitelist: true };
  const none = await api("POST", `${at}/branch_protections`, ada, {
    ...{ rule_name: "main", ...list },
    push_whitelist_teams: ["strangers"],
  });
  expect([none.status, none.body["message"]]).toEqual([422, expect.stringContaining("strangers")]);
  // A team that does not have the repository is left out silently.
  const rule = await make("POST", `${at}/branch_protections`, {
    ...{ rule_name: "main", ...list },
    push_whitelist_teams: ["makers"],
  });
  expect(rule["push_whitelist_teams"]).toEqual([]);
  await make("PUT", `/teams/${team["id"]}/repos/acme/engine`);
  const edited = await make("PATCH", `${at}/branch_protections/main`, { push_whitelist_teams: ["makers"] });
  expect(edited["push_whitelist_teams"]).toEqual(["Makers"]);
  expect(await push("main")).toBe(201);
  const tags = await make("POST", `${at}/tag_protections`, { name_pattern: "v*", whitelist_teams: ["makers"] });
  expect(tags["whitelist_teams"]).toEqual(["Makers"]);
  expect((await api("POST", `${at}/tags`, bob, { tag_name: "v1" })).status).toBe(201);
  expect((await api("POST", `${at}/tags`, ada, { tag_name: "v2" })).status).toBe(422);
  await make("DELETE", `/teams/${team["id"]}/members/bob`);
  await make("PUT", `${at}/collaborators/bob`, { permission: "write" });
  expect(await push("main")).toBe(403);
  await make("DELETE", `/teams/${team["id"]}/repos/acme/engine`);
  expect((await make("GET", `${at}/branch_protections/main`))["push_whitelist_teams"]).toEqual([]);
});
