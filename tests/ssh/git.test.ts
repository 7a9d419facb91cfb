import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { aRepo, aUser, call, type Json, type TestUser } from "../builders.ts";
import {
  aClone,
  aFolder,
  aKey,
  anSshServer,
  aUserKey,
  aWork,
  type Key,
  removeFolders,
  type SshServer,
  ssh,
  urlOf,
  type Work,
} from "./scene.ts";

setDefaultTimeout(300_000);

let server: SshServer;
let ada: TestUser;
let bob: TestUser;
let adaKey: Key;
let bobKey: Key;

beforeAll(async () => {
  server = await anSshServer();
  [ada, bob] = await Promise.all([aUser(server), aUser(server)]);
  [adaKey, bobKey] = await Promise.all([aUserKey(server, ada), aUserKey(server, bob)]);
});
afterAll(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
  removeFolders();
});

/** Commits one after the other, without touching files, quickly. */
async function manyCommits(work: Work, count: number, branch: string, from?: string): Promise<void> {
  const lines: string[] = [];
  for (let number = 1; number <= count; number++) {
    lines.push(`commit refs/heads/${branch}`, `committer C <c@example.com> ${1_700_000_000 + number} +0000`);
    lines.push("data 2", String(number % 10).padStart(2, "0"));
    if (number === 1 && from !== undefined) lines.push(`from ${from}`);
    lines.push(`M 644 inline ${branch}.txt`, `data ${String(number).length}`, String(number), "");
  }
  const child = Bun.spawn(["git", "fast-import", "--quiet"], { cwd: work.dir, stdin: Buffer.from(lines.join("\n")) });
  if ((await child.exited) !== 0) throw new Error("fast-import failed");
}

describe.each(["0", "1", "2"])("protocol version %s", (version) => {
  const speaks = ["-c", `protocol.version=${version}`];

  test("clones, fetches what is new and pushes", async () => {
    const path = `${ada.login}/round-${version}`;
    const work = await aWork(server, adaKey);
    await manyCommits(work, 300, "main");
    await work.ok(...speaks, "push", "-q", urlOf(server, path), "main");
    const clone = await aClone(server, adaKey, path, ...speaks);
    expect(await clone.ok("rev-list", "--count", "HEAD")).toBe("300");
    await manyCommits(work, 5, "main", "refs/heads/main^0");
    await work.ok("tag", "-a", "-m", "t", "v1", "main");
    await work.ok(...speaks, "push", "-q", urlOf(server, path), "main", "v1");
    await clone.ok(...speaks, "fetch", "-q");
    expect(await clone.ok("rev-list", "--count", "origin/main")).toBe("305");
    expect(await clone.ok("rev-parse", "v1^{}")).toBe(await work.ok("rev-parse", "main"));
    await clone.ok("fsck", "--strict", "--full");
    // Nothing new.
    await clone.ok(...speaks, "fetch", "-q");
  });

  test("finds out over many rounds what both have, and sends no more than that", async () => {
    const path = `${ada.login}/rounds-${version}`;
    const work = await aWork(server, adaKey);
    await manyCommits(work, 400, "main");
    await work.ok("push", "-q", urlOf(server, path), "main");
    const clone = await aClone(server, adaKey, path);
    // Of what only the clone has, it names all before it comes to what both have. Trees and files are those of old commits.
    await manyCommits(clone, 900, "own", "refs/heads/main^0");
    await manyCommits(clone, 300, "apart");
    await manyCommits(work, 3, "main", "refs/heads/main^0");
    await work.ok("push", "-q", urlOf(server, path), "main");
    const before = await clone.ok("count-objects");
    const { code, err } = await clone.git(
      ...speaks,
      "-c",
      "transfer.unpackLimit=100000",
      "fetch",
      "--progress",
      "origin",
    );
    expect({ code, total: /Total (\d+)/.exec(err)?.[1] }).toEqual({ code: 0, total: "3" });
    expect(await clone.ok("count-objects")).not.toBe(before);
    // With nothing in common at all.
    const stranger = await aWork(server, adaKey);
    await manyCommits(stranger, 700, "other");
    await stranger.ok(...speaks, "fetch", "-q", urlOf(server, path), "main:theirs");
    expect(await stranger.ok("rev-list", "--count", "theirs")).toBe("403");
  });

  test("cuts history and makes it whole again", async () => {
    const path = `${ada.login}/cut-${version}`;
    const work = await aWork(server, adaKey);
    await manyCommits(work, 50, "main");
    await work.ok("push", "-q", urlOf(server, path), "main");
    const clone = await aClone(server, adaKey, path, ...speaks, "--depth", "3");
    expect(await clone.ok("rev-list", "--count", "HEAD")).toBe("3");
    await clone.ok(...speaks, "fetch", "-q", "--deepen", "4");
    expect(await clone.ok("rev-list", "--count", "HEAD")).toBe("7");
    await clone.ok(...speaks, "fetch", "-q", "--shallow-since", String(1_700_000_000 + 20));
    expect(await clone.ok("rev-list", "--count", "HEAD")).toBe("31");
    await clone.ok(...speaks, "fetch", "-q", "--unshallow");
    expect(await clone.ok("rev-list", "--count", "HEAD")).toBe("50");
    await clone.ok("fsck", "--strict");
    const partial = await aClone(server, adaKey, path, ...speaks, "--filter=blob:none");
    expect(await partial.ok("show", "HEAD~20:main.txt")).toBe("30");
  });

  test("lists refs of a repository without any, and fetches nothing from it", async () => {
    const repo = aRepo(server, ada.user);
    const clone = await aClone(server, adaKey, `${ada.login}/${repo.name}`, ...speaks);
    expect(await clone.ok(...speaks, "ls-remote")).toBe("");
    await clone.commit("a");
    await clone.ok(...speaks, "push", "-q", "origin", "HEAD:main");
    expect(await clone.ok(...speaks, "ls-remote", "origin", "main")).toStartWith(await clone.ok("rev-parse", "HEAD"));
  });

  test("fetches a single commit by its id, and none that no ref leads to", async () => {
    const path = `${ada.login}/ids-${version}`;
    const work = await aWork(server, adaKey);
    const first = await work.commit("a");
    const lost = await work.commit("b");
    await work.ok("push", "-q", urlOf(server, path), "main");
    await work.ok("reset", "-q", "--hard", first);
    await work.ok("push", "-q", "-f", urlOf(server, path), "main");
    const other = await aWork(server, adaKey);
    await other.ok(...speaks, "fetch", "-q", urlOf(server, path), first);
    const refused = await other.git(...speaks, "fetch", urlOf(server, path), lost);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(`not our ref ${lost}`);
  });
});

