import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  call,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { gitEnvironment, gitText } from "../../git/objects/real-git.ts";

/** Wikis over REST and git: who may, what happens at once, and what becomes of them with their repository. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);
const folders: string[] = [];

beforeAll(async () => {
  server = await aServer({ "repository.trash_hours": 0 });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  expect(errors).toEqual([]);
});

interface Page {
  readonly title: string;
  readonly sub_url: string;
  readonly content_base64: string;
  readonly commit_count: number;
  readonly last_commit: { readonly sha: string };
}

const wikiOf = (name: string, owner = "ada") => `/repos/${owner}/${name}/wiki`;
const body = (title: string, text: string, more: Record<string, unknown> = {}) => ({
  title,
  content_base64: Buffer.from(text).toString("base64"),
  ...more,
});
const textOf = ({ content_base64 }: Page) => Buffer.from(content_base64, "base64").toString();
const titles = async (name: string, who: TestUser = ada) =>
  (await api<Page[]>("GET", `${wikiOf(name)}/pages`, who)).body.map(({ title }) => title);

async function aWiki(name: string, request: Parameters<typeof aRepo>[2] = {}) {
  const repo = aRepo(server, ada.user, { name, files: { "a.md": "code\n" }, ...request });
  expect((await api("POST", `${wikiOf(name)}/new`, ada, body("Home", "hello"))).status).toBe(201);
  return repo;
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-wiki-"));
  folders.push(folder);
  return folder;
}

/** Git, while this process answers it. */
async function git(cwd: string, ...args: string[]): Promise<{ ok: boolean; said: string }> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" },
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return { ok: (await child.exited) === 0, said };
}

function addressFor(user: TestUser | undefined, name: string, owner = "ada"): string {
  const url = new URL(`${owner}/${name}.wiki.git`, server.url);
  if (user) {
    url.username = user.user.login;
    url.password = user.token;
  }
  return url.href;
}

describe("written at once", () => {
  test("of two pages of one title one is made, and no page is lost", async () => {
    aRepo(server, ada.user, { name: "busy" });
    const path = `${wikiOf("busy")}/new`;
    const same = await Promise.all([1, 2, 3].map((n) => api("POST", path, ada, body("Same", `${n}`))));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const names = Array.from({ length: 12 }, (_, n) => `Page ${String(n).padStart(2, "0")}`);
    const made = await Promise.all(names.map((name) => api("POST", path, ada, body(name, name))));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await titles("busy")).toEqual([...names, "Same"]);
    const list = await api<{ count: number }>("GET", `${wikiOf("busy")}/revisions/Page-03`, ada);
    expect(list.body.count).toBe(1);
  });

  test("a change of what was not seen is refused, and loses nothing", async () => {
    await aWiki("seen");
    const { repos, wikiEdits, wikis } = server.services;
    const seen = repos.see(asAccount(ada.user), "ada", "seen", () => "");
    const { oid } = await wikis.get(wikis.requireWritten(seen), "Home");
    const content = (text: string) => new TextEncoder().encode(text);
    await wikiEdits.edit(seen, "Home", { title: "", content: content("first"), expected: oid });
    for (const change of [
      () => wikiEdits.edit(seen, "Home", { title: "", content: content("second"), expected: oid }),
      () => wikiEdits.delete(seen, "Home", { expected: oid }),
    ])
      expect(await change().catch((error: unknown) => error)).toMatchObject({ code: "wiki.changed-meanwhile" });
    expect(textOf((await api<Page>("GET", `${wikiOf("seen")}/page/Home`, ada)).body)).toBe("first");
  });

  test("a page that gets another title alone keeps its text", async () => {
    await aWiki("titled");
    const moved = await api<Page>("PATCH", `${wikiOf("titled")}/page/Home`, ada, { title: "Start", message: "moved" });
    expect([moved.status, moved.body.title, textOf(moved.body)]).toEqual([200, "Start", "hello"]);
    const emptied = await api<Page>("PATCH", `${wikiOf("titled")}/page/Start`, ada, { content_base64: "" });
    expect([emptied.status, emptied.body.title, textOf(emptied.body)]).toEqual([200, "Start", ""]);
  });

  test("the same text again makes no commit", async () => {
    await aWiki("same");
    const before = await api<Page>("GET", `${wikiOf("same")}/page/Home`, ada);
    const after = await api<Page>("PATCH", `${wikiOf("same")}/page/Home`, ada, body("", "hello"));
    expect([after.status, after.body]).toEqual([200, before.body]);
  });
});

