import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { gitEnvironment, gitText } from "../../git/objects/real-git.ts";

/** Forks over REST and git: what they share, and that nothing is lost or shown whatever becomes of the others. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
const cleanups: (() => void)[] = [];
beforeAll(async () => {
  server = await aServer({ "repository.bin_days": 0, "repository.trash_hours": 0 });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  eve = await aUser(server, { login: "eve" });
});
afterAll(async () => {
  await server.close();
  for (const cleanup of cleanups) cleanup();
});

const api = anApi(() => server);
const dirOf = (repo: Pick<Repo, "id">) => server.services.storage.dirOf(repo.id);
const named = (owner: TestUser, name: string): Repo => {
  const repo = server.services.repos.find(owner.user, name);
  if (!repo) throw new Error(`no ${name}`);
  return repo;
};

function aFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "hearth-forks-"));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(err);
  return out.trim();
}

const urlOf = (who: TestUser, owner: TestUser, name: string) =>
  `${server.url.replace("://", `://${who.login}:${who.token}@`)}${owner.login}/${name}.git`;

/** A repository of ada's with a history that was pushed, and where it was pushed from. */
async function aPushed(name: string, isPrivate = false) {
  const repo = aRepo(server, ada.user, { name, isPrivate });
  const work = aFolder();
  await git(work, "init", "-q", "-b", "main");
  await git(work, "remote", "add", "origin", urlOf(ada, ada, name));
  const commit = async (file: string, content = file) => {
    writeFileSync(join(work, file), content);
    await git(work, "add", ".");
    await git(work, "commit", "-qm", file);
    return git(work, "rev-parse", "HEAD");
  };
  for (const file of ["a.txt", "b.txt", "c.txt"]) await commit(file, `${file}\n`.repeat(200));
  await git(work, "tag", "-am", "one", "v1");
  await git(work, "branch", "side", "HEAD~1");
  await git(work, "push", "-q", "origin", "main", "side", "v1");
  return { repo, work, commit };
}

/** Runs what is due until nothing is. */
async function rest(): Promise<void> {
  const { db, outbox, jobs } = server.core;
  const due = db.query<{ n: number }>(
    "SELECT count(*) AS n FROM jobs WHERE state = 'running' OR (state = 'waiting' AND run_at <= ?)",
  );
  outbox.dispatch();
  do {
    await jobs.drain();
    await new Promise((resolve) => setImmediate(resolve));
  } while ((due.get(Date.now())?.n ?? 0) > 0);
}

/** The night in a folder, when everything in it is a month old. */
async function night(repo: Pick<Repo, "id">): Promise<void> {
  const objects = join(dirOf(repo), "objects");
  const { db } = server.core;
  db.query("UPDATE ref_log SET at = at - 30 * 86400000 WHERE folder_id = ?").run(repo.id);
  const age = () => {
    const at = Date.now() / 1000 - 30 * 86_400;
    for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), at, at);
  };
  age();
  server.services.packing.enqueueRepack(repo.id);
  await rest();
  age();
  db.query("UPDATE jobs SET run_at = 0 WHERE kind = 'repository.prune-packs'").run();
  await rest();
}

const packs = (repo: Pick<Repo, "id">) =>
  readdirSync(join(dirOf(repo), "objects/pack")).filter((name) => name.endsWith(".pack"));
const fsck = (repo: Pick<Repo, "id">) => gitText(["fsck", "--strict", "--full"], { cwd: dirOf(repo) });
const has = (repo: Pick<Repo, "id">, oid: string) => server.services.storage.objects(repo.id).has(oid);

