import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, hearth, type RunningHearth, removeFolder, startHearth } from "./process.ts";

/**
 * The executable by itself: nothing on its PATH, started inside a hostile folder. What it needs, it has in it.
 * (tests/executable/trace.sh shows the same with strace and in a chroot; it needs root.)
 */

const work = mkdtempSync(join(tmpdir(), "hearth-alone-"));
let server: RunningHearth;

beforeAll(async () => {
  // A checkout that wants to run code in whoever starts a Bun program in it.
  writeFileSync(join(work, ".env"), "HEARTH_REGISTRATION=nonsense\n");
  writeFileSync(join(work, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(work, "evil.ts"), `require("node:fs").writeFileSync("${join(work, "ran")}", "yes")`);
  server = await startHearth({ cwd: work });
});

afterAll(async () => {
  await server.kill();
  removeFolder(server.dataDir);
  removeFolder(work);
});

/** Ids of the server's child processes; threads that end meanwhile have none. */
const children = (): string[] =>
  readdirSync(`/proc/${server.pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${server.pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean);
    } catch {
      return [];
    }
  });

test("a foreign .env and bunfig.toml act on neither the server nor a command", async () => {
  expect((await hearth(["version"], {}, work)).code).toBe(0);
  expect(existsSync(join(work, "ran"))).toBe(false);
});

test("the data folder and the secrets are for their owner only", () => {
  expect(statSync(server.dataDir).mode & 0o777).toBe(0o700);
  for (const name of ["secret.key", "hearth.db"]) expect(statSync(join(server.dataDir, name)).mode & 0o077).toBe(0);
});

test("a second server on the same folder is refused, a command is not", async () => {
  const second = await hearth(["serve", "--data", server.dataDir, "--listen", "127.0.0.1:0"]);
  expect(second.code).toBe(1);
  expect(second.err).toContain("is in use by another Hearth");
  expect((await hearth(["admin", "user", "list", "--data", server.dataDir])).out).toContain("root1");
});

test("it serves pages and takes a push and a clone from outside, and starts no child", async () => {
  const made = await fetch(`${server.url}/api/v1/user/repos`, {
    method: "POST",
    headers: { authorization: `token ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "first" }),
  });
  expect(made.status).toBe(201);
  const seenChildren: string[] = [];
  const watch = setInterval(() => seenChildren.push(...children()), 5);
  const source = join(work, "source");
  await git(work, "init", "-q", source);
  for (let at = 0; at < 20; at++) {
    writeFileSync(join(source, `file${at}.txt`), `${at}\n`.repeat(1000));
    await git(source, "add", "-A");
    await git(source, "commit", "-q", "-m", `commit ${at}`);
  }
  const address = `${server.url.replace("//", `//x:${server.token}@`)}/root1/first.git`;
  await git(source, "push", "-q", address, "HEAD:main");
  await git(work, "clone", "-q", address, "clone");
  for (const path of [
    "/",
    "/root1/first",
    "/root1/first/src/branch/main/file1.txt",
    "/root1/first/commits/branch/main",
  ]) {
    const page = await fetch(server.url + path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.headers.get("content-type")).toContain("text/html");
  }
  clearInterval(watch);
  expect(await git(join(work, "clone"), "rev-parse", "HEAD")).toBe(await git(source, "rev-parse", "HEAD"));
  await git(join(server.dataDir, "repositories/01/1.git"), "fsck", "--strict");
  expect(seenChildren).toEqual([]);
});

test("SIGTERM ends it cleanly", async () => {
  const other = await startHearth();
  expect(await other.kill("SIGTERM")).toBe(0);
  expect(other.output()).toContain("stopped");
  removeFolder(other.dataDir);
});
