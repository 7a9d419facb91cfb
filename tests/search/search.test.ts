import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asAccount, operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { writeObjects } from "../../src/git/odb/write.ts";
import { nextTurn } from "../../src/kernel/next-turn.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { CodeQuery } from "../../src/search/types.ts";
import { aFirstCommit, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "../web/browser-calls.ts";

/** Search in code: what is found where, by whom, and how the index follows what happens to repositories. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let engine: Repo;
let vault: Repo;
let anybody: Visitor;
let asBob: Visitor;

const FILES = {
  "README.md": "# Engine\nAnalytical engine of wheels.\n",
  "src/wheel.ts": "export function turnWheel(times: number) {\n  // Größe\n  return times * 3;\n}\n",
  "src/same.ts": "export function turnWheel(times: number) {\n  // Größe\n  return times * 3;\n}\n",
  "vendor/wheel.ts": "vendored();\nturnWheel(1);\n",
  "long.min.js": `${"x".repeat(5000)}needle${"y".repeat(5000)}\n`,
  "windows.txt": "first line\r\nlast carriage\r\n",
  "binary.bin": new Uint8Array([0, 1, 2, 110, 101, 101, 100, 108, 101]),
  "large.txt": `needle\n${"z".repeat(600 * 1024)}`,
  "gaps.txt": "before\n\nsolitary\n\nafter\n",
  "hostile.txt": `<script>alert("wheel")</script>\n${`${"a".repeat(90)}!\n`.repeat(30)}`,
};

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
  engine = aRepo(server, ada.user, { name: "engine", files: FILES });
  vault = aRepo(server, ada.user, { name: "vault", isPrivate: true, files: { "plan.txt": "turnWheel in secret\n" } });
  aRepo(server, ada.user, { name: "empty" });
  anybody = aPage(server);
  asBob = await aPageOf(server, bob.user);
  await indexed();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** Resolves once nothing waits to be indexed any more. */
function indexed(): Promise<void> {
  const { jobs, outbox } = server.core;
  const isDone = () => {
    const waiting = (["waiting", "running"] as const).flatMap(
      (state) => server.services.background.listJobs(operator, state, { page: 1, limit: 50, offset: 0 }).items,
    );
    return !waiting.some(({ kind }) => kind.startsWith("search."));
  };
  return new Promise((resolve) => {
    jobs.onChange(async ({ state }) => {
      if (state !== "done") return;
      // Another job's end says nothing while an event waits to become one of ours.
      await nextTurn();
      outbox.dispatch();
      if (isDone()) resolve();
    });
  });
}

const paging = { page: 1, limit: 20, offset: 0 };
const query = (text: string, more: Partial<CodeQuery> = {}): CodeQuery => ({ text, mode: "exact", ...more });
async function here(text: string, more: Partial<CodeQuery> = {}) {
  const { repos, codeSearch } = server.services;
  return codeSearch.inRepo(repos.seeById(asAccount(ada.user), engine.id)!, query(text, more), paging);
}
const paths = async (text: string, more: Partial<CodeQuery> = {}) =>
  (await here(text, more)).files.map(({ path }) => path);
async function everywhere(user: User | undefined, text: string) {
  const principal = user ? asAccount(user) : { ...asAccount(ada.user), user: undefined };
  return (await server.services.codeSearch.everywhere(principal, query(text), paging)).files;
}
/** Moves the branch to a new first commit. */
function push(repo: Repo, files: Record<string, string>, branch = "main"): void {
  const { refs, storage } = server.services;
  const made = aFirstCommit(files, "Another", ada.user);
  writeObjects(storage.dirOf(repo.id), made.objects);
  const name = `refs/heads/${branch}`;
  const oldOid = refs.find(repo.id, name)?.oid ?? null;
  refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [{ name, oldOid, newOid: made.commit }],
    atomic: true,
  });
}

