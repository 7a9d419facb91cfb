import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";
import type { Shown } from "../mirrors/shown.ts";
import { aForge } from "./forge.ts";

/** Issues and what else a forge keeps beside git: from a second Hearth, compared field by field, and from servers that lie. */

let here: TestServer;
let there: TestServer;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  const settings = { "network.allow": ["loopback"], "repository.bin_days": 0 };
  [here, there] = await Promise.all([aServer(settings), aServer(settings)]);
  ada = await aUser(here, { login: "ada" });
  bob = await aUser(there, { login: "bob" });
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
});

const askHere = anApi(() => here);
const askThere = anApi(() => there);
let count = 0;
const EVERYTHING = { wiki: true, labels: true, milestones: true, issues: true, releases: true, pull_requests: true };

const migrate = (body: Record<string, unknown>) =>
  askHere<Shown>("POST", "/repos/migrate", ada, { repo_name: `m${++count}`, service: "gitea", ...EVERYTHING, ...body });
const make = async (path: string, body: unknown): Promise<Shown> => {
  const made = await askThere<Shown>("POST", path, bob, body);
  expect([path, made.status, made.text]).toEqual([path, 201, made.text]);
  return made.body;
};

/** A repository of bob's with a bit of everything. */
async function aSource(more: Parameters<typeof aRepo>[2] = {}): Promise<{ repo: Repo; path: string; url: string }> {
  const repo = aRepo(there, bob.user, { files: { "a.txt": "a" }, description: "where it is from", ...more });
  const path = `/repos/bob/${repo.name}`;
  const bug = await make(`${path}/labels`, {
    name: "kind/bug",
    color: "#FF0000",
    description: "broken",
    exclusive: true,
  });
  const soon = await make(`${path}/milestones`, { title: "soon", description: "next", due_on: "2030-01-02T00:00:00Z" });
  await make(`${path}/milestones`, { title: "past", state: "closed" });
  await make(`${path}/issues`, { title: "one", body: "first", labels: [bug.id], milestone: soon.id, ref: "main" });
  for (let number = 1; number <= 3; number++) await make(`${path}/issues/1/comments`, { body: `comment ${number}` });
  await make(`${path}/issues`, { title: "two", closed: true });
  const release = await make(`${path}/releases`, { tag_name: "v1", name: "One", body: "notes", prerelease: true });
  const asset = { body: "asset", token: bob.token, headers: { "content-type": "application/octet-stream" } };
  const uploaded = await call(there, "POST", `/api/v1${path}/releases/${release.id}/assets?name=a.txt`, asset);
  expect(uploaded.status).toBe(201);
  await askThere("PUT", `${path}/topics`, bob, { topics: ["home", "garden"] });
  await askThere("PATCH", path, bob, { website: "https://example.org/" });
  return { repo, path, url: `${there.url}bob/${repo.name}.git` };
}

type Members = Readonly<Record<string, unknown>>;
/** What both servers say of a list, without what must differ. */
async function both(source: string, copy: string, path: string, names: readonly string[]): Promise<[unknown, unknown]> {
  const only = (list: readonly Members[]) =>
    list
      .toSorted((a, b) => Number(a["number"] ?? 0) - Number(b["number"] ?? 0))
      .map((each) => Object.fromEntries(names.map((name) => [name, each[name]])));
  const theirs = await askThere<Members[]>("GET", source + path, bob);
  const ours = await askHere<Members[]>("GET", copy + path, ada);
  return [only(ours.body), only(theirs.body)];
}

