import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { WorkerPool } from "../../src/workers/pool.ts";
import { git, gitText, tempDir } from "../git/objects/real-git.ts";
import { untilHolds } from "../until.ts";

/** How many files below `folder` this process has open, in all its threads. */
function openFilesIn(folder: string): number {
  const isInside = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      // The descriptor that read the list.
      return false;
    }
  };
  return readdirSync("/proc/self/fd").filter(isInside).length;
}

async function untilClosed(folder: string): Promise<void> {
  await untilHolds(() => openFilesIn(folder) === 0);
}

function aRepository(folder: string, bytes: number): { repoDir: string; oid: string } {
  const repoDir = join(folder, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repoDir]);
  const head = `commit refs/heads/main\ncommitter C <c@x> 1600000000 +0000\ndata 2\nx\nM 100644 inline big\ndata ${bytes}\n`;
  const script = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, "0123456789abcde\n"), Buffer.from("\n")]);
  git(["-C", repoDir, "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"], { input: script });
  return { repoDir, oid: gitText(["-C", repoDir, "rev-parse", "main"]) };
}

test("a job that is given up leaves no file open", async () => {
  using dir = tempDir();
  const { repoDir, oid } = aRepository(dir.path, 20 * 1024 * 1024);
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 60_000 });
  const job = pool.start("git.archive", { repoDir, oid, format: "tar" });
  job.end();
  await job.output.getReader().read();
  expect(openFilesIn(dir.path)).toBeGreaterThan(0);
  job.abort();
  expect(await job.result.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  await untilClosed(dir.path);
  pool.close();
});

test("a repository stays open from job to job in its thread, follows what changes, and closes with the thread", async () => {
  using dir = tempDir();
  const { repoDir, oid } = aRepository(dir.path, 1000);
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 60_000 });
  const log = async (tip: string) => (await pool.run("git.log", { repoDir, tips: [tip], skip: 0, limit: 10 })).oids;
  expect(await log(oid)).toEqual([oid]);
  expect(openFilesIn(dir.path)).toBeGreaterThan(0);
  const child = gitText(["-C", repoDir, "commit-tree", "-p", oid, "-m", "child", `${oid}^{tree}`]);
  expect(await log(child)).toEqual([child, oid]);
  git(["-C", repoDir, "update-ref", "refs/heads/main", child]);
  git(["-C", repoDir, "gc", "-q"]);
  const grandchild = gitText(["-C", repoDir, "commit-tree", "-p", child, "-m", "grandchild", `${oid}^{tree}`]);
  expect(await log(grandchild)).toEqual([grandchild, child, oid]);
  git(["-C", repoDir, "update-ref", "refs/heads/main", oid]);
  git(["-C", repoDir, "-c", "gc.reflogExpire=now", "-c", "gc.reflogExpireUnreachable=now", "gc", "-q", "--prune=now"]);
  const failure = await log(grandchild).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: `commit ${grandchild} is missing` });
  pool.close();
  await untilClosed(dir.path);
});

test("a thread keeps two repositories open, not more", async () => {
  using dir = tempDir();
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 60_000 });
  const folders = ["a", "b", "c"].map((name) => join(dir.path, name));
  for (const folder of folders) {
    const { repoDir, oid } = aRepository(folder, 1000);
    await pool.run("git.log", { repoDir, tips: [oid], skip: 0, limit: 1 });
  }
  expect(folders.map((folder) => openFilesIn(folder) > 0)).toEqual([false, true, true]);
  pool.close();
  await untilClosed(dir.path);
});
