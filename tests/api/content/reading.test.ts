import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
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
import { git, gitText } from "../../git/objects/real-git.ts";
import { newSeed, random } from "../../random.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  bob = await aUser(server);
});
afterAll(() => server.close());

const api = <Body = Json>(method: string, path: string, who?: TestUser, more: CallOptions = {}) =>
  call<Body>(server, method, `/api/v1${path}`, { token: who?.token, ...more });

/** A history of `count` commits that each change a few files, written by real git into the repository's folder. */
async function aHistory(count: number, seed: number, isPrivate = false) {
  const repo = aRepo(server, ada.user, { isPrivate });
  const { refs, storage } = server.services;
  await refs.projected();
  const dir = storage.dirOf(repo.id);
  const next = random(seed);
  const lines: string[] = [];
  for (let n = 1; n <= count; n++) {
    lines.push("commit refs/heads/main", `author A <a@example.org> ${1_600_000_000 + n * 60} +0200`);
    lines.push(`committer C <c@example.org> ${1_600_000_000 + n * 60} +0200`, "data <<END", `commit ${n}`, "END");
    for (let file = 0; file < 3; file++) {
      const path = `d${Math.floor(next() * 5)}/f${Math.floor(next() * 12)}.txt`;
      lines.push(`M 100644 inline ${path}`, "data <<END", `${n} ${Math.floor(next() * 1e9)}`, "END");
    }
    lines.push("");
  }
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: lines.join("\n") });
  const tip = gitText(["-C", dir, "rev-parse", "main"]);
  refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [{ name: "refs/heads/main", oldOid: null, newOid: tip }],
    atomic: true,
  });
  await refs.projected();
  return { repo, dir, tip, path: `/repos/${ada.login}/${repo.name}` };
}

