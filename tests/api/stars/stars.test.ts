import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  aRepo,
  aServer,
  aToken,
  aUser,
  type CallOptions,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Stars and watches over REST (contract repositories.md 14 and 53, 54). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = <Body = Json>(method: string, path: string, who?: TestUser, options: CallOptions = {}) =>
  call<Body>(server, method, `/api/v1${path}`, { token: who?.token, ...options });
const names = async (path: string, who?: TestUser) =>
  (await api<{ full_name?: string; login: string }[]>("GET", path, who)).body.map(
    (item) => item.full_name || item.login,
  );
const collaborate = (repo: string, who: TestUser, how: "PUT" | "DELETE") =>
  api(how, `/repos/ada/${repo}/collaborators/${who.login}`, ada, how === "PUT" ? { body: { permission: "read" } } : {});

describe("a star", () => {
  test("is given once, counted for repository and account, listed, and taken back", async () => {
    const repo = aRepo(server, ada.user);
    const star = `/user/starred/ada/${repo.name}`;
    const fan = await aUser(server);
    expect((await api("GET", star, fan)).status).toBe(404);
    for (let i = 0; i < 2; i++) expect((await api("PUT", star, fan)).status).toBe(204);
    expect((await api("GET", star, fan)).status).toBe(204);
    expect((await api("GET", `/repos/ada/${repo.name}`)).body["stars_count"]).toBe(1);
    expect((await api("GET", `/users/${fan.login}`, bob)).body["starred_repos_count"]).toBe(1);
    expect((await api("GET", "/user", fan)).body["starred_repos_count"]).toBe(1);
    expect(await names(`/repos/ada/${repo.name}/stargazers`)).toEqual([fan.login]);
    expect(await names("/user/starred", fan)).toEqual([`ada/${repo.name}`]);
    expect(await names(`/users/${fan.login}/starred`, bob)).toEqual([`ada/${repo.name}`]);
    for (let i = 0; i < 2; i++) expect((await api("DELETE", star, fan)).status).toBe(204);
    expect((await api("GET", `/repos/ada/${repo.name}`)).body["stars_count"]).toBe(0);
    expect(await names("/user/starred", fan)).toEqual([]);
    const events = server.core.db
      .query<{ kind: string }>("SELECT kind FROM events WHERE user_id = ? AND kind LIKE 'repo.%starred' ORDER BY id")
      .all(fan.user.id);
    expect(events.map(({ kind }) => kind)).toEqual(["repo.starred", "repo.unstarred"]);
  });

  test("needs an account and a repository that it sees; a token needs both scopes", async () => {
    const [open, closed] = [aRepo(server, ada.user), aRepo(server, ada.user, { isPrivate: true })];
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await api(method, `/user/starred/ada/${open.name}`)).status).toBe(401);
      expect((await api(method, `/user/starred/ada/${closed.name}`, bob)).status).toBe(404);
      expect((await api(method, `/user/starred/ada/nothing`, bob)).status).toBe(404);
      for (const scope of ["write:user", "write:repository"]) {
        const token = aToken(server, bob.user, [scope]);
        expect((await api(method, `/user/starred/ada/${open.name}`, undefined, { token })).status).toBe(403);
      }
    }
    expect((await api("GET", `/repos/ada/${open.name}`)).body["stars_count"]).toBe(0);
  });

  test("of a private repository is shown to its giver alone, while they see it", async () => {
    const repo = aRepo(server, ada.user, { isPrivate: true });
    const fan = await aUser(server);
    await collaborate(repo.name, fan, "PUT");
    await api("PUT", `/user/starred/ada/${repo.name}`, fan);
    expect(await names("/user/starred", fan)).toEqual([`ada/${repo.name}`]);
    expect(await names(`/users/${fan.login}/starred`, ada)).toEqual([]);
    const search = (who: TestUser) => api<{ data: Json[] }>("GET", `/repos/search?starredBy=${fan.user.id}`, who);
    expect((await search(fan)).body.data).toHaveLength(1);
    expect((await search(ada)).body.data).toHaveLength(0);
    const publicOnly = aToken(server, fan.user, ["public-only", "read:user", "read:repository"]);
    const seen = await api<Json[]>("GET", "/user/starred", undefined, { token: publicOnly });
    expect([seen.body.length, seen.headers.get("x-total-count")]).toEqual([0, "0"]);
    await collaborate(repo.name, fan, "DELETE");
    const gone = await api<Json[]>("GET", "/user/starred", fan);
    expect([gone.body.length, gone.headers.get("x-total-count")]).toEqual([0, "0"]);
    expect((await search(fan)).body.data).toHaveLength(0);
  });

  test("goes when the repository becomes private, in the same answer, with every watch", async () => {
    const repo = aRepo(server, ada.user);
    await api("PUT", `/user/starred/ada/${repo.name}`, bob);
    await api("PUT", `/repos/ada/${repo.name}/subscription`, bob);
    const before = (await api("GET", `/repos/ada/${repo.name}`, ada)).body;
    expect([before["stars_count"], before["watchers_count"]]).toEqual([1, 2]);
    const after = (await api("PATCH", `/repos/ada/${repo.name}`, ada, { body: { private: true } })).body;
    expect([after["stars_count"], after["watchers_count"]]).toEqual([0, 0]);
  });

  test("of an account that hides from the caller is counted, not named", async () => {
    const repo = aRepo(server, ada.user);
    const hidden = await aUser(server, { visibility: "private" });
    await api("PUT", `/user/starred/ada/${repo.name}`, hidden);
    const list = await api<Json[]>("GET", `/repos/ada/${repo.name}/stargazers`, bob);
    expect([list.body.length, list.headers.get("x-total-count")]).toEqual([0, "0"]);
    expect((await api("GET", `/repos/ada/${repo.name}`)).body["stars_count"]).toBe(1);
    expect((await api("GET", `/users/${hidden.login}/starred`, bob)).status).toBe(404);
    const found = await api<{ data: Json[] }>("GET", `/repos/search?starredBy=${hidden.user.id}`, bob);
    expect(found.body.data).toEqual([]);
  });

  test("can be given to an archived repository, and goes with account and repository", async () => {
    const repo = aRepo(server, ada.user);
    await api("PATCH", `/repos/ada/${repo.name}`, ada, { body: { archived: true } });
    const fan = await aUser(server);
    expect((await api("PUT", `/user/starred/ada/${repo.name}`, fan)).status).toBe(204);
    expect((await api("PUT", `/user/starred/ada/${repo.name}`, bob)).status).toBe(204);
    const root = await aUser(server, { isAdmin: true });
    expect((await api("DELETE", `/admin/users/${fan.login}`, root)).status).toBe(204);
    expect((await api("GET", `/repos/ada/${repo.name}`)).body["stars_count"]).toBe(1);
    const before = Number((await api("GET", "/user", bob)).body["starred_repos_count"]);
    await api("DELETE", `/repos/ada/${repo.name}`, ada);
    expect((await api("GET", "/user", bob)).body["starred_repos_count"]).toBe(before - 1);
  });
});

