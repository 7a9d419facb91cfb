import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { readCommitSearch } from "../../web/content/commit-search.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { git, gitText } from "../git/objects/real-git.ts";
import { aPage, type Visitor } from "./browser-calls.ts";

/** Search in commits, compared with `git log`. */

let server: TestServer;
let anybody: Visitor;
let dir: string;

beforeAll(async () => {
  server = await aServer();
  const ada = await aUser(server, { login: "ada" });
  const repo = aRepo(server, ada.user, { name: "engine" });
  aRepo(server, ada.user, { name: "vault", isPrivate: true, files: { a: "a" }, message: "secret plan" });
  anybody = aPage(server);
  const { refs, storage } = server.services;
  await refs.projected();
  dir = storage.dirOf(repo.id);
  const lines: string[] = [];
  const commit = (branch: string, who: string, day: string, message: string) => {
    const time = Date.parse(`${day}T12:00:00Z`) / 1000;
    lines.push(`commit refs/heads/${branch}`, `author ${who} <${who.toLowerCase()}@x> ${time} +0000`);
    lines.push(`committer ${who} <c@x> ${time} +0000`, "data <<END", message, "END");
    lines.push("M 100644 inline search", "data <<END", message, "END", "");
  };
  commit("main", "Ada", "2024-01-10", "Fix the [wheel]");
  commit("main", "Bob", "2024-02-10", "fix axle\n\nand the wheel");
  commit("main", "Ada", "2024-03-10", "Turn .* around");
  commit("topic", "Bob", "2024-04-10", "A wheel elsewhere");
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: lines.join("\n") });
  const changes = ["main", "topic"].map((name) => ({
    name: `refs/heads/${name}`,
    oldOid: null,
    newOid: gitText(["-C", dir, "rev-parse", name]),
  }));
  refs.change(repo.id, { principal: asAccount(ada.user), changes, atomic: true });
  await refs.projected();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const found = async (query: string, more = "") => {
  const page = await anybody.get(`/ada/engine/commits/branch/main/search?q=${encodeURIComponent(query)}${more}`);
  expect([query, page.status]).toEqual([query, 200]);
  return [...page.text.matchAll(/class="subject" href="\/ada\/engine\/commit\/([0-9a-f]+)"/g)].map(([, oid]) => oid!);
};
const theirs = (...args: string[]) =>
  gitText(["-C", dir, "log", "--format=%H", "-i", "-F", "--all-match", ...args])
    .split("\n")
    .filter(Boolean);

test("words, people and days are those of git log", async () => {
  expect(await found("wheel")).toEqual(theirs("--grep=wheel", "main"));
  expect(await found("FIX wheel")).toEqual(theirs("--grep=fix", "--grep=wheel", "main"));
  expect(await found("[wheel]")).toEqual(theirs("--grep=[wheel]", "main"));
  expect(await found(".*")).toEqual(theirs("--grep=.*", "main"));
  expect(await found("author:bob")).toEqual(theirs("--author=bob", "main"));
  expect(await found("committer:c@x fix")).toEqual(theirs("--committer=c@x", "--grep=fix", "main"));
  expect(await found("after:2024-02-01 before:2024-03-01")).toHaveLength(1);
  expect(await found("wheel", "&all=true")).toEqual(theirs("--grep=wheel", "--branches"));
  expect(await found("nothing")).toEqual([]);
  expect(await found("")).toEqual(theirs("main"));
});

test("an id leads to its commit, a file called search keeps its history", async () => {
  const tip = gitText(["-C", dir, "rev-parse", "main"]);
  const answer = await anybody.get(`/ada/engine/commits/branch/main/search?q=${tip.slice(0, 9)}`);
  expect([answer.status, answer.location]).toEqual([303, `/ada/engine/commit/${tip}`]);
  const history = await anybody.get("/ada/engine/commits/branch/main/search");
  expect([history.status, history.text.includes("History of search")]).toEqual([200, true]);
});

test("what is hostile finds nothing, what is private is not there", async () => {
  for (const query of [
    "\0",
    "author:",
    "after:2024-13-45",
    "x".repeat(5000),
    "--output=/tmp/x",
    "((((",
    "before:9999-99-99",
  ])
    await found(query);
  expect((await anybody.get("/ada/vault/commits/branch/main/search?q=plan")).status).toBe(404);
  expect(readCommitSearch("  ")).toBeUndefined();
});