describe.each([
  ["a small history, read right here", 60],
  ["a large history, read in workers", 900],
])("%s", (_, count) => {
  const seed = newSeed();
  const makeBook = () => aHistory(count, seed);
  let book: Awaited<ReturnType<typeof makeBook>>;
  let file: string;
  beforeAll(async () => {
    book = await makeBook();
    // Some file that is old enough to be there in the revisions below.
    file = gitText(["-C", book.dir, "ls-tree", "-r", "--name-only", "main~9", "d1/"]).split("\n")[0] ?? "";
  });
  const log = (...args: string[]) =>
    gitText(["-C", book.dir, "log", "--format=%H", ...args])
      .split("\n")
      .filter(Boolean);
  const shas = (answer: { body: { sha: string }[] }) => answer.body.map(({ sha }) => sha);

  test("is on the side that was meant", () => {
    const seen = server.services.repos.seeById(operator, book.repo.id);
    if (!seen) throw new Error("the repository is gone");
    expect(server.services.history.isSmall(seen)).toBe(count < 500);
  });

  test("ancestors are found by any number of steps", async () => {
    const ancestor = async (revision: string) =>
      (await api<{ sha?: string }>("GET", `${book.path}/git/trees/${revision}`)).body.sha;
    for (const revision of ["main~0", "main~1", `main~${count - 1}`, `main~${count - 2}~`, "main~7^1~3"])
      expect([revision, await ancestor(encodeURIComponent(revision))]).toEqual([
        revision,
        gitText(["-C", book.dir, "rev-parse", revision]),
      ]);
    for (const revision of [`main~${count}`, "main~1000000", "main~99999999999999999999"]) {
      const { status } = await api("GET", `${book.path}/git/trees/${revision}`);
      expect([revision, status]).toEqual([revision, 400]);
    }
  });

  test("commits come as git logs them, by page, path, date and range", async () => {
    const list = (query: string) =>
      api<{ sha: string }[]>("GET", `${book.path}/commits?stat=false&files=false&${query}`);
    expect(shas(await list("limit=20&page=2"))).toEqual(log("--skip=20", "-20", "main"));
    expect(shas(await list(`limit=50&path=${file}`))).toEqual(log("-50", "main", "--", file));
    expect(shas(await list("limit=50&path=d2"))).toEqual(log("-50", "main", "--", "d2"));
    const since = new Date((1_600_000_000 + (count - 30) * 60) * 1000).toISOString();
    const until = new Date((1_600_000_000 + (count - 10) * 60) * 1000).toISOString();
    const dated = await list(`limit=50&since=${since}&until=${until}`);
    expect(shas(dated)).toEqual(log(`--since=${since}`, `--until=${until}`, "main"));
    expect(dated.headers.get("x-total")).toBe("21");
    expect(shas(await list("limit=50&sha=main~3&not=main~9"))).toEqual(log("main~9..main~3"));
    expect((await list("limit=1")).headers.get("x-total-count")).toBe(String(count));
    expect((await list("path=nope")).status).toBe(404);
  });

  test("changed files and lines are those of git", async () => {
    interface Change {
      sha: string;
      files: { filename: string; status: string }[];
      stats: { additions: number; deletions: number };
    }
    const { body } = await api<Change[]>("GET", `${book.path}/commits?limit=10`);
    for (const { sha, files, stats } of body) {
      const rows = gitText(["-C", book.dir, "show", "--format=", "--numstat", "--no-renames", sha]).split("\n");
      const numbers = rows.map((row) => row.split("\t"));
      expect(files.map(({ filename }) => filename).sort()).toEqual(numbers.map(([, , name]) => name ?? "").sort());
      expect(stats.additions).toBe(numbers.reduce((sum, [added]) => sum + Number(added), 0));
      expect(stats.deletions).toBe(numbers.reduce((sum, [, deleted]) => sum + Number(deleted), 0));
    }
  });

  test("a folder names the last commit of each entry, a file its own", async () => {
    const folder = await api<{ path: string; last_commit_sha: string }[]>("GET", `${book.path}/contents/d1`);
    for (const entry of folder.body) expect(entry.last_commit_sha).toBe(log("-1", "main", "--", entry.path)[0] ?? "");
    const older = await api("GET", `${book.path}/contents/${file}?ref=main~7`);
    expect(older.body["last_commit_sha"]).toBe(log("-1", "main~7", "--", file)[0] ?? "");
    const raw = await api("GET", `${book.path}/raw/${file}?ref=main`);
    expect(raw.text).toBe(`${gitText(["-C", book.dir, "show", `main:${file}`])}\n`);
    const seconds = Number(gitText(["-C", book.dir, "log", "-1", "--format=%ct", "main", "--", file]));
    expect(Date.parse(raw.headers.get("last-modified") ?? "")).toBe(seconds * 1000);
  });

  test("trees are listed and counted as git lists them", async () => {
    interface Tree {
      tree: { path: string; sha: string }[];
      total_count: number;
      truncated: boolean;
    }
    const { body } = await api<Tree>("GET", `${book.path}/git/trees/main?recursive=1&per_page=10&page=2`);
    const rows = gitText(["-C", book.dir, "ls-tree", "-r", "-t", "main"]).split("\n");
    expect(body.total_count).toBe(rows.length);
    expect(body.tree.map(({ path }) => path)).toEqual(rows.slice(10, 20).map((row) => row.split("\t")[1] ?? ""));
    // Neither nothing nor less than nothing is a size of a page; it used to mean one entry.
    for (const size of ["0", "-5", "", "many"]) {
      const usual = await api<Tree>("GET", `${book.path}/git/trees/main?recursive=1&per_page=${size}`);
      expect([size, usual.body.tree.length]).toEqual([size, rows.length]);
    }
  });

  test("a patch applies", async () => {
    const patch = await api("GET", `${book.path}/git/commits/main.patch`);
    expect(patch.text).toStartWith(`From ${book.tip} `);
    // As `git format-patch --no-signature` writes it.
    expect(patch.text).not.toMatch(/\n-- \n.*\n+$/);
    const compared = await api<{ total_commits: number }>("GET", `${book.path}/compare/main~12...main`);
    expect(compared.body.total_commits).toBe(12);
  });
});