test("lists come in pages, the last starred first, and the search filters and sorts by stars", async () => {
  const fan = await aUser(server);
  const owner = await aUser(server);
  const repos = ["one", "two", "three"].map((name) => aRepo(server, owner.user, { name }));
  for (const { name } of repos) await api("PUT", `/user/starred/${owner.login}/${name}`, fan);
  await api("PUT", `/user/starred/${owner.login}/two`, bob);
  const first = await api<{ name: string }[]>("GET", "/user/starred?limit=2", fan);
  expect(first.headers.get("x-total-count")).toBe("3");
  expect(first.headers.get("link")).toContain('rel="next"');
  const second = await api<{ name: string }[]>("GET", "/user/starred?limit=2&page=2", fan);
  expect([...first.body, ...second.body].map(({ name }) => name).sort()).toEqual(["one", "three", "two"]);
  expect(second.body).toHaveLength(1);
  const search = async (query: string) =>
    (await api<{ data: { name: string }[] }>("GET", `/repos/search?uid=${owner.user.id}&${query}`, fan)).body.data.map(
      ({ name }) => name,
    );
  await api("DELETE", `/user/starred/${owner.login}/three`, fan);
  expect(await search("sort=stars&order=desc")).toEqual(["two", "one", "three"]);
  expect(await search("sort=stars")).toEqual(["three", "one", "two"]);
  expect(await search(`starredBy=${fan.user.id}`)).toEqual(["one", "two"]);
  expect(await search(`starredBy=${bob.user.id}`)).toEqual(["two"]);
  expect(await search("starredBy=99999999")).toEqual([]);
  expect(await search("starredBy=nonsense")).toHaveLength(3);
});

