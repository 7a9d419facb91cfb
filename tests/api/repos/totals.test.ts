import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

/** Totals of lists are remembered until someone may see other repositories: whatever changes that must be noticed. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  for (let at = 0; at < 4; at++) aRepo(server, ada.user, { name: `open${at}` });
  aRepo(server, ada.user, { name: "hidden", isPrivate: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);

/** Every list as each of them sees it, two at a time: totals, and that they are of what is listed. */
async function totals() {
  const lists = [
    "repos/search?",
    `repos/search?starredBy=${bob.user.id}&`,
    "repos/search?topic=true&q=tool&",
    `repos/search?uid=${ada.user.id}&exclusive=true&`,
    "repos/search?archived=true&",
    "users/ada/repos?",
    "user/repos?",
    "users/bob/repos?",
  ];
  const found: Record<string, number> = {};
  for (const list of lists)
    for (const [name, who] of [
      ["bob", bob],
      ["nobody", undefined],
    ] as const) {
      if (list === "user/repos?" && !who) continue;
      const page = async (number: number) => {
        const path = `/api/v1/${list}limit=2&page=${number}`;
        const { body, headers, status } = await call<unknown>(server, "GET", path, { token: who?.token });
        expect([path, status]).toEqual([path, 200]);
        const items = Array.isArray(body) ? body : (Reflect.get(Object(body), "data") as unknown[]);
        return { count: items.length, total: Number(headers.get("x-total-count")) };
      };
      let listed = 0;
      const first = await page(1);
      for (let number = 1, count = first.count; count > 0; count = (await page(++number)).count) listed += count;
      expect([list, name, first.total]).toEqual([list, name, listed]);
      found[`${name} ${list}`] = listed;
    }
  return found;
}

test("whatever changes who sees what changes the totals at once", async () => {
  let last = await totals();
  const changes: [what: string, change: () => Promise<{ status: number }>][] = [
    ["a repository", () => api("POST", "/user/repos", ada, { name: "more" })],
    ["it is made private", () => api("PATCH", "/repos/ada/more", ada, { private: true })],
    ["someone is let in", () => api("PUT", "/repos/ada/hidden/collaborators/bob", ada, { permission: "write" })],
    ["and kept out again", () => api("DELETE", "/repos/ada/hidden/collaborators/bob", ada)],
    ["a star", () => api("PUT", "/user/starred/ada/open0", bob)],
    ["no star", () => api("DELETE", "/user/starred/ada/open0", bob)],
    ["a topic", () => api("PUT", "/repos/ada/open1/topics/tool", ada)],
    ["no topic", () => api("DELETE", "/repos/ada/open1/topics/tool", ada)],
    ["it is archived", () => api("PATCH", "/repos/ada/open2", ada, { archived: true })],
    ["the owner hides", () => api("PATCH", "/user/settings", ada, { hide_email: true })],
    ["it is deleted", () => api("DELETE", "/repos/ada/open3", ada)],
    ["an organization", () => api("POST", "/orgs", ada, { username: "guild", visibility: "private" })],
    ["with a repository", () => api("POST", "/orgs/guild/repos", ada, { name: "works" })],
  ];
  for (const [what, change] of changes) {
    const { status } = await change();
    expect([what, status < 300]).toEqual([what, true]);
    const now = await totals();
    const isSilent = ["the owner hides", "an organization", "with a repository"].includes(what);
    expect([what, Bun.deepEquals(now, last)]).toEqual([what, isSilent]);
    last = now;
  }
  const team = await api("POST", "/orgs/guild/teams", ada, {
    name: "readers",
    units_map: { "repo.code": "read" },
    includes_all_repositories: true,
  });
  expect(team.status).toBe(201);
  const unknown = await totals();
  expect((await api("PUT", `/teams/${team.body["id"]}/members/bob`, ada)).status).toBe(204);
  const member = await totals();
  expect(member["bob repos/search?"]).toBe((unknown["bob repos/search?"] ?? 0) + 1);
  expect(member["nobody repos/search?"]).toBe(unknown["nobody repos/search?"] ?? -1);
  expect((await api("DELETE", `/teams/${team.body["id"]}/members/bob`, ada)).status).toBe(204);
  expect((await totals())["bob repos/search?"]).toBe(unknown["bob repos/search?"] ?? -1);
});