describe("who may", () => {
  test("a team with the wiki's unit writes the wiki and sees no code; without it there is no wiki", async () => {
    const organization = anOrganization(server, ada.user, { login: "acme" });
    aRepo(server, organization, { name: "plant", creator: ada.user, isPrivate: true, files: { "a.md": "a\n" } });
    const [carl, dora] = [await aUser(server, { login: "carl" }), await aUser(server, { login: "dora" })];
    for (const team of [
      aTeam(server, organization, { members: [carl.user], unitsMap: { "repo.wiki": "write" } }),
      aTeam(server, organization, { members: [dora.user], unitsMap: { "repo.code": "write" } }),
    ])
      expect((await api("PUT", `/teams/${team.id}/repos/acme/plant`, ada)).status).toBe(204);
    const path = wikiOf("plant", "acme");
    expect((await api("POST", `${path}/new`, dora, body("Home", "x"))).status).toBe(404);
    expect((await api("POST", `${path}/new`, carl, body("Home", "x"))).status).toBe(201);
    for (const below of ["/pages", "/page/Home", "/revisions/Home"]) {
      expect((await api("GET", path + below, carl)).status).toBe(200);
      expect((await api("GET", path + below, dora)).status).toBe(404);
      expect((await api("GET", path + below, bob)).status).toBe(404);
    }
    const work = aFolder();
    expect((await git(work, "clone", "-q", addressFor(carl, "plant", "acme"), "w")).ok).toBe(true);
    expect((await git(work, "clone", "-q", addressFor(dora, "plant", "acme"), "x")).said).toContain("not found");
  });

  test("a token that may only read does not push, one of the public only sees no private wiki", async () => {
    await aWiki("tokens", { isPrivate: true });
    const reader = { ...ada, token: aToken(server, ada.user, ["read:repository"]) };
    const open = { ...ada, token: aToken(server, ada.user, ["public-only", "write:repository"]) };
    expect((await api("DELETE", `${wikiOf("tokens")}/page/Home`, reader)).status).toBe(403);
    expect((await api("GET", `${wikiOf("tokens")}/page/Home`, open)).status).toBe(404);
    const asked = (who: TestUser, service: string) =>
      call(server, "GET", `/ada/tokens.wiki.git/info/refs?service=git-${service}`, { basic: ["ada", who.token] });
    expect((await asked(reader, "upload-pack")).status).toBe(200);
    expect((await asked(reader, "receive-pack")).status).toBe(403);
    expect((await asked(open, "upload-pack")).status).toBe(403);
  });

  test("over git: readers clone and may not push, archived and switched-off wikis are closed", async () => {
    await aWiki("gate");
    const refs = (name: string, service: string, who?: TestUser) =>
      call(server, "GET", `/ada/${name}/info/refs?service=git-${service}`, {
        ...(who ? { basic: [who.user.login, who.token] as const } : {}),
      });
    for (const name of ["gate.wiki", "gate.wiki.git", "GATE.Wiki.git"])
      expect([name, (await refs(name, "upload-pack")).status]).toEqual([name, 200]);
    expect((await refs("gate.wiki.git", "receive-pack")).status).toBe(401);
    const refused = await refs("gate.wiki.git", "receive-pack", bob);
    expect([refused.status, refused.text]).toEqual([404, "Repository not found\n"]);
    await api("PATCH", "/repos/ada/gate", ada, { archived: true });
    expect((await refs("gate.wiki.git", "receive-pack", ada)).status).toBe(403);
    expect((await refs("gate.wiki.git", "upload-pack")).status).toBe(200);
    await api("PATCH", "/repos/ada/gate", ada, { archived: false, has_wiki: false });
    for (const who of [undefined, bob, ada]) {
      const closed = await refs("gate.wiki.git", "upload-pack", who);
      expect([closed.status, closed.text]).toEqual([403, "repository wiki is disabled\n"]);
    }
    expect((await refs("gate.wiki.git", "receive-pack")).status).toBe(401);
    expect((await refs("never.wiki.git", "receive-pack", ada)).status).toBe(404);
  });
});

