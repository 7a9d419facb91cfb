import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import type { User } from "../../../src/access/user.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Labels over REST (contract issues.md 13). */

let server: TestServer;
let ada: TestUser;
let wendy: TestUser;
let bob: TestUser;
let acme: User;

beforeAll(async () => {
  server = await aServer();
  [ada, wendy, bob] = (await Promise.all(["ada", "wendy", "bob"].map((login) => aUser(server, { login })))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
  acme = anOrganization(server, ada.user, { login: "acme" });
  aTeam(server, acme, { members: [wendy.user] });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);

interface LabelBody {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly is_archived: boolean;
  readonly url: string;
}

const names = (labels: readonly LabelBody[]) => labels.map(({ name }) => name);

/** ada's repository, where wendy may write. */
function aProject(request: Parameters<typeof aRepo>[2] = {}, owner: User = ada.user) {
  const repo = aRepo(server, owner, { creator: ada.user, ...request });
  const seen = server.services.repos.see(asAccount(ada.user), owner.login, repo.name, () => "");
  server.services.collaborators.put(seen, wendy.user, "write");
  return { repo, seen, path: `/repos/${owner.login}/${repo.name}` };
}

const aLabel = async (path: string, name: string, fields: Record<string, unknown> = {}) =>
  (await api<LabelBody>("POST", `${path}/labels`, ada, { name, color: "00aabb", ...fields })).body;

describe("labels of a repository", () => {
  test("have colours in three or six digits, with or without a hash", async () => {
    const { path } = aProject();
    for (const [given, shown] of [
      ["#ABC", "aabbcc"],
      ["abc", "aabbcc"],
      ["  #00AaBb ", "00aabb"],
      ["123456", "123456"],
    ])
      expect((await api("POST", `${path}/labels`, wendy, { name: "x", color: given })).body).toMatchObject({
        color: shown,
      });
    for (const [given, said] of [
      ["#12345G", "#12345g"],
      ["RED", "#red"],
      ["1234", "1234"],
      ["##123", "##123"],
    ]) {
      const refused = await api("POST", `${path}/labels`, wendy, { name: "x", color: given });
      expect([refused.status, refused.body["message"]]).toEqual([422, `invalid color: ${said}`]);
    }
  });

  test("are listed by name, or as asked for, in pages with their links", async () => {
    const { path } = aProject();
    const [b] = [await aLabel(path, "b"), await aLabel(path, "a"), await aLabel(path, "c")];
    await api("POST", `${path}/issues`, ada, { title: "one" });
    const item = server.core.db.query<{ id: number }>("SELECT max(id) AS id FROM issues").get()?.id ?? 0;
    server.core.db.query("INSERT INTO issue_labels VALUES (?, ?)").run(item, b.id);
    const sorted = async (sort: string) => names((await api<LabelBody[]>("GET", `${path}/labels?sort=${sort}`)).body);
    expect(await sorted("")).toEqual(["a", "b", "c"]);
    expect(await sorted("reversealphabetically")).toEqual(["c", "b", "a"]);
    expect(await sorted("mostissues")).toEqual(["b", "a", "c"]);
    expect(await sorted("leastissues")).toEqual(["a", "c", "b"]);
    expect(await sorted("nonsense")).toEqual(["a", "b", "c"]);
    const second = await api<LabelBody[]>("GET", `${path}/labels?limit=2&page=2`);
    expect(names(second.body)).toEqual(["c"]);
    expect(second.headers.get("x-total-count")).toBe("3");
    expect(second.headers.get("link")).toContain('rel="prev"');
  });

  test("of one name may be several; the name finds the oldest", async () => {
    const { path } = aProject();
    const [first] = [await aLabel(path, "same"), await aLabel(path, "same")];
    expect((await api("GET", `${path}/labels/same`)).body["id"]).toBe(first.id);
    expect((await api("GET", `${path}/labels/SAME`)).status).toBe(404);
  });

  test("are archived and brought back; other changes leave that as it is", async () => {
    const { path } = aProject();
    const { id } = await aLabel(path, "old", { is_archived: true });
    expect((await api("PATCH", `${path}/labels/${id}`, wendy, { description: "d" })).body["is_archived"]).toBe(true);
    expect((await api("PATCH", `${path}/labels/${id}`, wendy, { is_archived: false })).body["is_archived"]).toBe(false);
  });

  test("are in nobody's way when someone may not write, cannot see, or the repository is archived", async () => {
    const { path, repo, seen } = aProject();
    const { id } = await aLabel(path, "here");
    const hidden = aProject({ isPrivate: true });
    for (const [method, at, body] of [
      ["POST", "", { color: 7 }],
      ["PATCH", `/${id}`, { color: "nonsense" }],
      ["DELETE", `/${id}`, undefined],
    ] as const) {
      expect((await api(method, `${path}/labels${at}`, bob, body)).status).toBe(403);
      expect((await api(method, `${path}/labels${at}`, undefined, body)).status).toBe(401);
      expect((await api(method, `${hidden.path}/labels${at}`, bob, body)).status).toBe(404);
    }
    expect((await api("GET", `${hidden.path}/labels`, bob)).status).toBe(404);
    server.services.repos.edit(seen, { isArchived: true });
    expect((await api("DELETE", `/repos/ada/${repo.name}/labels/${id}`, ada)).status).toBe(423);
    expect((await api("GET", `${path}/labels/${id}`)).status).toBe(200);
  });

  test("need that issues or pull requests may be read", async () => {
    const { path } = aProject({ files: { "a.txt": "a" } });
    await aLabel(path, "here");
    await api("PATCH", path, ada, { has_issues: false });
    expect((await api("GET", `${path}/labels`, bob)).status).toBe(200);
    await api("PATCH", path, ada, { has_pull_requests: false });
    expect((await api("GET", `${path}/labels`, bob)).status).toBe(404);
    expect((await api("POST", `${path}/labels`, wendy, { name: "x", color: "123" })).status).toBe(404);
  });

  test("refuse what is no label, and nothing is half done", async () => {
    const { path } = aProject();
    const { id } = await aLabel(path, "kept");
    for (const body of [
      { name: "", color: "123" },
      { name: "   ", color: "123" },
      { name: "x".repeat(300), color: "123" },
      { name: "a\nb", color: "123" },
      { name: ["x"], color: "123" },
      { name: "x", color: { a: 1 } },
      { name: "x", color: "123", exclusive: "perhaps" },
      { name: "x", color: "123", description: "x".repeat(2000) },
    ]) {
      expect((await api("POST", `${path}/labels`, ada, body)).status).toBe(422);
      expect((await api("PATCH", `${path}/labels/${id}`, ada, { ...body, name: "x".repeat(300) })).status).toBe(422);
    }
    expect(names((await api<LabelBody[]>("GET", `${path}/labels`)).body)).toEqual(["kept"]);
    expect((await api("POST", `${path}/labels`, ada, { name: "Fehler/größer 🐞", color: "123" })).body["name"]).toBe(
      "Fehler/größer 🐞",
    );
  });

  test("need the token's scope for issues", async () => {
    const { path } = aProject();
    const token = (scope: string) => ({ token: aToken(server, ada.user, [scope]) });
    expect((await api("GET", `${path}/labels`, token("read:issue"))).status).toBe(200);
    expect((await api("GET", `${path}/labels`, token("read:repository"))).status).toBe(403);
    expect((await api("POST", `${path}/labels`, token("read:issue"), { name: "x", color: "123" })).status).toBe(403);
    expect((await api("POST", `${path}/labels`, token("write:issue"), { name: "x", color: "123" })).status).toBe(201);
  });

  test("begin with a built-in set when asked for, and are copied from a template", async () => {
    const made = await api("POST", "/user/repos", ada, { name: "begun", issue_labels: "Advanced", auto_init: true });
    expect(made.status).toBe(201);
    const labels = await api<(LabelBody & { exclusive: boolean })[]>("GET", "/repos/ada/begun/labels");
    expect(labels.body.find(({ name }) => name === "Priority/High")).toMatchObject({
      exclusive: true,
      color: "d32f2f",
    });
    expect(labels.body).toHaveLength(18);
    await api("PATCH", "/repos/ada/begun", ada, { template: true });
    const copied = await api("POST", "/repos/ada/begun/generate", ada, { owner: "ada", name: "copied", labels: true });
    expect(copied.status).toBe(201);
    expect(names((await api<LabelBody[]>("GET", "/repos/ada/copied/labels")).body)).toEqual(names(labels.body));
  });
});

describe("labels of an organization", () => {
  test("are for its owners to change; members and strangers read them", async () => {
    const made = await api<LabelBody>("POST", "/orgs/acme/labels", ada, { name: "ours", color: "#0Ab" });
    expect(made.body).toMatchObject({ name: "ours", color: "00aabb", is_archived: false });
    expect(made.body.url).toEndWith(`/api/v1/orgs/acme/labels/${made.body.id}`);
    const refused = await api("POST", "/orgs/acme/labels", wendy, { name: "x", color: "123" });
    expect([refused.status, refused.body["message"]]).toEqual([403, "Must be an organization owner"]);
    expect((await api("GET", `/orgs/acme/labels/${made.body.id}`)).status).toBe(401);
    expect((await api("GET", `/orgs/acme/labels/${made.body.id}`, bob)).body["name"]).toBe("ours");
    expect((await api("GET", "/orgs/acme/labels/ours", bob)).body["id"]).toBe(made.body.id);
    expect(names((await api<LabelBody[]>("GET", "/orgs/acme/labels")).body)).toEqual(["ours"]);
    const missing = await api("GET", "/orgs/acme/labels/999999", bob);
    expect(missing.body["message"]).toBe("not found");
    const changed = await api("PATCH", `/orgs/acme/labels/${made.body.id}`, ada, { is_archived: true });
    expect(changed.body["is_archived"]).toBe(true);
  });

  test("are kept apart from those of its repositories", async () => {
    const { path } = aProject({}, acme);
    const own = await aLabel(path, "own");
    const ours = await api<LabelBody>("POST", "/orgs/acme/labels", ada, { name: "apart", color: "123" });
    expect(names((await api<LabelBody[]>("GET", `${path}/labels`)).body)).toEqual(["own"]);
    expect((await api("GET", `${path}/labels/${ours.body.id}`)).status).toBe(404);
    expect((await api("PATCH", `/orgs/acme/labels/${own.id}`, ada, { name: "stolen" })).status).toBe(404);
    expect((await api("DELETE", `/orgs/acme/labels/${own.id}`, ada)).status).toBe(204);
    expect((await api("GET", `${path}/labels/${own.id}`)).body["name"]).toBe("own");
    expect((await api("DELETE", `/orgs/acme/labels/${ours.body.id}`, ada)).status).toBe(204);
    expect((await api("GET", `/orgs/acme/labels/${ours.body.id}`, ada)).status).toBe(404);
  });
});

test("lists of labels are read from their indexes", () => {
  const plan = (sql: string) =>
    server.core.db
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join(" ");
  expect(plan("SELECT * FROM labels WHERE repo_id = 1 ORDER BY name, id LIMIT 30")).toMatch(
    /labels_by_repo(?!.*TEMP B-TREE)/,
  );
  expect(plan("SELECT * FROM labels WHERE owner_id = 1 ORDER BY name, id LIMIT 30")).toMatch(
    /labels_by_owner(?!.*TEMP B-TREE)/,
  );
});