describe("a push", () => {
  test("of refs that may not change says so, ref by ref, and reads what git still sends", async () => {
    const repo = aRepo(server, ada.user, { files: { a: "a" } });
    const path = `${ada.login}/${repo.name}`;
    const work = await aClone(server, bobKey, path);
    await work.commit("large", crypto.getRandomValues(new Uint8Array(60_000)));
    const refused = await work.git("push", "origin", "HEAD", "HEAD:refs/heads/other");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("remote: error: User permission denied for writing.");
    expect(refused.err).toContain("! [remote rejected] HEAD -> main (pre-receive hook declined)");
    const asked = await work.git("push", "origin", "HEAD:refs/for/main/topic", "-o", "title=by ssh");
    expect({ code: asked.code, err: asked.err }).toMatchObject({ code: 0 });
    const pulls = await call<Json[]>(server, "GET", `/api/v1/repos/${path}/pulls`, { token: ada.token });
    expect(pulls.body.map((pull) => pull["title"])).toEqual(["by ssh"]);
  });

  test("of deletions, of many refs, all or nothing, and of nothing", async () => {
    const repo = aRepo(server, ada.user, { files: { a: "a" } });
    const work = await aClone(server, adaKey, `${ada.login}/${repo.name}`);
    const names = Array.from({ length: 300 }, (_, number) => `b${number}`);
    await work.ok("push", "-q", "origin", ...names.map((name) => `HEAD:refs/heads/${name}`));
    expect((await work.ok("ls-remote", "--heads", "origin")).split("\n")).toHaveLength(301);
    await work.ok("push", "-q", "--atomic", "origin", ...names.map((name) => `:${name}`));
    expect((await work.ok("ls-remote", "--heads", "origin")).split("\n")).toHaveLength(1);
    await work.ok("push", "-q", "origin", "HEAD");
  });

  test("of a pack that is no pack, or broken off in its commands, changes nothing", async () => {
    const repo = aRepo(server, ada.user, { files: { a: "a" } });
    const path = `${ada.login}/${repo.name}`;
    const zero = "0".repeat(40);
    const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
    const make = line(`${zero} ${"1".repeat(40)} refs/heads/x\0report-status side-band-64k\n`);
    const garbage = await ssh(server, adaKey, `git-receive-pack '${path}'`, { input: `${make}0000no pack at all!` });
    expect(garbage.out).toContain("unpack this is not a pack");
    await ssh(server, adaKey, `git-receive-pack '${path}'`, { input: make.slice(0, -20) });
    const work = await aClone(server, adaKey, path);
    expect(await work.ok("branch", "-r")).toBe("origin/HEAD -> origin/main\n  origin/main");
  });

  test("creates a repository, whose address may be written in any case", async () => {
    const work = await aWork(server, adaKey);
    const id = await work.commit("a");
    await work.ok("push", "-q", urlOf(server, `${ada.login.toUpperCase()}/Fresh`), "main");
    const made = await call<Json>(server, "GET", `/api/v1/repos/${ada.login}/fresh`, { token: ada.token });
    expect(made.body).toMatchObject({ name: "Fresh", private: true });
    expect(await work.ok("ls-remote", urlOf(server, `${ada.login}/FRESH`), "main")).toStartWith(id);
    expect((await work.git("push", urlOf(server, `${bob.login}/Fresh`), "main")).err).toContain(
      `Cannot find repository: ${bob.login}/Fresh`,
    );
  });
});