describe("over git", () => {
  test("a first push begins the wiki on its own branch, and says nothing as an event of a page", async () => {
    aRepo(server, ada.user, { name: "pushed", files: { "a.md": "a\n" } });
    const work = aFolder();
    gitText(["init", "-q", "-b", "trunk"], { cwd: work });
    for (const [name, text] of Object.entries({
      "Home.md": "by git\n",
      "New page.md": "blank\n",
      "New-page.md": "dash\n",
      "picture.png": "no page",
      "Plain name.md": "plain\n",
    }))
      writeFileSync(join(work, name), text);
    gitText(["add", "."], { cwd: work });
    gitText(["commit", "-qm", "all"], { cwd: work });
    expect((await git(work, "push", "-q", addressFor(bob, "pushed"), "trunk")).ok).toBe(false);
    expect((await git(work, "push", "-q", addressFor(ada, "pushed"), "trunk")).ok).toBe(true);
    const pages = await api<Page[]>("GET", `${wikiOf("pushed")}/pages`, bob);
    expect(pages.headers.get("x-total-count")).toBe("5");
    expect(pages.body.map(({ title, sub_url }) => [title, sub_url])).toEqual([
      ["Home", "Home"],
      ["New page", "New%20page.md"],
      ["New page", "New-page"],
      ["Plain name", "Plain-name"],
    ]);
    for (const [page, text] of [
      ["New%20page.md", "blank\n"],
      ["New-page", "dash\n"],
      ["Plain-name", "plain\n"],
      ["Plain+name", "plain\n"],
    ])
      expect(textOf((await api<Page>("GET", `${wikiOf("pushed")}/page/${page}`, bob)).body)).toBe(String(text));
    // A page that exists under its plain name is changed where it is, and not made twice.
    expect((await api("POST", `${wikiOf("pushed")}/new`, ada, body("Plain name", "x"))).status).toBe(400);
    await api("PATCH", `${wikiOf("pushed")}/page/Plain-name`, ada, body("", "changed"));
    expect((await titles("pushed")).filter((title) => title === "Plain name")).toHaveLength(1);
    const kinds = server.core.db
      .query<{ kind: string }>("SELECT kind FROM events WHERE kind LIKE 'wiki.%' ORDER BY id DESC LIMIT 1")
      .all();
    expect(kinds).toEqual([{ kind: "wiki.edited" }]);
    expect((await git(work, "push", "-q", addressFor(ada, "pushed"), "HEAD:refs/for/trunk")).said).toContain(
      "not supported on the wiki",
    );
  });
});