test("a fork has the refs of its base, and the very same packs on disk", async () => {
  const { repo } = await aPushed("shared");
  const made = await api<Json & { parent: Json }>("POST", "/repos/ada/shared/forks", bob, { name: "mine" });
  expect(made.status).toBe(202);
  expect(made.body).toMatchObject({
    fork: true,
    full_name: "bob/mine",
    parent: { full_name: "ada/shared", forks_count: 1 },
  });
  const fork = named(bob, "mine");
  const refs = (of: Repo) => server.services.refs.list(of.id);
  expect(refs(fork)).toEqual(refs(repo));
  await server.services.refs.projected();
  const show = (of: Repo) => gitText(["for-each-ref"], { cwd: dirOf(of) });
  expect(show(fork)).toBe(show(repo));
  const inode = (of: Repo) => packs(of).map((name) => statSync(join(dirOf(of), "objects/pack", name)).ino);
  expect(inode(fork)).toEqual(inode(repo));
  expect(fsck(fork)).toBe("");
  const clone = join(aFolder(), "c");
  await git(aFolder(), "clone", "-q", urlOf(bob, bob, "mine"), clone);
  expect(await git(clone, "log", "--format=%s")).toBe("c.txt\nb.txt\na.txt");
  // Refs do not follow the base, and pushes to the fork are its own.
  writeFileSync(join(clone, "own.txt"), "own\n");
  await git(clone, "add", ".");
  await git(clone, "commit", "-qm", "own");
  await git(clone, "push", "-q", "origin", "main");
  const own = await git(clone, "rev-parse", "HEAD");
  expect([has(fork, own), has(repo, own)]).toEqual([true, false]);
  expect((await api("GET", `/repos/ada/shared/git/commits/${own}`, ada)).status).toBe(404);
  // Where nothing has to go, the night keeps what is shared.
  for (const each of [repo, fork]) {
    server.services.packing.enqueueRepack(each.id);
    await rest();
    expect(fsck(each)).toBe("");
  }
});

test("what no visible ref of the base leads to does not come along, and cannot be had by way of a fork", async () => {
  const { repo, work, commit } = await aPushed("leaky");
  const secret = await commit("secret.txt", "swordfish");
  const blob = await git(work, "rev-parse", "HEAD:secret.txt");
  await git(work, "push", "-q", "origin", "main");
  await git(work, "reset", "-q", "--hard", "HEAD~1");
  await git(work, "push", "-qf", "origin", "main");
  expect((await api("POST", "/repos/ada/leaky/forks", bob)).status).toBe(202);
  const fork = named(bob, "leaky");
  expect([has(repo, blob), has(fork, blob), has(fork, secret)]).toEqual([true, false, false]);
  // A commit that names the blob by its id, which the pusher has guessed: without its bytes it is not whole.
  const forger = aFolder();
  await git(forger, "init", "-q", "-b", "x");
  const tree = Bun.spawnSync(["git", "mktree", "--missing"], {
    cwd: forger,
    stdin: Buffer.from(`100644 blob ${blob}\tgot\n`),
  });
  const forged = await git(forger, "commit-tree", "-m", "x", tree.stdout.toString().trim());
  const pushed = git(forger, "push", "-q", urlOf(bob, bob, "leaky"), `${forged}:refs/heads/x`);
  await expect(pushed).rejects.toThrow();
  expect((await api("GET", `/repos/bob/leaky/git/blobs/${blob}`, bob)).status).toBe(400);
});

test("a fork stands on its own when its base prunes, hides, moves on or is deleted", async () => {
  const { repo, work, commit } = await aPushed("base", true);
  await api("PUT", "/repos/ada/base/collaborators/bob", ada, { permission: "read" });
  expect((await api("POST", "/repos/ada/base/forks", bob)).body).toMatchObject({ private: true, fork: true });
  const fork = named(bob, "base");
  const tip = server.services.refs.find(fork.id, "refs/heads/main")?.oid ?? "";
  // The base forgets everything that the fork began with.
  await git(work, "checkout", "-q", "--orphan", "anew");
  const anew = await commit("z.txt");
  await git(work, "push", "-qf", "origin", "anew:main", ":side", ":v1");
  await night(repo);
  expect([has(repo, tip), has(fork, tip)]).toEqual([false, true]);
  await night(fork);
  expect(has(fork, tip)).toBe(true);
  expect([fsck(repo), fsck(fork)]).toEqual(["", ""]);
  // Who may not read the base gets nothing more of it, nor does the fork name it.
  await api("DELETE", "/repos/ada/base/collaborators/bob", ada);
  const refused = await api("POST", "/repos/bob/base/merge-upstream", bob, { branch: "main" });
  expect([refused.status, has(fork, anew)]).toEqual([403, false]);
  const shown = await api("GET", "/repos/bob/base", bob);
  expect(shown.body).toMatchObject({ fork: true, private: true });
  expect(shown.text).not.toContain("ada/base");
  expect((await api("GET", "/repos/bob/base", eve)).status).toBe(404);
  expect((await api("DELETE", "/repos/ada/base", ada)).status).toBe(204);
  await rest();
  expect(existsSync(dirOf(repo))).toBe(false);
  expect((await api("GET", "/repos/bob/base", bob)).body).toMatchObject({ fork: false, private: true });
  expect(fsck(fork)).toBe("");
  const clone = join(aFolder(), "c");
  await git(aFolder(), "clone", "-q", urlOf(bob, bob, "base"), clone);
  expect(await git(clone, "rev-parse", "HEAD")).toBe(tip);
});

