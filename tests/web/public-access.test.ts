import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor } from "./browser-calls.ts";

/** What is open of a private repository: pages, REST, git and lists show that and nothing else (contract repositories.md 4.3). */

let server: TestServer;
let own: TestUser;
let someone: TestUser;
let restricted: TestUser;
let owns: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
  someone = await aUser(server, { login: "someone" });
  restricted = await aUser(server, { login: "restricted" });
  server.core.db.query("UPDATE users SET is_restricted = 1 WHERE login = 'restricted'").run();
  owns = await aPageOf(server, own.user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const open = async (name: string, units: Record<string, string>) => {
  const answer = await owns.post(`/own/${name}/settings/public_access`, units);
  expect([answer.status, answer.location]).toEqual([303, `/own/${name}/settings/public_access`]);
};
const aPrivateRepo = () => aRepo(server, own.user, { isPrivate: true, files: { "a.txt": "hidden words\n" } }).name;

test("only who administers opens units, and the page shows how they are", async () => {
  const name = aPrivateRepo();
  const path = `/own/${name}/settings/public_access`;
  expect((await aPage(server).get(path)).status).toBe(404);
  expect((await (await aPageOf(server, someone.user)).get(path)).status).toBe(404);
  expect((await (await aPageOf(server, someone.user)).post(path, { wiki: "anyone" })).status).toBe(404);
  await open(name, { issues: "accounts", code: "nonsense" });
  const page = (await owns.get(path)).text;
  expect(page).toMatch(/<select[^>]*name="issues"[\s\S]*?value="accounts" selected/);
  expect(page).toMatch(/<select[^>]*name="code"[\s\S]*?value="none" selected/);
  expect(page).toContain("Open in part");
  // What is not on the form stays.
  await open(name, { wiki: "anyone" });
  expect((await owns.get(path)).text).toMatch(/name="issues"[\s\S]*?value="accounts" selected/);
  await open(name, { wiki: "none", issues: "none" });
  expect((await owns.get(`/own/${name}`)).text).not.toContain("Open in part");
});

test("an open unit is read, and the rest is not there", async () => {
  const name = aPrivateRepo();
  await api("POST", `/repos/own/${name}/issues`, own, { title: "Open talk" });
  const visitors = {
    anyone: aPage(server),
    someone: await aPageOf(server, someone.user),
    restricted: await aPageOf(server, restricted.user),
  };
  const statuses = async (sub: string) =>
    Promise.all(Object.values(visitors).map(async (visitor) => (await visitor.get(`/own/${name}${sub}`)).status));
  expect(await statuses("/issues")).toEqual([404, 404, 404]);

  await open(name, { issues: "accounts" });
  expect(await statuses("/issues")).toEqual([404, 200, 404]);
  expect(await statuses("/issues/1")).toEqual([404, 200, 404]);
  expect(await statuses("/src/branch/main/a.txt")).toEqual([404, 404, 404]);
  expect((await visitors.someone.get(`/own/${name}`)).location).toEndWith(`/own/${name}/issues`);
  // Reading is reading: people may ask, and change nothing.
  expect((await api("POST", `/repos/own/${name}/labels`, someone, { name: "x", color: "#ffffff" })).status).toBe(403);

  await open(name, { issues: "anyone" });
  expect(await statuses("/issues")).toEqual([200, 200, 200]);
  expect(await statuses("/raw/branch/main/a.txt")).toEqual([404, 404, 404]);
  const listed = await call<{ data: { name: string }[] }>(server, "GET", `/api/v1/repos/search?q=${name}`);
  expect(listed.body.data.map((each) => each.name)).toEqual([name]);
  expect((await call(server, "GET", `/api/v1/repos/own/${name}/contents/a.txt`)).status).toBe(403);
  const fetched = () => call(server, "GET", `/own/${name}.git/info/refs?service=git-upload-pack`);
  expect((await fetched()).status).toBe(401);
  await open(name, { code: "anyone" });
  expect((await fetched()).status).toBe(200);
  expect(await statuses("/raw/branch/main/a.txt")).toEqual([200, 200, 200]);

  // A unit that is switched off shows nothing, not even that there is a repository.
  await open(name, { issues: "none", code: "none", wiki: "anyone" });
  await api("PATCH", `/repos/own/${name}`, own, { has_wiki: false });
  expect(await statuses("")).toEqual([404, 404, 404]);
});

test("what hides its owner is not open to those who do not see them", async () => {
  const name = aPrivateRepo();
  await open(name, { issues: "anyone" });
  const status = async (visitor: Visitor) => (await visitor.get(`/own/${name}/issues`)).status;
  const someones = await aPageOf(server, someone.user);
  for (const [visibility, wanted] of [
    ["limited", [404, 200]],
    ["private", [404, 404]],
    ["public", [200, 200]],
  ] as const) {
    server.core.db.query("UPDATE users SET visibility = ? WHERE login = 'own'").run(visibility);
    expect([visibility, await status(aPage(server)), await status(someones)]).toEqual([visibility, ...wanted]);
  }
});

test("a site that keeps everything private opens nothing", async () => {
  await using closed = await aServer({ "repository.force_private": true });
  const { user } = await aUser(closed, { login: "own" });
  const { name } = aRepo(closed, user, { isPrivate: true, files: { "a.txt": "a\n" } });
  const page = await aPageOf(closed, user);
  const refused = await page.post(`/own/${name}/settings/public_access`, { issues: "anyone" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("keeps every repository private");
  // What was opened before counts no more.
  closed.core.db.query("UPDATE repositories SET settings = ?").run(JSON.stringify({ opened: { issues: "anyone" } }));
  expect((await aPage(closed).get(`/own/${name}/issues`)).status).toBe(404);
  const { body } = await call<{ data: unknown[] }>(closed, "GET", "/api/v1/repos/search");
  expect(body.data).toEqual([]);
});