describe("events", () => {
  test("tell of pages with their names and messages, with the wiki's unit", async () => {
    const repo = await aWiki("told");
    const path = wikiOf("told");
    await api("POST", `${path}/new`, ada, body("Test Wiki Page", "1", { message: "made it" }));
    await api("PATCH", `${path}/page/Test-Wiki-Page`, ada, body("Test Wiki Page", "2", { message: "more" }));
    await api("PATCH", `${path}/page/Test-Wiki-Page`, ada, body("Other", "2"));
    await api("DELETE", `${path}/page/Other`, ada);
    const events = server.core.db
      .query<{ kind: string; unit: string; payload: string }>(
        "SELECT kind, unit, payload FROM events WHERE kind LIKE 'wiki.%' AND repo_id = ? ORDER BY id",
      )
      .all(repo.id);
    expect(events.map(({ kind, unit, payload }) => [kind, unit, JSON.parse(payload)])).toEqual([
      ["wiki.created", "wiki", { page: "Home", comment: 'Add "Home"' }],
      ["wiki.created", "wiki", { page: "Test-Wiki-Page", comment: "made it" }],
      ["wiki.edited", "wiki", { page: "Test-Wiki-Page", comment: "more" }],
      ["wiki.edited", "wiki", { page: "Other", comment: 'Update "Other"' }],
      ["wiki.deleted", "wiki", { page: "Other", comment: "" }],
    ]);
  });
});

describe("with its repository", () => {
  test("it is renamed, given away, binned and restored; a fork has none", async () => {
    await aWiki("moving");
    await api("PATCH", "/repos/ada/moving", ada, { name: "moved" });
    const former = await call(server, "GET", "/ada/moving.wiki.git/info/refs?service=git-upload-pack");
    expect([former.status, former.headers.get("location")]).toEqual([
      301,
      "/ada/moved.wiki.git/info/refs?service=git-upload-pack",
    ]);
    expect((await api("POST", "/repos/ada/moved/forks", bob, {})).status).toBe(202);
    expect((await api("GET", "/repos/bob/moved/wiki/pages", bob)).status).toBe(404);
    await api("DELETE", "/repos/bob/moved", bob);
    const repo = server.services.repos.see(asAccount(ada.user), "ada", "moved", () => "").repo;
    server.services.repos.changeOwner(asAccount(ada.user), repo, bob.user);
    expect((await api<Page[]>("GET", "/repos/bob/moved/wiki/pages", bob)).body).toHaveLength(1);
    await api("DELETE", "/repos/bob/moved", bob);
    expect((await api("GET", "/repos/bob/moved/wiki/pages", bob)).status).toBe(404);
    const { bin } = server.services;
    const [binned] = bin.list(asAccount(bob.user), [bob.user], { page: 1, limit: 5, offset: 0 }).items;
    if (!binned) throw new Error("nothing is in the bin");
    bin.restore(asAccount(bob.user), binned.id);
    expect((await api<Page>("GET", "/repos/bob/moved/wiki/page/Home", bob)).status).toBe(200);
  });

  test("the whole wiki is taken away by its owner alone, and begun anew", async () => {
    const repo = await aWiki("whole");
    const { repos, storage, wikiEdits, folders: gitFolders } = server.services;
    const seenBy = (user: TestUser) => repos.see(asAccount(user.user), "ada", "whole", () => "");
    expect(() => wikiEdits.remove(seenBy(bob))).toThrow();
    const folder = gitFolders.find(repo.id, "wiki");
    wikiEdits.remove(seenBy(ada));
    expect(() => wikiEdits.remove(seenBy(ada))).toThrow();
    expect((await api("GET", `${wikiOf("whole")}/pages`, ada)).status).toBe(404);
    await settled(server);
    expect(await Bun.file(join(storage.dirOf(folder?.id ?? 0), "HEAD")).exists()).toBe(false);
    expect((await api("POST", `${wikiOf("whole")}/new`, ada, body("Home", "anew"))).status).toBe(201);
    const list = await api<{ count: number }>("GET", `${wikiOf("whole")}/revisions/`, ada);
    expect(list.body.count).toBe(1);
  });

  test("of SHA-256 has ids of that format", async () => {
    await api("POST", "/user/repos", ada, { name: "wide", object_format_name: "sha256" });
    await api("POST", `${wikiOf("wide")}/new`, ada, body("Home", "wide"));
    expect((await api<Page>("GET", `${wikiOf("wide")}/page/Home`, ada)).body.last_commit.sha).toHaveLength(64);
  });
});

