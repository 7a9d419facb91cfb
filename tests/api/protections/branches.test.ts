import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deployKey } from "../../../src/access/principal.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../executable/process.ts";

setDefaultTimeout(600_000);

let server: TestServer;
let dir: string;
let owner: TestUser;
let writer: TestUser;
let repo: Repo;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  dir = mkdtempSync(join(tmpdir(), "hearth-protections-"));
  owner = await aUser(server);
  writer = await aUser(server);
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  repo = aRepo(server, owner.user, { files: { "a.txt": "a\n", "docs/a.md": "a\n", "Kept.LOCK": "locked\n" } });
  await api("PUT", `${at()}/collaborators/${writer.login}`, owner, { permission: "write" });
});

const at = () => `/repos/${owner.login}/${repo.name}`;
const rules = () => `${at()}/branch_protections`;
const protect = async (rule: Json) => expect((await api("POST", rules(), owner, rule)).status).toBe(201);
const tip = (branch: string) => server.services.refs.find(repo.id, `refs/heads/${branch}`)?.oid;

async function aClone(who: TestUser) {
  const work = mkdtempSync(join(dir, "work-"));
  await git(
    work,
    "clone",
    "-q",
    `${server.url.replace("//", `//${who.login}:${who.token}@`)}${at().slice(7)}.git`,
    ".",
  );
  return {
    git: (...args: string[]) => git(work, ...args),
    commit: async (path: string, content: string | undefined = `${Math.random()}\n`) => {
      await Bun.write(join(work, path), content);
      await git(work, "add", "-A");
      await git(work, "commit", "-q", "-m", `change ${path}`);
    },
  };
}

const edit = (who: TestUser, path: string, more: Json = {}) =>
  api("POST", `${at()}/contents/${path}`, who, { content: btoa("new\n"), branch: "main", ...more });

test("a rule keeps what is not said, and a dependent switch needs those above it", async () => {
  await protect({
    rule_name: "main",
    push_whitelist_deploy_keys: true,
    enable_push_whitelist: true,
    enable_force_push: true,
  });
  const rule = () => api("GET", `${rules()}/main`, owner).then(({ body }) => body);
  expect(await rule()).toMatchObject({
    enable_push: false,
    enable_push_whitelist: false,
    push_whitelist_deploy_keys: false,
    enable_force_push: false,
  });
  const change = async (body: Json) => {
    const { status } = await api("PATCH", `${rules()}/main`, owner, body);
    expect(status).toBe(200);
    return rule();
  };
  expect(await change({ enable_push: true })).toMatchObject({ enable_push: true, enable_push_whitelist: false });
  // A lone dependent switch counts where the stored one above it is on.
  expect(await change({ enable_push_whitelist: true })).toMatchObject({ enable_push_whitelist: true });
  expect(await change({ push_whitelist_deploy_keys: true, required_approvals: 2 })).toMatchObject({
    push_whitelist_deploy_keys: true,
    required_approvals: 2,
  });
  expect(await change({ enable_push: false, required_approvals: -1, push_whitelist_usernames: null })).toMatchObject({
    enable_push_whitelist: false,
    push_whitelist_deploy_keys: false,
    required_approvals: 2,
  });
  expect(await change({ apply_to_admins: true })).toMatchObject({ block_admin_merge_override: true });
});

test("lists leave out who may not write, forget who leaves, and name nobody unknown", async () => {
  const stranger = await aUser(server);
  const list = { enable_push: true, enable_push_whitelist: true };
  await protect({ rule_name: "main", ...list, push_whitelist_usernames: [stranger.login, writer.login] });
  const names = async () => (await api("GET", `${rules()}/main`, owner)).body["push_whitelist_usernames"];
  expect(await names()).toEqual([writer.login]);
  const unknown = await api("PATCH", `${rules()}/main`, owner, { push_whitelist_usernames: ["no-such"] });
  expect([unknown.status, unknown.body["message"]]).toEqual([422, "user does not exist [uid: 0, name: no-such]"]);
  // Nothing of a refused edit is done.
  const half = await api("PATCH", `${rules()}/main`, owner, {
    enable_push: false,
    merge_whitelist_usernames: ["no-such"],
  });
  expect([half.status, (await api("GET", `${rules()}/main`, owner)).body["enable_push"]]).toEqual([422, true]);
  await api("DELETE", `${at()}/collaborators/${writer.login}`, owner);
  expect(await names()).toEqual([]);
});

