import { afterEach, expect, test } from "bun:test";
import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../src/access/principal.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer } from "../builders.ts";
import { hearth } from "../cli/run.ts";
import { git } from "../executable/process.ts";
import { untilHolds } from "../until.ts";

/**
 * Part of the data folder is gone: a disk that is not mounted, a folder or a file that was deleted. Readers hear what is
 * wrong, administrators what to do; nothing passes for empty or for never having been there, and the rest goes on.
 */

let open: TestServer | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function aStoredRepository() {
  const server = await aServer();
  open = server;
  const { user, token } = await aUser(server, { login: "ada", isAdmin: true });
  const repo = aRepo(server, user, { name: "engine", files: { "README.md": "# Engine\n", "src/a.txt": "alpha\n" } });
  await call(server, "POST", "/api/v1/repos/ada/engine/branches", { token, body: { new_branch_name: "side" } });
  await call(server, "POST", "/api/v1/repos/ada/engine/issues", { token, body: { title: "Noise" } });
  await server.services.refs.projected();
  const cookie = await aSession(server, user);
  const see = (path: string) => call<unknown>(server, "GET", path, { headers: { cookie, accept: "text/html" } });
  const api = (path: string) => call<{ message: string }>(server, "GET", `/api/v1/repos/ada/engine${path}`, { token });
  return { server, user, token, repo, see, api, dir: server.services.storage.dirOf(repo.id) };
}

const READS = ["", "/src/branch/main/README.md", "/commits/branch/main", "/branches", "/graph", "/compare/main...side"];
const API_READS = ["/branches", "/branches/main", "/commits", "/contents", "/git/trees/main", "/compare/main...side"];
/** Answered as bytes: by pages and the API. */
const STREAMED = ["/raw/README.md", "/archive/main.zip"];

test("a repository whose folder is gone says so on pages, over REST and to git, and its other pages work", async () => {
  const { server, token, repo, see, api, dir, user } = await aStoredRepository();
  renameSync(dir, `${dir}.elsewhere`);
  server.services.storage.reopen(repo.id);
  for (const path of READS) {
    const page = await see(`/ada/engine${path}`);
    expect([path, page.status]).toEqual([path, 503]);
    expect(page.text).toContain("The files of this repository are not on the server’s disk");
    // In the repository's frame, from which its issues are a click away.
    expect(page.text).toContain('href="/ada/engine/issues"');
  }
  for (const path of [...API_READS, ...STREAMED]) {
    const { status, text } = await api(path);
    expect([path, status]).toEqual([path, 503]);
    expect(text).toContain("the files of this repository are not on the server's disk");
  }
  for (const path of ["/issues", "/issues/1", "/settings", "/releases"])
    expect([path, (await see(`/ada/engine${path}`)).status]).toEqual([path, 200]);
  // No branch is made of what cannot be read.
  const body = { new_branch_name: "new", old_ref_name: "main" };
  expect((await call(server, "POST", "/api/v1/repos/ada/engine/branches", { token, body })).status).toBe(503);
  const address = `${server.url.replace("//", `//x:${token}@`)}ada/engine.git`;
  await expect(git(server.dataDir, "clone", "-q", address, "copy")).rejects.toThrow(
    "remote: the files of this repository are not on the server's disk",
  );
  const failed = server.errors.filter((line) => line.includes("something stored is missing or damaged"));
  expect(failed.length).toBeGreaterThan(0);
  expect(server.errors.some((line) => line.includes("unexpected error"))).toBe(false);
  // The disk comes back.
  renameSync(`${dir}.elsewhere`, dir);
  expect((await see("/ada/engine")).status).toBe(200);
  expect(server.services.selfCheck.run(asAccount(user), "x").map(({ code }) => code)).not.toContain("stored-damaged");
});

test("objects that refs lead to and that are gone are no empty repository and no 404", async () => {
  const { server, repo, see, api, dir } = await aStoredRepository();
  for (const name of readdirSync(join(dir, "objects")))
    if (/^..$/.test(name)) rmSync(join(dir, "objects", name), { recursive: true });
  for (const name of readdirSync(join(dir, "objects/pack"))) rmSync(join(dir, "objects/pack", name));
  server.services.storage.reopen(repo.id);
  for (const path of READS) {
    const page = await see(`/ada/engine${path}`);
    expect([path, page.status]).toEqual([path, 500]);
    expect(page.text).toContain("Some of what this repository stores is missing or damaged");
  }
  for (const path of [...API_READS, ...STREAMED]) {
    const { status, text } = await api(path);
    expect([path, status]).toEqual([path, 500]);
    expect(text).toContain("some of what this repository stores is missing or damaged");
  }
  expect((await see("/ada/engine/issues/1")).status).toBe(200);
  await expect(git(server.dataDir, "clone", "-q", `${server.url}ada/engine.git`, "copy")).rejects.toThrow(
    "some of this repository's objects are missing or damaged on the server",
  );
});