test("an archived repository's wiki is closed in the words of archived repositories", async () => {
  await aWiki("closed");
  const path = wikiOf("closed");
  expect((await api("PATCH", "/repos/ada/closed", ada, { archived: true })).status).toBe(200);
  const answers = [
    await api("POST", `${path}/new`, ada, body("More", "x")),
    await api("PATCH", `${path}/page/Home`, ada, body("Home", "x")),
    await api("DELETE", `${path}/page/Home`, ada),
  ];
  for (const { status, body: said } of answers) expect([status, said["message"]]).toEqual([423, "repo is archived"]);
  expect((await api("GET", `${path}/page/Home`, ada)).status).toBe(200);
});

test("where everyone may write, readers do, but not visitors, nor whom the owner blocks", async () => {
  await aWiki("shared");
  const path = wikiOf("shared");
  const frank = await aUser(server, { login: "frank" });
  let count = 0;
  const made = () => api("POST", `${path}/new`, frank, body(`By frank ${++count}`, "x"));
  expect((await made()).status).toBe(403);
  const edited = await api("PATCH", "/repos/ada/shared", ada, { globally_editable_wiki: true });
  expect([edited.status, edited.body["globally_editable_wiki"]]).toEqual([200, true]);
  expect((await made()).status).toBe(201);
  expect((await api("POST", `${path}/new`, undefined, body("No", "x"))).status).toBe(401);
  expect((await api("POST", "/repos/ada/shared/contents/b.md", frank, { content: "eA==" })).status).toBe(403);
  const work = aFolder();
  expect((await git(work, "clone", "-q", addressFor(frank, "shared"), "w")).ok).toBe(true);
  const commitAndPush = async () => {
    gitText(["commit", "-q", "--allow-empty", "-m", "more"], { cwd: join(work, "w") });
    return git(join(work, "w"), "push", "-q", "origin", "HEAD");
  };
  expect((await commitAndPush()).ok).toBe(true);
  expect((await api("PUT", "/user/blocks/frank", ada)).status).toBe(204);
  expect((await made()).status).toBe(403);
  expect((await api("DELETE", `${path}/page/Home`, frank)).status).toBe(403);
  expect((await commitAndPush()).said).toContain("blocked");
  await api("PATCH", "/repos/ada/shared", ada, { has_wiki: false });
  const back = await api("PATCH", "/repos/ada/shared", ada, { has_wiki: true });
  expect(back.body["globally_editable_wiki"]).toBe(false);
});

test("the branch that is shown is one of the wiki's own", async () => {
  aRepo(server, ada.user, { name: "branches" });
  expect((await api("GET", "/repos/ada/branches", ada)).body["wiki_branch"]).toBeUndefined();
  await api("POST", `${wikiOf("branches")}/new`, ada, body("Home", "main"));
  const work = aFolder();
  await git(work, "clone", "-q", addressFor(ada, "branches"), "w");
  gitText(["checkout", "-q", "-b", "next"], { cwd: join(work, "w") });
  writeFileSync(join(work, "w", "Next.md"), "next\n");
  gitText(["add", "."], { cwd: join(work, "w") });
  gitText(["commit", "-qm", "next"], { cwd: join(work, "w") });
  expect((await git(join(work, "w"), "push", "-q", "origin", "next")).ok).toBe(true);
  expect(await titles("branches")).toEqual(["Home"]);
  const set = async (branch: string) =>
    (await api("PATCH", "/repos/ada/branches", ada, { wiki_branch: branch })).body["wiki_branch"];
  expect(await set("next")).toBe("next");
  expect(await titles("branches")).toEqual(["Home", "Next"]);
  expect(await set("none")).toBe("next");
  const listed = await api<{ name: string; wiki_branch?: string }[]>("GET", "/users/ada/repos?limit=50", ada);
  expect(listed.body.find(({ name }) => name === "branches")?.wiki_branch).toBe("next");
  await git(work, "clone", "-q", addressFor(ada, "branches"), "again");
  expect(gitText(["branch", "--show-current"], { cwd: join(work, "again") })).toBe("next");
});