test("the accounts behind commits come with their counts, as everywhere", async () => {
  const eva = await aUser(server, { login: "eva" });
  const { name } = aRepo(server, eva.user, { name: "counted", files: { "a.txt": "a" } });
  expect((await api("PUT", `/user/starred/eva/${name}`, eva)).status).toBe(204);
  const [shown] = (await api<{ author: Json; committer: Json }[]>("GET", `/repos/eva/${name}/commits`)).body;
  expect(shown?.author).toMatchObject({ login: "eva", starred_repos_count: 1 });
  expect(shown?.committer).toEqual(shown?.author ?? {});
});

describe("what no one should get", () => {
  test("hostile revisions, ids and paths are answered without an error on every route that reads", async () => {
    const book = await aHistory(3, 1);
    const values = [
      "%00",
      "%ff",
      "..",
      "-x",
      "--upload-pack=x",
      "a..b",
      "@{0}",
      "HEAD@{1}",
      ":/x",
      "^",
      "~1",
      "main^{/x}",
      "main^{commit}^{",
      "0".repeat(40),
      "0".repeat(39),
      "f".repeat(5000),
      "refs/heads/../../x",
      "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
      "%F0%9F%92%A9",
      "a%0ab",
      `main${"~1".repeat(500)}`,
      "main~99999999999",
      "constructor",
      "__proto__",
    ];
    const routes = [
      "contents/",
      "contents-ext/",
      "git/blobs/",
      "git/trees/",
      "git/tags/",
      "git/notes/",
      "git/commits/",
      "git/refs/",
      "branches/",
      "tags/",
      "compare/",
      "compare/main...",
      "raw/",
      "media/",
    ];
    const queries = [
      "contents?ref=",
      "commits?sha=",
      "commits?not=",
      "commits?path=",
      "commits?since=",
      "raw/x?ref=",
      "file-contents?body=",
    ];
    for (const value of values) {
      for (const route of [...routes, ...queries]) {
        const { status } = await api("GET", `${book.path}/${route}${value}`);
        expect([route, value, status < 500]).toEqual([route, value, true]);
      }
    }
    expect(server.errors).toEqual([]);
  });

  test("ids of another repository's objects are as unknown as random ones", async () => {
    const secret = await aHistory(3, 2, true);
    const own = await aHistory(3, 3);
    const blob = gitText(["-C", secret.dir, "ls-tree", "-r", "main"]).split(/\s+/)[2] ?? "";
    const tree = gitText(["-C", secret.dir, "rev-parse", "main^{tree}"]);
    const random40 = "1234567890123456789012345678901234567890";
    for (const [route, id] of [
      ["git/blobs/", blob],
      ["git/trees/", tree],
      ["git/commits/", secret.tip],
      ["git/tags/", secret.tip],
      ["contents/d1?ref=", secret.tip],
      ["compare/main...", secret.tip],
      ["commits?sha=", secret.tip],
    ] as const) {
      const foreign = await api("GET", `${own.path}/${route}${id}`, bob);
      const unknown = await api("GET", `${own.path}/${route}${random40}`, bob);
      expect([route, foreign.status, foreign.text]).toEqual([
        route,
        unknown.status,
        unknown.text.replaceAll(random40, id),
      ]);
      expect(foreign.status).toBeGreaterThanOrEqual(400);
      expect((await api("GET", `${secret.path}/${route}${id}`, bob)).status).toBe(404);
    }
  });

  test("reading takes the scope, and what is private stays so on every route", async () => {
    const secret = await aHistory(2, 4, true);
    const narrow = aToken(server, ada.user, ["read:issue"]);
    const publicOnly = aToken(server, ada.user, ["all", "public-only"]);
    const routes = [
      "contents",
      "contents/d1",
      "branches",
      "branches/main",
      "tags",
      "commits",
      "git/refs",
      "git/trees/main",
      "git/commits/main",
      "compare/main...main",
      "raw/d1/f1.txt",
      "languages",
      "licenses",
      "collaborators",
    ];
    for (const route of routes) {
      expect([route, (await api("GET", `${secret.path}/${route}`)).status]).toEqual([route, 404]);
      expect([route, (await api("GET", `${secret.path}/${route}`, bob)).status]).toEqual([route, 404]);
      expect([route, (await api("GET", `${secret.path}/${route}`, undefined, { token: narrow })).status]).toEqual([
        route,
        403,
      ]);
      expect([route, (await api("GET", `${secret.path}/${route}`, undefined, { token: publicOnly })).status]).toEqual([
        route,
        404,
      ]);
    }
    const web = await fetch(`${server.url}${ada.login}/${secret.repo.name}/raw/branch/main/d1/f1.txt`);
    expect(web.status).toBe(404);
  });

  test("with the code switched off only administrators read it", async () => {
    const book = await aHistory(2, 5);
    await api("PATCH", book.path, ada, { body: { has_code: false } });
    for (const route of ["contents", "commits", "branches", "raw/d1/f1.txt", "languages"]) {
      expect([route, (await api("GET", `${book.path}/${route}`, bob)).status]).toEqual([route, 403]);
      expect([route, (await api("GET", `${book.path}/${route}`, ada)).status < 500]).toEqual([route, true]);
    }
    expect((await api("GET", `${book.path}/contents`, ada)).status).toBe(200);
  });
});