describe("a deploy key", () => {
  test("reaches its repository alone; what it pushes shows in the feed", async () => {
    const repo = aRepo(server, ada.user, { files: { a: "a" }, isPrivate: true });
    const shown = aRepo(server, ada.user, { files: { a: "a" } });
    const path = `${ada.login}/${repo.name}`;
    const keys = `/api/v1/repos/${path}/keys`;
    const pairs = { reads: aKey(), writes: aKey() };
    for (const [title, { line }] of Object.entries(pairs)) {
      const body = { title, key: line, read_only: title === "reads" };
      expect((await call(server, "POST", keys, { token: ada.token, body })).status).toBe(201);
    }
    const reading = await aClone(server, pairs.reads, path);
    await reading.commit("b");
    const refused = await reading.git("push", "origin", "HEAD");
    expect(refused.err).toMatch(/error: Deploy Key: \d+:reads is not authorized to write to /);
    const writing = await aClone(server, pairs.writes, path);
    const id = await writing.commit("b");
    await writing.ok("push", "-q", "origin", "HEAD");
    expect(await reading.ok("ls-remote", "origin", "main")).toStartWith(id);
    const elsewhere = await ssh(server, pairs.writes, `git-upload-pack '${ada.login}/${shown.name}'`);
    expect(elsewhere).toMatchObject({ code: 1, out: "" });
    expect(elsewhere.err).toMatch(/error: Public \(Deploy\) Key: \d+:writes is not authorized to read to /);
    const hidden = aRepo(server, bob.user, { isPrivate: true });
    expect((await ssh(server, pairs.writes, `git-upload-pack '${bob.login}/${hidden.name}'`)).err).toContain(
      `error: Cannot find repository: ${bob.login}/${hidden.name}`,
    );
    const feed = await call<Json[]>(server, "GET", `/api/v1/repos/${path}/activities/feeds`, { token: ada.token });
    expect(feed.body[0]).toMatchObject({ op_type: "commit_repo", act_user: { login: ada.login } });
  });
});

describe("a wiki", () => {
  test("is there as soon as it is asked for", async () => {
    const repo = aRepo(server, ada.user, { files: { a: "a" } });
    const path = `${ada.login}/${repo.name}.wiki`;
    const work = await aClone(server, bobKey, path);
    await work.commit("Home.md");
    const refused = await work.git("push", "origin", "HEAD");
    expect(refused.err).toContain(`is not authorized to write to ${path}.`);
    const own = await aClone(server, adaKey, path);
    await own.commit("Home.md");
    await own.ok("push", "-q", "origin", "HEAD");
    const page = await call<Json>(server, "GET", `/api/v1/repos/${ada.login}/${repo.name}/wiki/page/Home`);
    expect(page.status).toBe(200);
  });
});