test("a text is found in every file, in any case, files of others last", async () => {
  expect(await paths("TURNWHEEL")).toEqual(["src/same.ts", "src/wheel.ts", "vendor/wheel.ts"]);
  const found = (await here("turnWheel(")).files[0];
  expect(found?.lines[0]).toEqual({
    number: 1,
    text: "export function turnWheel(times: number) {",
    marks: [[16, 26]],
  });
  expect(found?.lines.map(({ number, marks }) => [number, marks.length])).toEqual([
    [1, 1],
    [2, 0],
  ]);
  expect(await paths("größe")).toEqual(["src/same.ts", "src/wheel.ts"]);
  expect(await paths("nothing like it")).toEqual([]);
});

test("words are found wherever they stand, a short one by looking at every file", async () => {
  expect(await paths("wheels analytical", { mode: "words" })).toEqual(["README.md"]);
  expect(await paths("* 3")).toEqual(["src/same.ts", "src/wheel.ts"]);
  expect(await paths("{")).toEqual(["src/same.ts", "src/wheel.ts"]);
});

test("expressions match line by line", async () => {
  expect(await paths("^export function \\w+Wheel\\(", { mode: "regexp" })).toEqual(["src/same.ts", "src/wheel.ts"]);
  expect(await paths("carriage$", { mode: "regexp" })).toEqual(["windows.txt"]);
  expect(await paths("line\\s+last", { mode: "regexp" })).toEqual([]);
  expect(await paths("TURNwheel", { mode: "regexp" })).toEqual([]);
  expect(await paths("wheel|engine", { mode: "regexp" })).toHaveLength(5);
});

test("a language, a directory and a file narrow it down", async () => {
  expect(await paths("wheel", { language: "typescript" })).toEqual(["src/wheel.ts", "src/same.ts", "vendor/wheel.ts"]);
  expect(await paths("wheel", { path: "src" })).toEqual(["src/wheel.ts", "src/same.ts"]);
  expect(await paths("wheel", { path: "src/same.ts" })).toEqual(["src/same.ts"]);
  expect(await paths("wheel", { path: "sr" })).toEqual([]);
  expect((await here("wheel")).languages).toContain("TypeScript");
});

test("of a very long line the part around the match is shown; binary and large files are left out", async () => {
  const found = (await here("needle")).files;
  expect(found.map(({ path }) => path)).toEqual(["long.min.js"]);
  const line = found[0]!.lines[0]!;
  expect(line.text.length).toBe(300);
  expect(line.text.slice(...line.marks[0]!)).toBe("needle");
});

test("everywhere is what the reader may read, and nothing else", async () => {
  const seenBy = async (user: User | undefined) => [
    ...new Set((await everywhere(user, "turnWheel")).map(({ repoId }) => repoId)),
  ];
  expect(await seenBy(ada.user)).toEqual([engine.id, vault.id]);
  expect(await seenBy(bob.user)).toEqual([engine.id]);
  expect(await seenBy(undefined)).toEqual([engine.id]);
  const page = await asBob.get("/explore/code?q=turnWheel");
  expect(wordsOf(page.text)).toContain("3 files");
  expect(page.text).not.toContain("vault");
  expect((await asBob.get("/ada/vault/search?q=turnWheel")).status).toBe(404);
  const seenVault = server.services.repos.seeById(asAccount(ada.user), vault.id)!;
  server.services.collaborators.put(seenVault, bob.user, "read");
  expect(await seenBy(bob.user)).toEqual([engine.id, vault.id]);
  server.services.collaborators.remove(seenVault, bob.user);
  expect(await seenBy(bob.user)).toEqual([engine.id]);
});

