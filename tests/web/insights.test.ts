import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../src/access/principal.ts";
import { bucketsOf } from "../../web/insights/buckets.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { git, gitText } from "../git/objects/real-git.ts";
import { aPage, type Visitor, wordsOf } from "./browser-calls.ts";

/** Who worked on a repository, how much and when: against `git shortlog`, and what pages make of it. */

let server: TestServer;
let anybody: Visitor;
let dir: string;

const WEEK = 7 * 24 * 3600;

beforeAll(async () => {
  server = await aServer();
  const ada = await aUser(server, { login: "ada", email: "ada@example.org", fullName: "Ada" });
  const repo = aRepo(server, ada.user, { name: "engine" });
  aRepo(server, ada.user, { name: "vault", isPrivate: true, files: { a: "a" } });
  aRepo(server, ada.user, { name: "empty" });
  anybody = aPage(server);
  const { refs, storage } = server.services;
  await refs.projected();
  dir = storage.dirOf(repo.id);
  const now = Math.floor(Date.now() / 1000);
  const lines: string[] = [];
  const commit = (who: string, email: string, time: number, text: string) => {
    lines.push("commit refs/heads/main", `author ${who} <${email}> ${time} +0200`, `committer C <c@x> ${time} +0000`);
    lines.push("data <<END", text, "END", "M 100644 inline a.txt", "data <<END", text.repeat(3), "END", "");
  };
  commit("Ada", "ada@example.org", now - 60 * WEEK, "one");
  commit("<b>Bob", "bob@example.org", now - 30 * WEEK, "two");
  commit("Ada", "ada@example.org", now - 3600, "three");
  commit("Ada L", "old@example.org", now - 1800, "four");
  lines.push("commit refs/heads/main", `author Ada <ada@example.org> ${now - 900} +0000`);
  lines.push(`committer C <c@x> ${now - 900} +0000`, "data <<END", "map", "END", "M 100644 inline .mailmap");
  lines.push("data <<END", "Ada <ada@example.org> <old@example.org>", "END", "");
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: lines.join("\n").replaceAll("<b>Bob", "Bob &") });
  const tip = gitText(["-C", dir, "rev-parse", "main"]);
  const changes = [{ name: "refs/heads/main", oldOid: null, newOid: tip }];
  refs.change(repo.id, { principal: asAccount(ada.user), changes, atomic: true });
  await refs.projected();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const get = (path: string) => anybody.get(`/ada/engine/${path}`);
async function data<Body>(path: string): Promise<Body> {
  return JSON.parse((await get(path)).text) as Body;
}
interface Author {
  readonly name: string;
  readonly login: string;
  readonly total_commits: number;
  readonly weeks: Readonly<Record<string, { readonly additions: number; readonly commits: number }>>;
}

test("contributors are those of git shortlog, with the mailmap, and go on from the last count", async () => {
  const { insights, repos, revisions } = server.services;
  const seen = repos
    .seeNamed(asAccount(server.services.identity.byLogin("ada")!), [["ada", "engine"]])
    .get("ada/engine")!;
  const summary = await insights.contributors(seen, revisions.head(seen)!.commit);
  const theirs = gitText(["-C", dir, "-c", "mailmap.blob=main:.mailmap", "shortlog", "-sne", "main"])
    .split("\n")
    .map((line) => line.trim().replace("\t", " "));
  expect(summary.authors.map(({ commits, name, email }) => `${commits} ${name} <${email}>`)).toEqual(theirs);
  expect(existsSync(join(server.dataDir, "cache", "contributors", `${seen.repo.id}.json`))).toBe(true);
  const found = await data<Record<string, Author>>("activity/contributors/data");
  expect(found["total"]?.total_commits).toBe(5);
  expect(found["ada@example.org"]).toMatchObject({ login: "ada", total_commits: 4 });
  const weeks = await data<{ week: number; commits: number; additions: number }[]>("activity/code-frequency/data");
  expect(weeks.reduce((sum, { commits }) => sum + commits, 0)).toBe(5);
  expect(weeks.reduce((sum, { additions }) => sum + additions, 0)).toBeGreaterThan(0);
  const recent = await data<{ commits: number }[]>("activity/recent-commits/data");
  expect(recent.reduce((sum, { commits }) => sum + commits, 0)).toBe(4);
});

test("pages show it as pictures and as tables", async () => {
  const contributors = await get("activity/contributors");
  expect(wordsOf(contributors.text)).toContain("2 authors");
  expect(contributors.text).toContain('href="/ada"');
  expect(contributors.text).toContain("Bob &amp;");
  expect(contributors.text).toContain("<svg");
  expect(wordsOf((await get("activity/code-frequency")).text)).toContain("Added lines");
  const recent = await get("activity/recent-commits");
  expect(wordsOf(recent.text)).toContain("4 commits in the last year");
  expect([...recent.text.matchAll(/<circle [^>]*fill="var\(--accent\)"/g)].length).toBeGreaterThan(0);
});

test("the pulse counts the days that are asked for", async () => {
  expect(wordsOf((await get("activity")).text)).toContain("3 commits by 2 authors");
  expect(wordsOf((await get("activity/yearly")).text)).toContain("4 commits by 3 authors");
  const authors = await data<{ login: string; commits: number }[]>("activity_author_data/daily");
  expect(authors[0]).toMatchObject({ login: "ada", commits: 2 });
  for (const path of ["activity/hourly", "activity/constructor", "activity_author_data/x", "activity/contributors/x"])
    expect((await get(path)).status).toBe(404);
});

test("a private or empty repository has none", async () => {
  for (const path of [
    "activity",
    "activity/contributors",
    "activity/contributors/data",
    "activity_author_data/daily",
  ]) {
    expect((await anybody.get(`/ada/vault/${path}`)).status).toBe(404);
    expect((await anybody.get(`/ada/empty/${path}`)).status).toBe(404);
  }
  expect((await anybody.get("/ada/empty")).text).not.toContain("/ada/empty/activity");
});

test("weeks come in at most so many buckets, at even distances, whatever years commits claim", () => {
  const weeks = [0, 1, 2, 300].map((at) => [at * WEEK, 1, 2, 3] as const);
  const buckets = bucketsOf(weeks, 10);
  expect(buckets.length).toBeLessThanOrEqual(10);
  expect(buckets.reduce((sum, bucket) => sum + bucket[1], 0)).toBe(4);
  expect(
    bucketsOf(
      [
        [0, 1, 0, 0],
        [9e15, 1, 0, 0],
      ],
      10,
    ),
  ).toHaveLength(2);
  expect(bucketsOf([], 10)).toEqual([]);
});