test("hostile bodies are refused with words", async () => {
  await protect({ rule_name: "main" });
  const refused = async (body: unknown, status: number) =>
    expect((await api("PATCH", `${rules()}/main`, owner, body)).status).toBe(status);
  await refused({ enable_push: "yes" }, 422);
  await refused({ push_whitelist_usernames: "all" }, 422);
  await refused({ push_whitelist_usernames: [1] }, 422);
  await refused({ required_approvals: 1e99 }, 422);
  // Whole, but none that a column of whole numbers takes.
  for (const priority of [1e20, -1e30, 2 ** 53]) await refused({ priority }, 422);
  await refused({ protected_file_patterns: "x".repeat(9000) }, 422);
  await refused({ protected_file_patterns: "a;".repeat(101) }, 422);
  await refused({ status_check_contexts: Array.from({ length: 101 }, (_, i) => `c${i}`) }, 422);
  expect((await api("POST", rules(), owner, { rule_name: "x".repeat(256) })).status).toBe(422);
  expect((await api("POST", rules(), owner, { rule_name: "a\nb" })).status).toBe(422);
  expect((await api("POST", `${rules()}/priority`, owner, { ids: ["1"] })).status).toBe(422);
  const far = await api("POST", `${rules()}/priority`, owner, { ids: [1, 1e20] });
  expect([far.status, far.body["message"]]).toEqual([422, "[]: ids.1 must be a whole number below 2^53"]);
  expect((await api("GET", `${rules()}/none`, owner)).status).toBe(404);
  expect((await api("DELETE", `${rules()}/none`, owner)).status).toBe(404);
});

test("numbers of other repositories' rules change nothing but use up a place in the order", async () => {
  await protect({ rule_name: "a" });
  const mine = (await api("GET", `${rules()}/a`, owner)).body;
  const other = aRepo(server, writer.user, { files: { a: "1" } });
  const theirs = await api("POST", `/repos/${writer.login}/${other.name}/branch_protections`, writer, {
    rule_name: "b",
  });
  const order = await api("POST", `${rules()}/priority`, owner, { ids: [theirs.body["id"] ?? 0, mine["id"] ?? 0] });
  expect(order.status).toBe(204);
  expect((await api("GET", `${rules()}/a`, owner)).body["priority"]).toBe(2);
  const kept = await api("GET", `/repos/${writer.login}/${other.name}/branch_protections/b`, writer);
  expect(kept.body["priority"]).toBe(1);
});

test("git, files, branches and renames are decided alike", async () => {
  await protect({ rule_name: "main" });
  await protect({ rule_name: "rel/**" });
  const before = tip("main");
  const work = await aClone(writer);
  await work.commit("b.txt");
  await expect(work.git("push", "origin", "HEAD")).rejects.toThrow("Not allowed to push to protected branch main");
  const edited = await edit(writer, "c.txt");
  expect([edited.status, edited.body["message"]]).toEqual([403, `user cannot commit to repo [user: ${writer.login}]`]);
  const onNew = await edit(writer, "c.txt", { new_branch: "rel/1" });
  expect([onNew.status, onNew.body["message"]]).toEqual([403, "Not allowed to push to protected branch rel/1"]);
  expect((await edit(writer, "c.txt", { new_branch: "free" })).status).toBe(201);
  const branch = await api("POST", `${at()}/branches`, writer, { new_branch_name: "rel/1" });
  expect([branch.status, branch.body["message"]]).toEqual([403, "Not allowed to push to protected branch rel/1"]);
  const moved = await api("PUT", `${at()}/branches/main`, writer, { new_commit_id: tip("free") ?? "" });
  expect([moved.status, moved.body["message"]]).toEqual([403, "Not allowed to push to protected branch main"]);
  const renamed = await api("PATCH", `${at()}/branches/free`, owner, { name: "rel/1" });
  expect([renamed.status, renamed.body["message"]]).toEqual([
    403,
    "Failed to rename branch due to branch protection rules.",
  ]);
  expect([tip("main"), tip("rel/1")]).toEqual([before, undefined]);
});

test("a refused file leaves nothing behind", async () => {
  await protect({ rule_name: "main", enable_push: true, protected_file_patterns: "*.lock" });
  const before = server.services.storage.objects(repo.id);
  const refused = await edit(owner, "deep.lock", { content: btoa("never stored\n") });
  expect([refused.status, refused.body["message"]]).toEqual([
    403,
    "path is protected and can not be changed [path: deep.lock]",
  ]);
  const oid = new Bun.CryptoHasher("sha1").update("blob 13\0never stored\n").digest("hex");
  expect(before.has(oid)).toBe(false);
});

test("protected files stay, whatever letter case, also when they are moved away, deleted, or come in two commits", async () => {
  await protect({ rule_name: "main", enable_push: true, protected_file_patterns: " *.lock ; docs/** " });
  const work = await aClone(owner);
  await work.git("mv", "Kept.LOCK", "free.txt");
  await work.git("commit", "-q", "-m", "move");
  await expect(work.git("push", "origin", "HEAD")).rejects.toThrow("protected from changing file Kept.LOCK");
  await work.git("reset", "-q", "--hard", "origin/main");
  await work.git("rm", "-q", "docs/a.md");
  await work.git("commit", "-q", "-m", "delete");
  await work.commit("free.txt");
  await expect(work.git("push", "origin", "HEAD")).rejects.toThrow("protected from changing file docs/a.md");
  const moved = await api("PUT", `${at()}/contents/free.txt`, owner, {
    content: btoa("x"),
    from_path: "Kept.LOCK",
    sha: (await api("GET", `${at()}/contents/Kept.LOCK`, owner)).body["sha"] ?? "",
    branch: "main",
  });
  expect([moved.status, moved.body["message"]]).toEqual([
    403,
    "path is protected and can not be changed [path: Kept.LOCK]",
  ]);
  await work.git("reset", "-q", "--hard", "origin/main");
  await work.commit("free.txt");
  await work.git("push", "-q", "origin", "HEAD");
});

