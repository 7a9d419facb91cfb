import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";

setDefaultTimeout(600_000);

let server: TestServer;
let owner: TestUser;
let writer: TestUser;
let repo: Repo;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [owner, writer] = [await aUser(server), await aUser(server)];
});
afterAll(() => server.close());
beforeEach(async () => {
  repo = aRepo(server, owner.user, { files: { "a.txt": "a\n" } });
  await api("PUT", `${at()}/collaborators/${writer.login}`, owner, { permission: "write" });
});

const at = () => `/repos/${owner.login}/${repo.name}`;
const make = (body: Json) => api("POST", `${at()}/tag_protections`, owner, body);
const tag = async (who: TestUser, name: string) => (await api("POST", `${at()}/tags`, who, { tag_name: name })).status;

test("globs and expressions say which tags are whose; any rule that lists someone lets them", async () => {
  expect((await make({ name_pattern: "v*", whitelist_usernames: [writer.login] })).status).toBe(201);
  expect((await make({ name_pattern: "/^v[0-9]+$/", whitelist_usernames: [owner.login] })).status).toBe(201);
  expect([await tag(owner, "v1"), await tag(owner, "v1/x"), await tag(owner, "w1")]).toEqual([201, 422, 201]);
  expect([await tag(writer, "v2"), await tag(writer, "v3/x")]).toEqual([201, 201]);
  expect((await api("DELETE", `${at()}/tags/v3%2Fx`, owner)).body).toMatchObject({
    message: "user not allowed to delete protected tag",
  });
  expect((await api("DELETE", `${at()}/tags/v3%2Fx`, writer)).status).toBe(204);
});

test("an expression is searched in linear time, and one that is none is refused", async () => {
  expect((await make({ name_pattern: "/(a+)+$/", whitelist_usernames: [owner.login] })).status).toBe(201);
  expect(await tag(writer, `${"a".repeat(90)}!`)).toBe(201);
  const none = await make({ name_pattern: "/(a/", whitelist_usernames: [owner.login] });
  expect([none.status, none.body["message"]]).toEqual([422, "/(a/ is neither a glob nor a regular expression"]);
  for (const open of ["[", "v[0-9", "v{1,2"])
    expect([open, (await make({ name_pattern: open, whitelist_usernames: [owner.login] })).status]).toEqual([
      open,
      422,
    ]);
  expect((await make({ name_pattern: `/${"a".repeat(300)}/`, whitelist_usernames: [owner.login] })).status).toBe(422);
});

test("a rule of another repository is none of this one", async () => {
  const rule = await make({ name_pattern: "v*", whitelist_usernames: [owner.login] });
  const other = aRepo(server, writer.user);
  const path = `/repos/${writer.login}/${other.name}/tag_protections/${rule.body["id"]}`;
  for (const method of ["GET", "PATCH", "DELETE"])
    expect((await api(method, path, writer, method === "PATCH" ? {} : undefined)).status).toBe(404);
  for (const id of ["0", "-1", "x", "9".repeat(30)])
    expect((await api("GET", `${at()}/tag_protections/${id}`, owner)).status).toBe(404);
  expect((await api("GET", `${at()}/tag_protections`, owner)).text).toContain('"v*"');
});

test("who leaves the repository is in no list any more; of an archived one rules are only deleted", async () => {
  const rule = await make({ name_pattern: "v*", whitelist_usernames: [writer.login] });
  const path = `${at()}/tag_protections/${rule.body["id"]}`;
  await api("DELETE", `${at()}/collaborators/${writer.login}`, owner);
  expect((await api("GET", path, owner)).body["whitelist_usernames"]).toEqual([]);
  await api("PATCH", at(), owner, { archived: true });
  expect((await make({ name_pattern: "w*", whitelist_usernames: [owner.login] })).status).toBe(423);
  expect((await api("PATCH", path, owner, { name_pattern: "x*" })).status).toBe(423);
  expect((await api("GET", path, owner)).body["name_pattern"]).toBe("v*");
  expect((await api("DELETE", path, owner)).status).toBe(204);
});