describe("an import of items", () => {
  test("from a Hearth is what is there, field by field", async () => {
    const { path, repo, url } = await aSource();
    const made = await migrate({ clone_addr: url, auth_token: bob.token });
    expect([made.status, made.text]).toEqual([201, made.text]);
    const copy = `/repos/ada/${made.body.name}`;
    for (const [list, names] of [
      ["/labels", ["name", "color", "description", "exclusive"]],
      ["/milestones?state=all", ["title", "description", "state", "due_on", "open_issues", "closed_issues"]],
      [
        "/issues?state=all&type=issues",
        ["number", "title", "body", "state", "ref", "created_at", "closed_at", "comments", "is_locked"],
      ],
      ["/issues/1/comments", ["body", "created_at", "updated_at"]],
      ["/releases", ["tag_name", "name", "body", "prerelease", "draft"]],
    ] as const) {
      const [ours, theirs] = await both(path, copy, list, names);
      expect([list, ours]).toEqual([list, theirs]);
      expect(theirs).not.toEqual([]);
    }
    const one = (await askHere<Members>("GET", `${copy}/issues/1`, ada)).body;
    expect(one).toMatchObject({
      original_author: "bob",
      original_author_id: bob.user.id,
      labels: [{ name: "kind/bug" }],
      milestone: { title: "soon" },
    });
    const [release] = (
      await askHere<{ assets: { name: string; size: number; browser_download_url: string }[] }[]>(
        "GET",
        `${copy}/releases`,
        ada,
      )
    ).body;
    expect(release?.assets).toMatchObject([{ name: "a.txt", size: 5 }]);
    const file = await call(here, "GET", new URL(release?.assets[0]?.browser_download_url ?? "").pathname, {});
    expect(file.text).toBe("asset");
    expect((await askHere<{ topics: string[] }>("GET", `${copy}/topics`, ada)).body.topics.sort()).toEqual([
      "garden",
      "home",
    ]);
    expect((await askHere<Members>("GET", copy, ada)).body).toMatchObject({
      description: repo.description,
      website: "https://example.org/",
    });
    const next = await askHere<Members>("POST", `${copy}/issues`, ada, { title: "new" });
    expect(next.body["number"]).toBe(3);
    await settled(here);
    expect((await askHere<Members[]>("GET", "/notifications", ada)).body).toEqual([]);
  });

  test("brings what is chosen and nothing else, and a mirror none", async () => {
    const { url } = await aSource();
    const chosen = await migrate({ clone_addr: url, issues: false, releases: false, milestones: false });
    const copy = `/repos/ada/${chosen.body.name}`;
    expect((await askHere<Members[]>("GET", `${copy}/issues?state=all`, ada)).body).toEqual([]);
    expect((await askHere<Members[]>("GET", `${copy}/labels`, ada)).body).toHaveLength(1);
    const mirror = await migrate({ clone_addr: url, mirror: true });
    expect((await askHere<Members[]>("GET", `/repos/ada/${mirror.body.name}/labels`, ada)).body).toEqual([]);
  });

  test("has the pinned issues and pull requests at the top, in their order, and tells nobody of it", async () => {
    const { path, url } = await aSource();
    await make(`${path}/issues`, { title: "three" });
    await make(`${path}/branches`, { new_branch_name: "topic" });
    await make(`${path}/contents/b.txt`, { content: "Yg==", branch: "topic", message: "b" });
    await make(`${path}/pulls`, { title: "pull", head: "topic", base: "main" });
    for (const number of [3, 1, 2, 4]) {
      const { status } = await askThere("POST", `${path}/issues/${number}/pin`, bob);
      expect(status).toBe(204);
    }
    const made = await migrate({ clone_addr: url });
    const copy = `/repos/ada/${made.body.name}`;
    const expected: [string, number[]][] = [
      ["/issues/pinned", [3, 1, 2]],
      ["/pulls/pinned", [4]],
    ];
    for (const [list, pinned] of expected) {
      const { body } = await askHere<Members[]>("GET", copy + list, ada);
      expect([list, body.map(({ number }) => number)]).toEqual([list, pinned]);
      expect(body.map(({ pin_order }) => pin_order)).toEqual(pinned.map((_, at) => at + 1));
    }
    const { body: timeline } = await askHere<Members[]>("GET", `${copy}/issues/3/timeline`, ada);
    expect(timeline.map(({ type }) => type)).not.toContain("pin");
  });

  test("comes with all pages", async () => {
    const { path, url } = await aSource();
    for (let number = 3; number <= 120; number++) await make(`${path}/issues`, { title: `issue ${number}` });
    const made = await migrate({ clone_addr: url });
    const head = await askHere<Members[]>("GET", `/repos/ada/${made.body.name}/issues?state=all&limit=1`, ada);
    expect(head.headers.get("x-total-count")).toBe("120");
  });
});