describe("a watch", () => {
  test("begins with the repository, and starts and stops", async () => {
    const made = await api("POST", "/user/repos", ada, { body: { name: "watched" } });
    expect(made.body["watchers_count"]).toBe(1);
    const path = "/repos/ada/watched/subscription";
    expect((await api("GET", path, bob)).status).toBe(404);
    const started = await api("PUT", path, bob);
    expect(started.status).toBe(200);
    expect(started.body).toEqual({
      subscribed: true,
      ignored: false,
      reason: null,
      created_at: String(made.body["created_at"]),
      url: `${server.url}api/v1${path}`,
      repository_url: `${server.url}api/v1/repos/ada/watched`,
    });
    expect((await api("GET", path, bob)).body).toEqual(started.body);
    expect(await names("/repos/ada/watched/subscribers")).toEqual(["ada", "bob"]);
    expect(await names("/user/subscriptions", bob)).toContain("ada/watched");
    expect(await names("/users/bob/subscriptions", ada)).toContain("ada/watched");
    for (let i = 0; i < 2; i++) expect((await api("DELETE", path, bob)).status).toBe(204);
    expect((await api("GET", path, bob)).status).toBe(404);
    for (const method of ["GET", "PUT", "DELETE"]) expect((await api(method, path)).status).toBe(401);
    expect((await api("GET", "/users/nobody-of-this-name/subscriptions", bob)).status).toBe(404);
  });

  test("ends for a collaborator who loses a private repository, not for one who still sees it", async () => {
    const [open, closed] = [aRepo(server, ada.user), aRepo(server, ada.user, { isPrivate: true })];
    for (const { name } of [open, closed]) {
      await collaborate(name, bob, "PUT");
      await api("PUT", `/repos/ada/${name}/subscription`, bob);
      await collaborate(name, bob, "DELETE");
    }
    expect(await names(`/repos/ada/${open.name}/subscribers`, ada)).toEqual(["ada", "bob"]);
    expect(await names(`/repos/ada/${closed.name}/subscribers`, ada)).toEqual(["ada"]);
    expect((await api("GET", `/repos/ada/${closed.name}`, ada)).body["watchers_count"]).toBe(1);
  });
});

test("a first push watches where that is set, and never again after it was given back", async () => {
  await using other = await aServer({
    "watch.on_push": true,
    "watch.new_repositories": false,
    "repository.stars": false,
  });
  const [owner, dora] = [await aUser(other), await aUser(other)];
  const { name } = aRepo(other, owner.user, { files: { "a.txt": "a" } });
  const path = `/repos/${owner.login}/${name}`;
  const ask = (method: string, where: string, who: TestUser, body?: unknown) =>
    call(other, method, `/api/v1${where}`, { token: who.token, body });
  const watches = async (who: TestUser) => (await ask("GET", `${path}/subscription`, who)).status === 200;
  const edit = (who: TestUser, file: string) => ask("POST", `${path}/contents/${file}`, who, { content: "YQ==" });
  await ask("PUT", `${path}/collaborators/${dora.login}`, owner, { permission: "write" });
  expect([await watches(dora), (await edit(dora, "b.txt")).status, await watches(dora)]).toEqual([false, 201, true]);
  await ask("DELETE", `${path}/subscription`, dora);
  await edit(dora, "c.txt");
  expect(await watches(dora)).toBe(false);
  await ask("PUT", `${path}/subscription`, dora);
  await ask("DELETE", `${path}/subscription`, dora);
  await edit(dora, "d.txt");
  // What was asked for and given back leaves nothing behind.
  expect(await watches(dora)).toBe(true);

  expect((await ask("GET", "/settings/repository", dora)).body["stars_disabled"]).toBe(true);
  for (const [method, where] of [
    ["GET", "/user/starred"],
    ["GET", `/user/starred/${owner.login}/${name}`],
    ["PUT", "/user/starred/no/body"],
    ["DELETE", `/user/starred/${owner.login}/${name}`],
    ["GET", `/users/${owner.login}/starred`],
    ["GET", `${path}/stargazers`],
  ] as const) {
    const refused = await ask(method, where, dora);
    expect([where, refused.status, refused.body["message"]]).toEqual([where, 403, "Stars are disabled."]);
  }
  expect((await call(other, "PUT", "/api/v1/user/starred/no/body")).status).toBe(401);
  expect((await call(other, "GET", `/${owner.login}/${name}/stars`)).status).toBe(403);
  expect((await call(other, "GET", `/${owner.login}/${name}`)).text).not.toContain("/action/star");
});

test("counts and lists read indexes only", () => {
  const plan = (sql: string, ...values: number[]) =>
    server.core.db
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail);
  for (const table of ["stars", "watches"]) {
    for (const column of ["repo_id", "user_id"]) {
      const [step = ""] = plan(`SELECT count(*) FROM ${table} WHERE ${column} = ?`, 1);
      expect(step).toMatch(/^SEARCH/);
    }
  }
});