describe("an archive", () => {
  test("has what git itself puts into one", async () => {
    const path = `${ada.login}/archived-files`;
    const work = await aWork(server, adaKey);
    await work.commit("a.txt");
    await work.commit("b.txt");
    await work.ok("push", "-q", urlOf(server, path), "main");
    for (const args of [
      ["main"],
      ["--prefix=x/", "main"],
      ["--format=tar.gz", "main", "a.txt"],
      ["-v", "HEAD", "b.txt"],
    ]) {
      const [ours, gits] = [join(aFolder(), "ours"), join(aFolder(), "gits")];
      await work.ok("archive", `--remote=${urlOf(server, path)}`, `--output=${ours}`, ...args);
      await work.ok("archive", `--output=${gits}`, ...args);
      const unpacked = (file: string) => (args[0]?.includes("gz") ? unzipped(file) : Bun.file(file).bytes());
      expect(Buffer.from(await unpacked(ours)).equals(Buffer.from(await unpacked(gits)))).toBe(true);
      for (const file of [ours, gits]) rmSync(file);
    }
    expect(await work.ok("archive", "--list", `--remote=${urlOf(server, path)}`)).toBe("tar\ntgz\ntar.gz\nzip");
    for (const [args, words] of [
      [["nowhere"], "fatal: no such ref: nowhere"],
      [["main", "no.txt"], "no.txt"],
      [["--format=rar", "main"], "Unknown archive format 'rar'"],
    ] as const) {
      const refused = await work.git("archive", `--remote=${urlOf(server, path)}`, ...args);
      expect(refused.code).not.toBe(0);
      expect(refused.err).toContain(words);
    }
  });
});

async function unzipped(file: string): Promise<Uint8Array> {
  return Bun.gunzipSync(await Bun.file(file).bytes());
}

test("former names lead on, and what is archived can be read", async () => {
  const repo = aRepo(server, ada.user, { files: { a: "a" } });
  const path = `${ada.login}/${repo.name}`;
  const work = await aClone(server, adaKey, path);
  const renamed = await call<Json>(server, "PATCH", `/api/v1/repos/${path}`, {
    token: ada.token,
    body: { name: `${repo.name}-new`, archived: true },
  });
  expect(renamed.status).toBe(200);
  await work.ok("fetch", "-q");
  await work.commit("b");
  expect((await work.git("push", "origin", "HEAD")).err).toContain(`error: Repo: ${path} is archived.`);
  const hidden = aRepo(server, ada.user, { files: { a: "a" }, isPrivate: true });
  const missing = await ssh(server, bobKey, `git-upload-pack '${ada.login}/${hidden.name}'`);
  expect(missing).toEqual({
    code: 1,
    out: "",
    err: `error:\nerror: Cannot find repository: ${ada.login}/${hidden.name}\nerror:\n`,
  });
});

test("only GIT_PROTOCOL counts of the environment, and nothing but commands is offered", async () => {
  const repo = aRepo(server, ada.user, { files: { a: "a" } });
  const command = `git-upload-pack '${ada.login}/${repo.name}'`;
  const set = (...variables: string[]) => ({
    input: "0000",
    options: variables.flatMap((variable) => ["-o", `SetEnv=${variable}`]),
  });
  expect((await ssh(server, adaKey, command, set("GIT_PROTOCOL=version=2"))).out).toContain("version 2");
  expect((await ssh(server, adaKey, command, set("LD_PRELOAD=/x", "GIT_DIR=/etc"))).out).toContain("refs/heads/main");
  expect((await ssh(server, adaKey, command, set(`GIT_PROTOCOL=${"x".repeat(10_000)}`))).out).toContain(
    "refs/heads/main",
  );
  expect((await ssh(server, adaKey, "sftp", { options: ["-s"] })).code).not.toBe(0);
  const forward = await ssh(server, adaKey, undefined, { options: ["-W", "127.0.0.1:22"] });
  expect(forward.code).not.toBe(0);
  const backward = await ssh(server, adaKey, undefined, {
    options: ["-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22"],
  });
  expect(backward.code).not.toBe(0);
});