test("a quota of wikis refuses pages and pushes, and lets pages be deleted", async () => {
  const full = await aServer({ "quota.enabled": true });
  const root = await aUser(full, { login: "root", isAdmin: true });
  const eve = await aUser(full, { login: "eve" });
  const ask = anApi(() => full);
  aRepo(full, eve.user, { name: "full" });
  expect((await ask("POST", "/repos/eve/full/wiki/new", eve, body("Home", "first"))).status).toBe(201);
  const rules = [{ name: "none", limit: 0, subjects: ["size:assets:wiki"] }];
  expect((await ask("POST", "/admin/quota/groups", root, { name: "full", rules })).status).toBe(201);
  await ask("POST", "/admin/users/eve/quota/groups", root, { groups: ["full"] });
  const refused = await ask("POST", "/repos/eve/full/wiki/new", eve, body("More", "x"));
  expect([refused.status, refused.body["message"]]).toEqual([413, "quota exceeded"]);
  expect((await ask("PATCH", "/repos/eve/full/wiki/page/Home", eve, body("", "longer text"))).status).toBe(413);
  const work = aFolder();
  const door = new URL(`http://eve:${eve.token}@${new URL(full.url).host}/eve/full.wiki.git`).href;
  expect((await git(work, "clone", "-q", door, "w")).ok).toBe(true);
  gitText(["commit", "-q", "--allow-empty", "-m", "more"], { cwd: join(work, "w") });
  const push = await git(join(work, "w"), "push", "-q", "origin", "HEAD");
  expect([push.ok, push.said.includes("quota exceeded")]).toEqual([false, true]);
  expect((await ask("DELETE", "/repos/eve/full/wiki/page/Home", eve)).status).toBe(204);
  const { errors } = full;
  await full.close();
  expect(errors).toEqual([]);
});

describe("hostile", () => {
  test("names, paths and texts of every kind are pages or clear refusals", async () => {
    await aWiki("odd");
    const path = wikiOf("odd");
    for (const title of ["../../etc/passwd", "..\\x", ".git", "con", "a/../b", "-", "~", "x".repeat(252), "\u202e"]) {
      const made = await api<Page>("POST", `${path}/new`, ada, body(title, "odd"));
      expect([title, made.status]).toEqual([title, 201]);
      const read = await api<Page>("GET", `${path}/page/${made.body.sub_url}`, ada);
      expect([title, read.status, read.body.title]).toEqual([title, 200, title]);
    }
    expect((await api("POST", `${path}/new`, ada, body("y".repeat(10_000), "x"))).status).toBe(400);
    for (const given of [{ title: 7 }, { title: "T", content_base64: {} }, [], "text", null])
      expect([400, 422]).toContain((await api("POST", `${path}/new`, ada, given)).status);
    for (const name of ["z".repeat(4_000), "%2e%2e", "%2F", "b%2F..%2Fa", "Home%00", "%ff", "Home/..", "*"])
      expect([400, 404]).toContain((await api("GET", `${path}/page/${name}`, ada)).status);
    const huge = Buffer.alloc(10 * 2 ** 20 + 1, 97).toString("base64");
    const large = await api("POST", `${path}/new`, ada, { title: "Huge", content_base64: huge });
    expect(large.status).toBe(413);
    const bytes = await api<Page>("POST", `${path}/new`, ada, { title: "Bytes", content_base64: "AP8AgA==" });
    expect([bytes.status, bytes.body.content_base64]).toEqual([201, "AP8AgA=="]);
    for (const page of ["0", "-1", "99999999999999999999", "x"])
      expect((await api("GET", `${path}/revisions/Home?page=${page}`, ada)).status).toBe(200);
  });
});
