import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aToken, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let root: TestUser;

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { isAdmin: true });
  ada = await aUser(server);
  bob = await aUser(server);
});
afterAll(() => server.close());

const api = anApi(() => server);
const create = (fields: Json, who = ada) => api("POST", "/user/repos", who, fields);
let counter = 0;
const fresh = () => `repo${counter++}`;

describe("making a repository", () => {
  test("shows it as its owner sees it", async () => {
    const name = fresh();
    const made = await create({
      name,
      auto_init: true,
      description: "Steam",
      license: "MIT",
      gitignores: "Go, Python",
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name,
      full_name: `${ada.login}/${name}`,
      empty: false,
      default_branch: "main",
      branch_count: 1,
      licenses: ["MIT"],
      permissions: { admin: true, push: true, pull: true },
    });
    expect((await api("GET", `/repos/${ada.login}/${name}`)).body["permissions"]).toEqual({
      admin: false,
      push: false,
      pull: true,
    });
  });

  test("many at once under one name give one repository", async () => {
    const name = fresh();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        create({ name: at % 2 ? name : name.toUpperCase(), auto_init: at % 3 === 0 }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test.each([
    [{ name: "a/b" }, 422, "[Name]: AlphaDashDot"],
    [{ name: ".." }, 422, "name is invalid [..]: must be valid alpha or numeric or dash(-_) or dot characters"],
    [{ name: "x.GIT" }, 422, "name pattern is not allowed [pattern: *.git]"],
    [{}, 422, "[Name]: Required"],
    [{ name: 7 }, 422, "[]: name must be a text"],
    [{ name: "ok", private: "yes" }, 422, "[]: private must be true or false"],
    [{ name: "ok", default_branch: "a..b" }, 422, "[DefaultBranch]: GitRefName"],
    [{ name: "ok", auto_init: true, readme: "../../x" }, 400, undefined],
    [{ name: "ok", auto_init: true, license: "../MIT" }, 422, undefined],
    [{ name: "ok", auto_init: true, gitignores: "__proto__" }, 422, undefined],
    [{ name: "ok", issue_labels: "constructor" }, 422, undefined],
    [{ name: "ok", object_format_name: "sha512" }, 422, undefined],
  ])("%j is refused and leaves nothing", async (fields, status, message) => {
    const owner = await aUser(server);
    const refused = await create(fields as Json, owner);
    expect(refused.status).toBe(status);
    if (message !== undefined) expect(refused.body["message"]).toBe(message);
    expect((await api<Json[]>("GET", "/user/repos", owner)).body).toEqual([]);
  });

  test("needs both scopes and no public-only token", async () => {
    for (const scopes of [["write:repository"], ["write:user"], ["read:user", "read:repository"]]) {
      const token = aToken(server, ada.user, scopes);
      expect((await api("POST", "/user/repos", undefined, { name: fresh() }, { token })).status).toBe(403);
    }
    const token = aToken(server, ada.user, ["write:repository", "write:user", "public-only"]);
    expect((await api("POST", "/user/repos", undefined, { name: fresh() }, { token })).status).toBe(403);
    expect((await api("POST", "/user/repos", undefined, { name: fresh() })).status).toBe(401);
  });

  test("for someone else is the administrator's", async () => {
    const name = fresh();
    const made = await api("POST", `/admin/users/${bob.login}/repos`, root, { name });
    expect(made.body).toMatchObject({ full_name: `${bob.login}/${name}`, permissions: { admin: true } });
    expect((await api("POST", `/admin/users/${bob.login}/repos`, ada, { name: fresh() })).status).toBe(403);
    expect((await api("POST", "/admin/users/nobody/repos", root, { name })).status).toBe(404);
  });
});

describe("who sees and changes", () => {
  test("each role gets its own answer on each route", async () => {
    const open = aRepo(server, ada.user, { name: fresh() });
    const closed = aRepo(server, ada.user, { name: fresh(), isPrivate: true });
    const people = { reader: await aUser(server), writer: await aUser(server), admin: await aUser(server) };
    for (const [role, person] of Object.entries(people))
      for (const repo of [open, closed]) {
        const level = role === "reader" ? "read" : role === "writer" ? "write" : "admin";
        const put = await api("PUT", `/repos/${ada.login}/${repo.name}/collaborators/${person.login}`, ada, {
          permission: level,
        });
        expect(put.status).toBe(204);
      }
    const statuses = async (who: TestUser | undefined, repo: string) => {
      const path = `/repos/${ada.login}/${repo}`;
      return [
        (await api("GET", path, who)).status,
        (await api("PATCH", path, who, { description: "x" })).status,
        (await api("GET", `${path}/collaborators`, who)).status,
        (await api("PUT", `${path}/collaborators/${bob.login}`, who, { permission: "read" })).status,
        (await api("DELETE", `${path}/collaborators/${bob.login}`, who)).status,
      ];
    };
    expect(await statuses(undefined, open.name)).toEqual([200, 401, 401, 401, 401]);
    expect(await statuses(undefined, closed.name)).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(bob, open.name)).toEqual([200, 403, 200, 403, 403]);
    expect(await statuses(bob, closed.name)).toEqual([404, 404, 404, 404, 404]);
    for (const repo of [open.name, closed.name]) {
      expect(await statuses(people.reader, repo)).toEqual([200, 403, 200, 403, 403]);
      expect(await statuses(people.writer, repo)).toEqual([200, 403, 200, 403, 403]);
      expect(await statuses(people.admin, repo)).toEqual([200, 200, 200, 204, 204]);
      expect(await statuses(ada, repo)).toEqual([200, 200, 200, 204, 204]);
      expect(await statuses(root, repo)).toEqual([200, 200, 200, 204, 204]);
    }
    expect((await api("DELETE", `/repos/${ada.login}/${open.name}`, people.admin)).status).toBe(403);
  });

  test("a foreign or malformed number is as unknown as a random one", async () => {
    const closed = aRepo(server, ada.user, { name: fresh(), isPrivate: true });
    const unknown = await api("GET", "/repositories/999999", bob);
    for (const id of [String(closed.id), "-1", "1e3", "0x1", "99999999999999999999", "a"]) {
      const answer = await api("GET", `/repositories/${id}`, bob);
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
    expect((await api("GET", `/repositories/${closed.id}`, ada)).status).toBe(200);
  });

  test("no one gives more than he has, and only people are added", async () => {
    const repo = aRepo(server, ada.user, { name: fresh() });
    const path = `/repos/${ada.login}/${repo.name}/collaborators`;
    expect((await api("PUT", `${path}/${bob.login}`, ada, { permission: "owner" })).status).toBe(422);
    expect((await api("PUT", `${path}/${bob.login}`, ada, { permission: ["write"] })).status).toBe(422);
    expect((await api("PUT", `${path}/${ada.login}`, ada, {})).status).toBe(422);
    expect((await api("PUT", `${path}/nobody`, ada, {})).status).toBe(422);
    expect((await api("PUT", `${path}/${bob.login}`, ada)).status).toBe(204);
    expect((await api("GET", `${path}/${bob.login}/permission`, bob)).body).toMatchObject({ permission: "write" });
    expect((await api("GET", `${path}/${ada.login}/permission`, bob)).status).toBe(403);
  });

  test("leaving ends access at once", async () => {
    const repo = aRepo(server, ada.user, { name: fresh(), isPrivate: true });
    const path = `/repos/${ada.login}/${repo.name}`;
    await api("PUT", `${path}/collaborators/${bob.login}`, ada, { permission: "admin" });
    expect((await api("GET", path, bob)).status).toBe(200);
    await api("DELETE", `${path}/collaborators/${bob.login}`, bob);
    expect((await api("GET", path, bob)).status).toBe(404);
  });
});

describe("changing a repository", () => {
  test("is all or nothing", async () => {
    const repo = aRepo(server, ada.user, { name: fresh(), description: "old" });
    const path = `/repos/${ada.login}/${repo.name}`;
    const request = [
      { description: "new", name: "a..b" },
      { description: "new", has_wiki: true, external_wiki: { external_wiki_url: "javascript:alert(1)" } },
      { description: "new", has_issues: true, external_tracker: { external_tracker_url: "htp://x" } },
      { description: "new", allow_merge_update: false, allow_rebase_update: false },
      { description: "new", default_merge_style: "weird" },
      { description: "new", website: "x".repeat(1025) },
      { description: "new", has_wiki: "maybe" },
    ];
    for (const wish of request) expect((await api("PATCH", path, ada, wish)).status).toBe(422);
    expect((await api("GET", path)).body).toMatchObject({ description: "old", name: repo.name });
  });

  test("a new name leaves a redirect that strangers of a private one do not see", async () => {
    const repo = aRepo(server, ada.user, { name: fresh(), isPrivate: true });
    const name = fresh();
    expect((await api("PATCH", `/repos/${ada.login}/${repo.name}`, ada, { name })).status).toBe(200);
    const moved = await api("GET", `/repos/${ada.login}/${repo.name}/languages?x=1`, ada);
    expect([moved.status, moved.headers.get("location")]).toEqual([
      301,
      `/api/v1/repos/${ada.login}/${name}/languages?x=1`,
    ]);
    expect((await api("GET", `/repos/${ada.login}/${repo.name}`, bob)).status).toBe(404);
    expect((await create({ name: repo.name })).status).toBe(201);
    expect((await api("GET", `/repos/${ada.login}/${repo.name}`, ada)).status).toBe(200);
  });

  test("two renames of one repository to one name and back", async () => {
    const [one, two] = [aRepo(server, ada.user, { name: fresh() }), aRepo(server, ada.user, { name: fresh() })];
    const name = fresh();
    const answers = await Promise.all(
      [one, two].map((repo) => api("PATCH", `/repos/${ada.login}/${repo.name}`, ada, { name })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  });
});

describe("lists and search", () => {
  test("show only what the caller may see, and count only that", async () => {
    const owner = await aUser(server);
    const open = aRepo(server, owner.user, { name: fresh(), description: "100%_ needle" });
    const closed = aRepo(server, owner.user, { name: fresh(), isPrivate: true });
    const names = async (path: string, who?: TestUser, token?: string) => {
      const answer = await api<{ name: string }[] & { data?: { name: string }[] }>(
        "GET",
        path,
        who,
        undefined,
        token ? { token } : {},
      );
      const items = answer.body.data ?? answer.body;
      expect(answer.headers.get("x-total-count")).toBe(String(items.length));
      return items.map((repo) => repo.name);
    };
    const publicOnly = aToken(server, owner.user, ["all", "public-only"]);
    expect(await names(`/users/${owner.login}/repos`)).toEqual([open.name]);
    expect(await names(`/users/${owner.login}/repos`, bob)).toEqual([open.name]);
    expect(await names(`/users/${owner.login}/repos`, owner)).toEqual([open.name, closed.name]);
    expect(await names(`/users/${owner.login}/repos`, undefined, publicOnly)).toEqual([open.name]);
    expect(await names("/user/repos", undefined, publicOnly)).toEqual([open.name]);
    expect(await names("/user/repos", owner)).toEqual([open.name, closed.name].sort());
    const uid = `uid=${owner.user.id}`;
    expect(await names(`/repos/search?${uid}`)).toEqual([open.name]);
    expect(await names(`/repos/search?${uid}`, owner)).toHaveLength(2);
    expect(await names(`/repos/search?${uid}&private=false`, owner)).toEqual([open.name]);
    expect(await names(`/repos/search?${uid}`, root)).toHaveLength(2);
    expect(await names(`/repos/search?${uid}`, undefined, publicOnly)).toEqual([open.name]);
    expect(await names(`/repos/search?${uid}&q=${encodeURIComponent("%")}`)).toEqual([]);
    expect(await names(`/repos/search?${uid}&q=${encodeURIComponent("0%_ n")}&includeDesc=true`)).toEqual([open.name]);
    expect(await names(`/repos/search?q=${owner.login}/${open.name.slice(0, 3)}`)).toContain(open.name);
  });

  test("hostile values are refused or mean nothing", async () => {
    for (const query of ["sort=__proto__", "sort=name", "sort=id&order=up", "mode=%00"])
      expect((await api("GET", `/repos/search?${query}`)).status).toBe(422);
    for (const query of [
      "uid=1e9&limit=-1&page=-5",
      "q=%F0%9F%92%A9,%27;drop",
      `q=${"a,".repeat(5000)}`,
      "page=999999999999999",
    ])
      expect((await api("GET", `/repos/search?${query}`)).status).toBe(200);
    expect(server.errors).toEqual([]);
  });
});
