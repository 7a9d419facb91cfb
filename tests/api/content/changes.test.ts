import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import type { SeenRepo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../executable/process.ts";
import { aPageOf, wordsOf } from "../../web/browser-calls.ts";

setDefaultTimeout(600_000);

/** Patches, cherry-picks, reverts and merges, against real git. */

let server: TestServer;
let dir: string;
let owner: TestUser;
let seen: SeenRepo;
let work: string;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  dir = mkdtempSync(join(tmpdir(), "hearth-changes-"));
  owner = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const lines = (changed: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join("");
const at = () => `/repos/ada/${seen.repo.name}`;
const tip = (branch: string) => server.services.refs.find(seen.repo.id, `refs/heads/${branch}`)?.oid ?? "";
const run = async (...args: string[]) => (await git(work, ...args)).trim();
const commit = async (files: Record<string, string>, message: string) => {
  for (const [path, content] of Object.entries(files)) await Bun.write(join(work, path), content);
  await run("add", "-A");
  await run("commit", "-q", "-m", message);
  return run("rev-parse", "HEAD");
};

beforeEach(async () => {
  const repo = aRepo(server, owner.user, { files: { "a.txt": lines(), "b.txt": "b\n" } });
  const found = server.services.repos.seeById(asAccount(owner.user), repo.id);
  if (!found) throw new Error("the repository is gone");
  seen = found;
  work = mkdtempSync(join(dir, "work-"));
  await git(work, "clone", "-q", `${server.url.replace("//", `//ada:${owner.token}@`)}ada/${repo.name}.git`, ".");
});

test("a patch whose lines moved away is merged by the blobs that it names, as git apply --3way does", async () => {
  await commit({ "a.txt": lines({ 3: "ours" }) }, "ours");
  await run("push", "-q", "origin", "HEAD");
  await run("checkout", "-q", "-b", "side", "HEAD~1");
  await commit({ "a.txt": lines({ 5: "theirs" }) }, "theirs");
  const patch = `${await run("diff", "--full-index", "HEAD~1", "HEAD")}\n`;
  // The context of the hunk holds line 3, which is another one on the branch.
  const applied = await api("POST", `${at()}/diffpatch`, owner, { content: patch, branch: "main" });
  expect(applied.status).toBe(201);
  await run("checkout", "-q", "main");
  await Bun.write(join(work, "p"), patch);
  await run("apply", "--3way", "--index", "p");
  const tree = await run("write-tree");
  expect(applied.body["commit"]).toMatchObject({ tree: { sha: tree }, message: "apply-patch\n" });

  const conflicting = patch.replace("+theirs", "+others");
  const refused = await api("POST", `${at()}/diffpatch`, owner, { content: conflicting, branch: "main" });
  expect([refused.status, refused.body["message"]]).toEqual([422, "the change does not apply, conflicts: a.txt"]);
});

test("hunks whose headers count other lines than they have apply, as git apply --recount does", async () => {
  const change = (from: string, to: string, counts: string) =>
    `--- a/b.txt\n+++ b/b.txt\n@@ -1${counts} +1${counts} @@\n-${from}\n+${to}\n`;
  const made = (name: string) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,9 @@\n+${name}\n`;
  for (const content of [
    change("b", "one", ",9"),
    `${change("one", "two", "")}\n`,
    `${change("two", "three", ",7")}\n`,
    `${made("c.txt")}${change("three", "four", ",0")}-- \n2.47.0\n`,
  ]) {
    const { status } = await api("POST", `${at()}/diffpatch`, owner, { content, branch: "main" });
    expect([content, status]).toEqual([content, 201]);
  }
  await run("pull", "-q");
  expect([await run("show", "HEAD:b.txt"), await run("show", "HEAD:c.txt")]).toEqual(["four", "c.txt"]);
});

test("hostile patches are refused with git's words", async () => {
  const send = async (content: string) => {
    const { status, body } = await api("POST", `${at()}/diffpatch`, owner, { content });
    return [status, body["message"]];
  };
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
  expect(await send("no patch")).toEqual([422, expect.stringContaining("No valid patches in input")]);
  for (const name of ["../out", ".git/config", "a/../../b"]) expect((await send(file(name)))[0]).toBe(422);
  expect((await send("   "))[0]).toBe(422);
  expect(await send(file("a.txt"))).toEqual([422, "the change does not apply, conflicts: a.txt"]);
});

test("cherry-pick and revert make what git makes, from a commit's page, and tell of conflicts", async () => {
  await run("checkout", "-q", "-b", "side");
  const picked = await commit({ "a.txt": lines({ 20: "picked" }), "new.txt": "new\n" }, "pick me\n\nwith a body");
  await run("push", "-q", "origin", "side");
  await run("checkout", "-q", "main");
  await commit({ "a.txt": lines({ 2: "main" }) }, "main goes on");
  await run("push", "-q", "origin", "main");
  const browser = await aPageOf(server, owner.user);
  const home = `/ada/${seen.repo.name}`;
  expect((await browser.get(`${home}/commit/${picked}`)).text).toContain(`cherry-pick/${picked}`);
  const chosen = await browser.get(`${home}/cherry-pick/${picked.slice(0, 12)}?branch=main`);
  expect([chosen.status, chosen.headers.get("location")]).toEqual([303, `${home}/_cherrypick/${picked}/main`]);
  const form = await browser.get(`${home}/_cherrypick/${picked}/main`);
  expect(form.text).toContain('value="pick me"');
  const done = await browser.post(`${home}/_cherrypick/${picked}/main`, {
    commit_summary: "pick me",
    commit_message: "with a body",
    commit_choice: "direct",
  });
  expect([done.status, done.headers.get("location")]).toEqual([303, `${home}/commit/${tip("main")}`]);
  await run("cherry-pick", picked);
  await run("fetch", "-q");
  expect(await run("rev-parse", "origin/main^{tree}")).toBe(await run("rev-parse", "HEAD^{tree}"));

  const revert = await browser.get(`${home}/_cherrypick/${picked}/main?cherry-pick-type=revert`);
  expect(revert.text).toContain('value="revert pick me"');
  const undone = await browser.post(`${home}/_cherrypick/${picked}/main`, { commit_choice: "direct", revert: "true" });
  expect(undone.status).toBe(303);
  await run("revert", "--no-edit", "HEAD");
  await run("fetch", "-q");
  expect(await run("rev-parse", "origin/main^{tree}")).toBe(await run("rev-parse", "HEAD^{tree}"));
  expect(await run("log", "-1", "--format=%s", "origin/main")).toBe(`Revert: ${picked}`);

  await run("reset", "-q", "--hard", "origin/main");
  await commit({ "a.txt": lines({ 2: "main", 20: "other" }) }, "in the way");
  await run("push", "-q", "origin", "main");
  const clash = await browser.post(`${home}/_cherrypick/${picked}/main`, { commit_choice: "direct" });
  expect([clash.status, wordsOf(clash.text)]).toEqual([422, expect.stringContaining("Conflicts in a.txt")]);
  expect((await browser.get(`${home}/_cherrypick/${picked}/none`)).status).toBe(404);
});

test("merges are checked and published on the tip that was expected, through the rules", async () => {
  const { replays } = server.services;
  const base = tip("main");
  await run("checkout", "-q", "-b", "side");
  const head = await commit({ "a.txt": lines({ 20: "side" }) }, "side");
  await run("push", "-q", "origin", "side");
  await run("checkout", "-q", "main");
  const ours = await commit({ "a.txt": lines({ 2: "main" }) }, "main");
  await run("push", "-q", "origin", "main");
  const check = await replays.check(seen, ours, head);
  expect(check).toMatchObject({ isClean: true, conflicts: [] });
  expect(await replays.check(seen, ours, head)).toBe(check);
  const action = { kind: "merge", base: ours, head, message: "Merge side\n" } as const;
  const stale = replays.publish(seen, { branch: "main", expected: base, action, via: "merge" });
  await expect(stale).rejects.toMatchObject({ code: "branch.changed" });
  const rule = { rule_name: "main", enable_merge_whitelist: true };
  expect((await api("POST", `${at()}/branch_protections`, owner, rule)).status).toBe(201);
  const refused = replays.publish(seen, { branch: "main", expected: ours, action, via: "merge" });
  await expect(refused).rejects.toMatchObject({ code: "protection.push-refused" });
  expect(tip("main")).toBe(ours);
  await api("PATCH", `${at()}/branch_protections/main`, owner, { enable_merge_whitelist: false });
  // Whoever may not push may still merge.
  const done = await replays.publish(seen, { branch: "main", expected: ours, action, via: "merge" });
  expect(done).toMatchObject({ kind: "done", commit: tip("main") });
  await run("merge", "-q", "--no-ff", "-m", "Merge side", "side");
  await run("fetch", "-q");
  expect(await run("rev-parse", "origin/main^{tree}")).toBe(await run("rev-parse", "HEAD^{tree}"));
  expect(await run("log", "-1", "--format=%P", "origin/main")).toBe(`${ours} ${head}`);
  const forward = { kind: "fast-forward", base: head, head: base } as const;
  await expect(replays.make(seen, forward)).rejects.toMatchObject({ code: "replay.refused" });
});