test("a base loses nothing by its forks", async () => {
  const { repo } = await aPushed("calm");
  await api("POST", "/repos/ada/calm/forks", bob);
  const fork = named(bob, "calm");
  await api("POST", "/repos/bob/calm/forks", eve, { name: "deep" });
  const deep = named(eve, "deep");
  const before = gitText(["rev-list", "--objects", "--all"], { cwd: dirOf(repo) });
  for (const name of ["side"]) await api("DELETE", `/repos/bob/calm/branches/${name}`, bob);
  await night(fork);
  expect((await api("DELETE", "/repos/bob/calm", bob)).status).toBe(204);
  await rest();
  expect(existsSync(dirOf(fork))).toBe(false);
  expect(gitText(["rev-list", "--objects", "--all"], { cwd: dirOf(repo) })).toBe(before);
  expect([fsck(repo), fsck(deep)]).toEqual(["", ""]);
  // The fork of the fork stands alone now.
  expect((await api("GET", "/repos/eve/deep", eve)).body["fork"]).toBe(false);
  expect((await api("GET", "/repos/ada/calm", eve)).body["forks_count"]).toBe(0);
});

test("a base that hides takes forks of forks along, and they come back with it", async () => {
  await aPushed("hiding");
  await api("POST", "/repos/ada/hiding/forks", bob);
  await api("POST", "/repos/bob/hiding/forks", eve, { name: "hiding2" });
  const seen = async () => (await api("GET", "/repos/eve/hiding2", bob)).status;
  expect(await seen()).toBe(200);
  await api("PATCH", "/repos/ada/hiding", ada, { private: true });
  expect(await seen()).toBe(404);
  expect((await api("GET", "/repos/bob/hiding", eve)).status).toBe(404);
  await api("PATCH", "/repos/ada/hiding", ada, { private: false });
  expect(await seen()).toBe(200);
  // A fork is as private as its base: no one opens it by itself.
  await api("PATCH", "/repos/bob/hiding", bob, { private: true });
  expect((await api("GET", "/repos/bob/hiding", eve)).status).toBe(200);
});

test("of many who fork at once, and of one who does it twice, each has one", async () => {
  await aPushed("busy");
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, (_, at) => api("POST", "/repos/ada/busy/forks", bob, { name: `busy${at}` })),
    api("POST", "/repos/ada/busy/forks", eve),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409, 409]);
  const list = await api<Json[]>("GET", "/repos/ada/busy/forks?limit=1", undefined);
  expect([list.headers.get("x-total-count"), list.body.length]).toEqual(["2", 1]);
  const folders = server.core.db.query<{ n: number }>(
    "SELECT count(*) AS n FROM repository_storage WHERE state = 'making'",
  );
  expect(folders.get()?.n).toBe(0);
});

test("one branch may be forked alone", async () => {
  const { repo } = await aPushed("narrow");
  const { forks, refs, repos } = server.services;
  const seen = repos.seeById(asAccount(eve.user), repo.id);
  if (!seen) throw new Error("not seen");
  const fork = await forks.create(seen, { owner: eve.user, branch: "side", name: "narrower" });
  expect(refs.list(fork.id).map(({ name }) => name)).toEqual(["refs/heads/side"]);
  expect(fork.defaultBranch).toBe("side");
  expect(has(fork, refs.find(repo.id, "refs/heads/main")?.oid ?? "")).toBe(false);
  await refs.projected();
  expect(fsck(fork)).toBe("");
});