test("pages show lines with links and marks, and escape what they show", async () => {
  const { status, text } = await anybody.get("/ada/engine/search?q=alert(%22wheel");
  expect(status).toBe(200);
  expect(text).toContain('href="/ada/engine/src/branch/main/hostile.txt#L1"');
  expect(text).toContain("&lt;script&gt;<mark>alert(&quot;wheel</mark>");
  expect(text).not.toContain('<script>alert("wheel")');
  for (const hostile of [
    "q=%ff%fe",
    "q=%00",
    `q=${"x".repeat(600)}`,
    "q=a&t=none&l=none&page=-1",
    "q=(&t=regexp",
    "q=ab",
    "q=a&path=../..",
    "q=%22%20OR%20texts",
  ]) {
    for (const path of ["/explore/code", "/ada/engine/search"])
      expect([hostile, (await anybody.get(`${path}?${hostile}`)).status]).toEqual([hostile, 200]);
  }
  expect(wordsOf((await anybody.get("/explore/code?q=ab")).text)).toContain("At least three characters");
  expect(wordsOf((await anybody.get("/ada/engine/search?q=(&t=regexp")).text)).toContain(
    "not a valid regular expression",
  );
  expect((await anybody.get("/ada/empty/search?q=wheel")).status).toBe(200);
  // A link to an empty line has a name all the same.
  const gaps = await anybody.get("/ada/engine/search?q=solitary");
  expect(gaps.text).toContain('data-n="2" href="/ada/engine/src/branch/main/gaps.txt#L2" aria-label="2"');
});

test("an expression that would make others go back for ever takes no time, one that looks back is refused", async () => {
  const search = (expression: string) =>
    anybody.get(`/ada/engine/search?q=${encodeURIComponent(expression)}&t=regexp&path=hostile.txt`);
  const found = await search("^(a+)+$");
  expect([found.status, wordsOf(found.text).includes("0 files")]).toEqual([200, true]);
  for (const refused of ["(a)\\1", "(?=a)b", "(?<!a)b"])
    expect(wordsOf((await search(refused)).text)).toContain("not a valid regular expression");
});

test("the index follows pushes, another default branch and deletion", async () => {
  const repo = aRepo(server, ada.user, { name: "moving", files: { "a.txt": "alpha stays\n", "b.txt": "beta goes\n" } });
  await indexed();
  const found = async (text: string) => (await everywhere(bob.user, text)).map(({ path }) => path);
  expect(await found("beta goes")).toEqual(["b.txt"]);
  let done = indexed();
  push(repo, { "moved/a.txt": "alpha stays\n", "b.txt": "gamma came\n" });
  await done;
  expect(await found("beta goes")).toEqual([]);
  expect(await found("gamma came")).toEqual(["b.txt"]);
  expect(await found("alpha stays")).toEqual(["moved/a.txt"]);
  done = indexed();
  push(repo, { "other.txt": "delta only here\n" }, "other");
  await done;
  expect(await found("delta only")).toEqual([]);
  done = indexed();
  const { repoRemoval, repos } = server.services;
  repos.edit(repos.seeById(asAccount(ada.user), repo.id)!, { defaultBranch: "other" });
  await done;
  expect(await found("delta only")).toEqual(["other.txt"]);
  expect(await found("gamma came")).toEqual([]);
  done = indexed();
  repoRemoval.remove(operator, repos.byId(repo.id)!);
  expect(await found("delta only")).toEqual([]);
  await done;
  expect(await found("delta only")).toEqual([]);
});

test("deleted, the index is made again", async () => {
  const { codeSearch } = server.services;
  codeSearch.discardIndex();
  expect(existsSync(join(server.dataDir, "search.db"))).toBe(false);
  expect((await here("turnWheel")).isMissing).toBe(true);
  const page = await anybody.get("/ada/engine/search?q=turnWheel");
  expect([page.status, page.headers.get("refresh")]).toEqual([200, "3"]);
  const done = indexed();
  codeSearch.ensureIndex();
  await done;
  expect(await paths("turnWheel")).toHaveLength(3);
});

test("switched off there is none", async () => {
  await using closed = await aServer({ "search.enabled": false });
  const owner = await aUser(closed, { login: "ada" });
  aRepo(closed, owner.user, { name: "engine", files: { "a.txt": "wheel\n" } });
  const visitor = aPage(closed);
  expect((await visitor.get("/explore/code?q=wheel")).location).toBe("/explore");
  expect((await visitor.get("/ada/engine/search?q=wheel")).location).toBe("/ada/engine");
  expect(existsSync(join(closed.dataDir, "search.db"))).toBe(false);
});