describe("a forge that is not what it should be", () => {
  const source = () => aRepo(there, bob.user, { files: { "a.txt": "a" } });
  const from = (forge: { url: URL }, more: Record<string, unknown> = {}) =>
    migrate({ clone_addr: `${forge.url.href}o/r.git`, ...more });

  test("is read whatever types it sends, and nothing of it becomes more than it may be", async () => {
    using forge = aForge(there, source(), (path, page) => {
      if (path === "") return { description: 7, topics: ["ok", "NOT A TOPIC", 3], website: "javascript:alert(1)" };
      if (page > 1) return [];
      if (path === "/labels") return [null, 3, { name: "" }, { name: "x".repeat(999), color: "what?" }];
      if (path === "/milestones") return [{ title: 4 }, { title: "m", due_on: "never" }];
      if (path === "/issues")
        return [
          { number: -1, title: "negative" },
          { number: 1e300, title: "huge" },
          {
            number: 7,
            title: "",
            body: { a: 1 },
            labels: "no",
            user: null,
            comments: 2,
            ref: "../../x",
            created_at: 5,
          },
          { number: 7, title: "twice" },
          { number: 8, title: "\0\ud800", state: "closed", closed_at: "?", milestone: [], created_at: "+275760-09-13" },
        ];
      if (path === "/issues/7/comments") return [{ body: 3 }, "x"];
      if (path === "/releases") return [{ tag_name: "../x" }, { tag_name: "v9", name: null, assets: [{}, 4] }];
      return [];
    });
    const made = await from(forge);
    expect([made.status, made.text]).toEqual([201, made.text]);
    const copy = `/repos/ada/${made.body.name}`;
    const issues = (await askHere<Members[]>("GET", `${copy}/issues?state=all&sort=oldest`, ada)).body;
    expect(issues.map(({ number }) => number).sort()).toEqual([7, 8]);
    expect(issues.find(({ number }) => number === 7)).toMatchObject({ title: "#7", body: "", ref: "", comments: 2 });
    expect((await askHere<Members[]>("GET", `${copy}/releases`, ada)).body).toMatchObject([
      { tag_name: "v9", draft: true },
    ]);
    expect((await askHere<{ topics: string[] }>("GET", `${copy}/topics`, ada)).body.topics).toEqual(["ok"]);
    expect(here.errors).toEqual([]);
  });

  test("pins no more than may be pinned here, and nothing that is not here", async () => {
    using forge = aForge(there, source(), (path, page) => {
      if (path === "" || page > 1) return path === "" ? {} : [];
      if (path !== "/issues") return [];
      const issues = Array.from({ length: 6 }, (_, at) => ({ number: at + 1, title: "x", pin_order: 1 }));
      return [{ number: 0, pin_order: 1 }, { number: 9, title: "y", pin_order: "1" }, ...issues];
    });
    const made = await from(forge);
    expect([made.status, made.text]).toEqual([201, made.text]);
    const { body } = await askHere<Members[]>("GET", `/repos/ada/${made.body.name}/issues/pinned`, ada);
    expect(body.map(({ number, pin_order }) => [number, pin_order])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  test("is not listened to without an end", async () => {
    const at = "2020-01-02T03:04:05Z";
    using forge = aForge(there, source(), (path, page) => {
      if (path === "" || page > 1) return path === "" ? {} : [];
      if (path === "/pulls") return [{ number: 1, title: "endless", state: "closed", created_at: at, updated_at: at }];
      if (path === "/pulls/1/reviews")
        return Array.from({ length: 300 }, (_, id) => ({
          id: id + 1,
          state: "COMMENT",
          comments_count: 100,
          submitted_at: at,
        }));
      if (path.endsWith("/comments")) return Array.from({ length: 100 }, (_, id) => ({ id, path: "a", position: 1 }));
      return [];
    });
    const made = await from(forge);
    expect([made.status, made.body.message]).toEqual([422, "Migration failed: too much was said of #1."]);
  });

  test("that says the same page for ever is asked for it twice", async () => {
    let asked = 0;
    using forge = aForge(there, source(), (path) => {
      if (path === "/labels") asked++;
      return path === "" ? {} : path === "/labels" ? [{ name: "only" }] : [];
    });
    expect((await from(forge)).status).toBe(201);
    expect(asked).toBe(2);
  });

  test.each([
    ["no JSON", () => new Response("<html>"), "could not be read"],
    ["no list", () => ({ a: 1 }), "could not be read"],
    ["an error", () => new Response("no", { status: 500 }), "answered with an error (500)"],
    ["no rights", () => new Response("no", { status: 401 }), "does not accept the credentials"],
    [
      "a second factor",
      () => new Response("no", { status: 401, headers: { "x-gitea-otp": "required" } }),
      "two factors",
    ],
    ["no end of its patience", () => new Response("no", { status: 429 }), "rate limitation"],
    ["a long rest", () => new Response("no", { status: 429, headers: { "retry-after": "86400" } }), "rate limitation"],
    ["a redirect to a private address", () => Response.redirect("http://10.0.0.1/x", 302), "disallowed hosts"],
    ["a huge answer", () => new Response(`["${"x".repeat(9 * 2 ** 20)}"]`), "too large"],
  ] as const)("with %s leaves nothing", async (_name, answer, message) => {
    const before = here.services.repos.ownedBy(ada.user).length;
    using forge = aForge(there, source(), (path) => (path === "/labels" ? answer() : path === "" ? {} : []));
    const made = await from(forge, { auth_token: "Geheim-9" });
    expect([made.status, made.body.message]).toEqual([422, expect.stringContaining(message)]);
    expect(made.text).not.toContain("Geheim");
    expect(here.services.repos.ownedBy(ada.user).length).toBe(before);
  });

  test("is asked again after the rest that it wants", async () => {
    let isFirst = true;
    using forge = aForge(there, source(), (path) => {
      if (path !== "/labels") return path === "" ? {} : [];
      if (!isFirst) return [{ name: "after" }];
      isFirst = false;
      return new Response("wait", { status: 429, headers: { "retry-after": "0" } });
    });
    const made = await from(forge);
    expect(made.status).toBe(201);
    expect((await askHere<Members[]>("GET", `/repos/ada/${made.body.name}/labels`, ada)).body).toMatchObject([
      { name: "after" },
    ]);
  });

  test("like GitHub tells of pull requests among issues, which stay there", async () => {
    const asked: string[] = [];
    using forge = aForge(there, source(), (path, page) => {
      asked.push(path);
      if (path === "") return { description: "hub", homepage: "https://example.org/" };
      if (path !== "/issues" || page > 1) return [];
      const at = "2020-01-02T03:04:05Z";
      const user = { login: "octo", id: 9 };
      return [
        { number: 1, title: "issue", user, state: "open", created_at: at, updated_at: at, comments: 0, locked: true },
        { number: 2, title: "pull", user, state: "open", created_at: at, updated_at: at, pull_request: { url: "x" } },
      ];
    });
    const made = await from(forge, { service: "github" });
    expect(made.status).toBe(201);
    const issues = await askHere<Members[]>("GET", `/repos/ada/${made.body.name}/issues?state=all`, ada);
    expect(issues.body).toMatchObject([
      {
        number: 1,
        title: "issue",
        original_author: "octo",
        original_author_id: 9,
        is_locked: true,
        created_at: "2020-01-02T03:04:05Z",
      },
    ]);
    expect(made.body.description === "" || made.body.description === "hub").toBe(true);
    expect(asked).toContain("/releases");
  });
});