test("bringing a fork up to date: conflicts, other branches, histories that never met", async () => {
  const { work, commit } = await aPushed("above");
  await api("POST", "/repos/ada/above/forks", bob);
  const put = (who: TestUser, owner: TestUser, path: string, content: string, branch = "main") =>
    api("POST", `/repos/${owner.login}/above/contents/${path}`, who, {
      content: Buffer.from(content).toString("base64"),
      branch,
    });
  const merge = (body: object, who = bob) => api("POST", "/repos/bob/above/merge-upstream", who, body);
  const tip = (name = "main") => server.services.refs.find(named(bob, "above").id, `refs/heads/${name}`)?.oid;
  await commit("same.txt", "theirs\n");
  await git(work, "push", "-q", "origin", "main");
  expect((await put(bob, bob, "same.txt", "ours\n")).status).toBe(201);
  const before = tip();
  const conflict = await merge({ branch: "main" });
  expect([conflict.status, conflict.body["message"], tip()]).toEqual([409, "merge conflict in: same.txt", before]);
  // A branch that the base does not have follows the base's default branch.
  await api("POST", "/repos/bob/above/branches", bob, { new_branch_name: "topic", old_ref_name: "v1" });
  expect((await merge({ branch: "topic" })).body).toEqual({ merge_type: "fast-forward" });
  expect(tip("topic")).toBe(await git(work, "rev-parse", "main"));
  await git(work, "checkout", "-q", "--orphan", "other");
  await commit("alone.txt");
  await git(work, "push", "-qf", "origin", "other:side");
  expect((await merge({ branch: "side" })).status).toBe(409);
  for (const body of [{ branch: 7 }, { branch: "main", ff_only: "x" }]) expect((await merge(body)).status).toBe(422);
  for (const body of [{}, { branch: "../x" }]) expect((await merge(body)).status).toBe(404);
  expect((await merge({ branch: "main" }, eve)).status).toBe(403);
  await api("PATCH", "/repos/bob/above", bob, { archived: true });
  expect((await merge({ branch: "topic" })).status).toBe(423);
  expect(fsck(named(bob, "above"))).not.toContain("missing");
  expect(server.errors).toEqual([]);
});

test("into organizations by who may create there; not by who is blocked; and transferred with their base's privacy", async () => {
  await aPushed("wanted");
  expect((await api("POST", "/orgs", ada, { username: "guild" })).status).toBe(201);
  expect((await api("POST", "/repos/ada/wanted/forks", bob, { organization: "guild" })).status).toBe(403);
  expect((await api("POST", "/repos/ada/wanted/forks", ada, { organization: "guild" })).body["full_name"]).toBe(
    "guild/wanted",
  );
  const { blocks, identity } = server.services;
  const [owner, other] = [identity.byLogin("ada"), identity.byLogin("eve")];
  if (!owner || !other) throw new Error("gone");
  blocks.block(asAccount(owner), owner, other, "");
  const refused = await api("POST", "/repos/ada/wanted/forks", eve);
  expect([refused.status, refused.body["message"]]).toEqual([403, "user is blocked"]);
  blocks.unblock(asAccount(owner), owner, other);
  expect((await api("POST", "/repos/ada/wanted/forks", bob)).status).toBe(202);
  expect((await api("POST", "/orgs", ada, { username: "vault", visibility: "private" })).status).toBe(201);
  expect((await api("POST", "/repos/ada/wanted/transfer", ada, { new_owner: "vault" })).status).toBe(202);
  // Its owner hides now, and so do the forks; each still has all it had.
  expect((await api("GET", "/repos/bob/wanted", eve)).status).toBe(404);
  const shown = await api("GET", "/repos/bob/wanted", bob);
  expect(shown.body).toMatchObject({ fork: true, private: true });
  expect(shown.text).not.toContain("vault");
  expect(fsck(named(bob, "wanted"))).toBe("");
  expect(server.errors).toEqual([]);
});

test("are made beyond the number of repositories that someone may have", async () => {
  await aPushed("plenty");
  const root = await aUser(server, { isAdmin: true });
  const full = await aUser(server);
  await api("PATCH", `/admin/users/${full.login}`, root, { max_repo_creation: 0 });
  expect((await api("POST", "/user/repos", full, { name: "own" })).status).toBe(403);
  expect((await api("POST", "/repos/ada/plenty/forks", full, {})).status).toBe(202);
});

test("are listed to whoever sees the base, whose code may be switched off", async () => {
  await aPushed("shut");
  expect((await api("POST", "/repos/ada/shut/forks", bob, {})).status).toBe(202);
  await api("PATCH", "/repos/ada/shut", ada, { has_code: false });
  const list = await api("GET", "/repos/ada/shut/forks", undefined);
  expect([list.status, (list.body as unknown as { full_name: string }[]).map((fork) => fork.full_name)]).toEqual([
    200,
    ["bob/shut"],
  ]);
  expect((await api("POST", "/repos/ada/shut/forks", bob, { name: "more" })).status).toBe(403);
});

test("hostile requests make nothing", async () => {
  await aPushed("target");
  const fork = (body: unknown) => api("POST", "/repos/ada/target/forks", bob, body);
  for (const name of ["..", "a/b", "x.git", "a b", "é", "x".repeat(101), 7, null, {}])
    expect([name, (await fork({ name })).status === 202 && name !== null]).toEqual([name, false]);
  expect((await fork({ organization: "nobody-there" })).status).toBe(404);
  expect((await api("POST", "/repos/ada/target/forks", undefined, {})).status).toBe(401);
  expect(server.errors).toEqual([]);
});