test("of several paths directories are named too, and only what is not there is null", async () => {
  const repo = aRepo(server, ada.user, { files: { "docs/a.md": "a\n" } });
  const files = ["docs", "docs/a.md", "nope", "../docs/.git", ""];
  const path = `/repos/${ada.login}/${repo.name}/file-contents`;
  const { body } = await api<(Json | null)[]>("POST", path, ada, { body: { files } });
  const shown = body.map((entry) => entry && [entry["path"], entry["type"], entry["content"]]);
  expect(shown).toEqual([["docs", "dir", null], ["docs/a.md", "file", btoa("a\n")], null, null, null]);
});

test("size and languages follow a push", async () => {
  const repo = aRepo(server, ada.user, {
    files: { "main.go": "package main\n", "vendor/x.go": "package x\n".repeat(100) },
  });
  const languages = () => api("GET", `/repos/${ada.login}/${repo.name}/languages`);
  let found = await languages();
  // Ends by the test's own time limit when they never come.
  while (!("Go" in found.body)) found = await languages();
  expect(found.body).toEqual({ Go: 13 });
  const shown = await api("GET", `/repos/${ada.login}/${repo.name}`);
  expect(shown.body["language"]).toBe("Go");
});

test("a tag of a tag names the commit that both lead to", async () => {
  const { repo, dir, path, tip } = await aHistory(1, 8);
  const as = ["-C", dir, "-c", "user.name=T", "-c", "user.email=t@example.org", "tag", "-a", "-m", "said"];
  git([...as, "inner", tip]);
  git([...as, "outer", "inner"]);
  const outer = gitText(["-C", dir, "rev-parse", "outer"]);
  const changes = [{ name: "refs/tags/outer", oldOid: null, newOid: outer }];
  server.services.refs.change(repo.id, { principal: asAccount(ada.user), changes, atomic: true });
  const { body } = await api<{ object: Json; url: string }>("GET", `${path}/git/tags/${outer}`);
  const url = body.url.replace(`tags/${outer}`, `commits/${tip}`);
  expect(body).toMatchObject({ tag: "outer", object: { type: "commit", sha: tip, url } });
});