test("a folder that is gone keeps no start from serving the others", async () => {
  const { server, dir, user, api } = await aStoredRepository();
  const other = aRepo(server, user, { name: "other", files: { "a.txt": "alpha\n" } });
  await server.services.refs.projected();
  // Both are due for being looked at: one was changed by hand, one is gone.
  rmSync(dir, { recursive: true });
  const otherDir = server.services.storage.dirOf(other.id);
  await git(otherDir, "update-ref", "refs/heads/by-hand", "refs/heads/main");
  server.services.refs.reconcile();
  expect(server.errors.filter((line) => line.includes("the folder of a repository cannot be used")).length).toBe(1);
  expect((await call(server, "GET", "/api/v1/repos/ada/other/branches/by-hand")).status).toBe(200);
  expect((await api("/branches")).status).toBe(503);
});

test("a scrub records a folder that is gone, and the self-check names it", async () => {
  const { server, dir, user } = await aStoredRepository();
  const principal = asAccount(user);
  rmSync(dir, { recursive: true });
  server.services.integrity.scrubAll(principal);
  await untilHolds(() => server.services.integrity.worst(principal) !== undefined);
  expect(server.services.integrity.worst(principal)).toEqual({ count: 1, name: "ada/engine: objects" });
  const { host } = new URL(server.core.links.rootUrl);
  expect(server.services.selfCheck.run(principal, host)).toContainEqual({
    code: "stored-damaged",
    isProblem: true,
    params: { count: 1, name: "ada/engine: objects" },
  });
});

test.each([
  ["is gone", (path: string) => rmSync(path)],
  ["is a link to another file of its length", (path: string, outside: string) => linkTo(path, outside)],
  ["is a pipe", (path: string) => pipeAt(path)],
])("an upload whose file %s is not sent, and doctor names it", async (_, damage) => {
  const { server, token } = await aStoredRepository();
  const form = new FormData();
  form.set("attachment", new File(["an upload"], "a.txt"));
  const sent = await fetch(`${server.url}api/v1/repos/ada/engine/issues/1/assets`, {
    method: "POST",
    headers: { authorization: `token ${token}` },
    body: form,
  });
  const { browser_download_url: address } = (await sent.json()) as { browser_download_url: string };
  const digest = new Bun.CryptoHasher("sha256").update("an upload").digest("hex");
  const outside = join(server.dataDir, "..", `outside-${digest.slice(0, 8)}`);
  writeFileSync(outside, "forbidden");
  try {
    damage(server.services.blobs.files.pathOf(digest), outside);
    const answer = await fetch(address, { headers: { authorization: `token ${token}` } });
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining("this file is missing or damaged on the server's disk"),
    ]);
    const { code, out } = await hearth(server.dataDir, ["doctor"]);
    expect([code, out]).toEqual([1, expect.stringContaining(`${digest}: its file is missing`)]);
    const backup = await hearth(server.dataDir, ["backup", "create", "--to", `${outside}.backups`]);
    expect([backup.code, backup.err]).toEqual([
      1,
      expect.stringContaining(`${digest} is missing from the data folder`),
    ]);
  } finally {
    for (const path of [outside, `${outside}.backups`]) rmSync(path, { recursive: true, force: true });
  }
});

function linkTo(path: string, outside: string): void {
  rmSync(path);
  symlinkSync(outside, path);
}

function pipeAt(path: string): void {
  rmSync(path);
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
}

test("a pipe or a directory in place of a repository's files makes no one wait and ends no check", async () => {
  const { server, repo, api, dir, user } = await aStoredRepository();
  await git(dir, "repack", "-adq");
  pipeAt(join(dir, "config"));
  pipeAt(join(dir, "packed-refs"));
  server.services.storage.reopen(repo.id);
  expect((await api("/contents")).status).toBe(200);
  server.services.refs.reconcile();
  expect((await api("/contents")).status).toBe(200);
  const [index = ""] = readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".idx"));
  pipeAt(join(dir, "objects/pack", index));
  server.services.storage.reopen(repo.id);
  server.services.refs.reconcile();
  expect((await api("/contents")).status).toBe(500);
  const { code, out, err } = await hearth(server.dataDir, ["doctor", "--deep"]);
  expect([code, out, err]).toEqual([1, expect.stringContaining("wrong   stored objects: ada/engine: "), ""]);
  server.services.integrity.scrubAll(asAccount(user));
  await untilHolds(() => server.services.integrity.worst(asAccount(user)) !== undefined);
});