test("where nobody may push, files that are not protected may change, and only those", async () => {
  await protect({ rule_name: "main", unprotected_file_patterns: "docs/**" });
  const work = await aClone(writer);
  await work.commit("docs/b.md");
  await work.git("push", "-q", "origin", "HEAD");
  expect((await edit(writer, "docs/c.md")).status).toBe(201);
  expect((await edit(writer, "c.md")).status).toBe(403);
  await work.git("pull", "-q", "--rebase");
  await work.commit("docs/d.md");
  await work.commit("e.md");
  await expect(work.git("push", "origin", "HEAD")).rejects.toThrow("Not allowed to push to protected branch main");
  await work.git("reset", "-q", "--hard", "origin/main");
  await work.git("commit", "-q", "--allow-empty", "-m", "nothing");
  await expect(work.git("push", "origin", "HEAD")).rejects.toThrow("Not allowed to push to protected branch main");
});

test("force needs its own switch and list, in every way", async () => {
  const force = { enable_push: true, enable_force_push: true, enable_force_push_allowlist: true };
  await protect({ rule_name: "main", ...force, force_push_allowlist_usernames: [owner.login] });
  const work = await aClone(writer);
  await work.commit("b.txt");
  await work.git("push", "-q", "origin", "HEAD");
  const newest = tip("main") ?? "";
  await work.git("reset", "-q", "--hard", "HEAD~1");
  await expect(work.git("push", "-f", "origin", "HEAD")).rejects.toThrow(
    "Not allowed to force-push to protected branch main",
  );
  const back = (await work.git("rev-parse", "HEAD")).trim();
  const byApi = (who: TestUser) => api("PUT", `${at()}/branches/main`, who, { new_commit_id: back, force: true });
  expect((await byApi(writer)).status).toBe(403);
  expect(tip("main")).toBe(newest);
  expect((await byApi(owner)).status).toBe(204);
  expect(tip("main")).toBe(back);
});

test("the rule in force is the one with the smallest priority, a plain name before a glob; case does not count", async () => {
  await protect({ rule_name: "**", enable_push: true, priority: 1 });
  await protect({ rule_name: "MAIN", priority: 1 });
  const branch = () => api("GET", `${at()}/branches/main`, owner).then(({ body }) => body);
  expect(await branch()).toMatchObject({ effective_branch_protection_name: "MAIN", user_can_push: false });
  await api("PATCH", `${rules()}/MAIN`, owner, { priority: 2 });
  expect(await branch()).toMatchObject({ effective_branch_protection_name: "**", user_can_push: true });
});

test("a deploy key pushes where keys may", async () => {
  const { branchProtections, repos } = server.services;
  const key = repos.seeById(deployKey(repo.id, "write"), repo.id);
  const may = async (fields: Json) => {
    await api("DELETE", `${rules()}/main`, owner);
    await protect({ rule_name: "main", ...fields });
    const [state] = key ? branchProtections.statesOf(key, ["main"]) : [];
    return state?.mayPush;
  };
  expect(await may({})).toBe(false);
  expect(await may({ enable_push: true })).toBe(true);
  expect(await may({ enable_push: true, enable_push_whitelist: true })).toBe(false);
  expect(await may({ enable_push: true, enable_push_whitelist: true, push_whitelist_deploy_keys: true })).toBe(true);
});

test("a signature that a known key made is good, every other is not", async () => {
  const known = await aServer();
  try {
    const { user, token } = await aUser(known);
    const theirs = aRepo(known, user, { files: { a: "1" } });
    known.services.pushRules.verifyWith(async (_, commits) => new Set(commits.slice(0, 1).map(({ oid }) => oid)));
    const call = anApi(() => known);
    const path = `/repos/${user.login}/${theirs.name}`;
    const rule = { rule_name: "main", enable_push: true, require_signed_commits: true };
    expect((await call("POST", `${path}/branch_protections`, { token }, rule)).status).toBe(201);
    const work = mkdtempSync(join(dir, "signed-"));
    await git(work, "clone", "-q", `${known.url.replace("//", `//${user.login}:${token}@`)}${path.slice(7)}.git`, ".");
    await git(work, "commit", "-q", "--allow-empty", "-m", "one");
    await git(work, "push", "-q", "origin", "HEAD");
    await git(work, "commit", "-q", "--allow-empty", "-m", "two");
    const second = (await git(work, "rev-parse", "HEAD")).trim();
    await git(work, "commit", "-q", "--allow-empty", "-m", "three");
    await expect(git(work, "push", "origin", "HEAD")).rejects.toThrow(
      `branch main is protected from unverified commit ${second}`,
    );
  } finally {
    await known.close();
  }
});
