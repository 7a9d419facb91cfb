import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, hearth, removeFolder } from "../executable/process.ts";
import { call } from "./calls.ts";
import { apiProblems, folderOf, problemsOf, stateOf } from "./check.ts";
import { elsewhere, type Operation, operations } from "./operations.ts";
import { DidNotStart, type Server, serve, settled } from "./server.ts";
import { acceptFiles, aWorld, type World } from "./world.ts";

/**
 * The compiled executable dies at each named crash point of each operation. After the next start the operation is
 * wholly there or wholly absent, and there if it was acknowledged; database, folders, real git and API agree.
 * A normal run takes each point once; HEARTH_CRASH_POINTS=all takes it on every way that leads past it.
 */
const all = process.env["HEARTH_CRASH_POINTS"] === "all";
const AT_ONCE = 3;
const RECOVERY_CPU_MS = 3_000;

let world: World;

beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.remove());

const base = (point: string) => point.split("@")[0] ?? point;

/** Each point with the operation that takes it: the first one, or every one. */
const chosen = new Map<Operation, string[]>();
const taken = new Set<string>();
for (const operation of operations) {
  const points = all ? [...operation.points] : operation.points.filter((point) => !taken.has(point));
  for (const point of points) taken.add(point);
  chosen.set(operation, points);
}

test("every crash point in the source is taken by a test", () => {
  const root = join(import.meta.dir, "../../src");
  const named = /crash(?:Point)?(?:\?\.)?\("([^"]+)"\)/g;
  const points = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => [...readFileSync(join(root, path), "utf8").matchAll(named)].map((match) => match[1] ?? ""));
  const tested = new Set([...operations.flatMap((operation) => operation.points.map(base)), ...Object.keys(elsewhere)]);
  expect([...new Set(points)].filter((point) => !tested.has(point))).toEqual([]);
  expect([...tested].filter((point) => !points.includes(point))).toEqual([]);
});

describe.each([...chosen].map(([operation, points]) => [operation.name, operation, points] as const))(
  "%s",
  (_, operation, points) => {
    test("is whole or absent wherever the process dies", async () => {
      const before = await stateOf(world.dataDir);
      const after = await effectOf(operation);
      expect(after).not.toBe(before);
      const failures: string[] = [];
      await eachOf(points, async (point) => {
        failures.push(...(await dieAt(operation, point, before, after)).map((problem) => `${point}: ${problem}`));
      });
      expect(failures).toEqual([]);
    }, 300_000);
  },
);

test("dying in the middle of a first start leaves a folder that the next start takes", async () => {
  for (const point of ["migrate.in-transaction", "migrate.after-transaction", "commit.before", "commit.after"]) {
    const dataDir = join(world.folder, `first ${point}`);
    expect(await diesAtStart(dataDir, point)).toBe(true);
    const server = await serve(dataDir);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await problemsOf(dataDir)).toEqual([]);
  }
});

test("dying again in the start that mends a crash", async () => {
  const dataDir = world.copy();
  const operation = operations.find((one) => one.name === "push a first history with tags");
  if (!operation) throw new Error("no such operation");
  const server = await serve(dataDir, { HEARTH_CRASH_AT: "projection: refs replaced" });
  await operation.run({ url: server.url, token: world.token }, world);
  await server.exited;
  for (const point of [
    "reconcile.swept-one",
    "projection: locked",
    "projection: refs replaced",
    "settle.in-transaction",
  ])
    expect([point, await diesAtStart(dataDir, point)]).toEqual([point, true]);
  expect(await mendedProblems(dataDir)).toEqual([]);
  expect(await stateOf(dataDir)).toBe(await effectOf(operation));
});

test("dying in maintenance, and again in the next try, loses nothing but what is lost and old", async () => {
  const dataDir = world.copy();
  const carryOut = async (...names: string[]) => {
    const server = await serve(dataDir);
    const at = { url: server.url, token: world.token };
    for (const name of names) await operations.find((operation) => operation.name === name)?.run(at, world);
    await settled(dataDir);
    await server.end("SIGTERM");
  };
  await carryOut("create a file", "push an update, a new branch and a deletion at once", "delete a file");
  const repo = folderOf(dataDir, 1);
  const write = (sql: string) => writeTo(dataDir, sql);
  const enqueue = (kind: string) =>
    write(`INSERT INTO jobs (kind, payload, run_at, created_at) VALUES ('${kind}', '{"folderId":1}', 0, 0)`);
  const diesAtEach = async (...points: string[]) => {
    for (const point of points) expect([point, await diesAtStart(dataDir, point)]).toEqual([point, true]);
    expect(await mendedProblems(dataDir)).toEqual([]);
    expect(await stateOf(dataDir)).toBe(before);
  };
  let before = await stateOf(dataDir);
  enqueue("repository.geometric-repack");
  await diesAtEach(
    "repack: pack written",
    "admit: closure written",
    "admit: pack renamed",
    "maintenance: replaced packs marked",
    "job.done",
  );
  // What was forced away is kept beside the rest.
  await carryOut("push by force");
  before = await stateOf(dataDir);
  enqueue("repository.repack");
  await diesAtEach("repack: pack written", "repack: times written", "maintenance: replaced packs marked", "job.done");
  expect(readdirSync(join(repo, "objects/pack")).some((name) => name.endsWith(".mtimes"))).toBe(true);
  // A month later it is not kept any more, nor is a loose object that came to nothing.
  write("UPDATE ref_log SET at = at - 30 * 86400000");
  const lost = await git(repo, "hash-object", "-w", join(repo, "HEAD"));
  ageObjects(repo, 30);
  enqueue("repository.repack");
  await diesAtEach("job.done");
  const orphan = await git(repo, "hash-object", "-w", join(repo, "config"));
  ageObjects(repo, 30);
  enqueue("repository.prune-packs");
  await diesAtEach("prune: before packs go", "prune: packs gone", "prune: loose objects gone");
  const left = await git(repo, "count-objects", "-v");
  expect(left).toContain("count: 0\n");
  expect(left).toContain("garbage: 0\n");
  const all = await git(repo, "cat-file", "--batch-check", "--batch-all-objects");
  for (const oid of [lost, orphan]) expect(all).not.toContain(oid);
});

test("dying while a file is taken away that nothing refers to any more", async () => {
  const dataDir = world.copy();
  const operation = operations.find((one) => one.name === "set a picture");
  if (!operation) throw new Error("no such operation");
  const server = await serve(dataDir);
  await operation.run({ url: server.url, token: world.token }, world);
  await call({ url: server.url, token: world.token }, "DELETE", "/user/avatar");
  await server.end("SIGTERM");
  writeTo(dataDir, "UPDATE blobs SET unreferenced_since = 0 WHERE unreferenced_since IS NOT NULL");
  writeTo(dataDir, "INSERT INTO jobs (kind, payload, run_at, created_at) VALUES ('blobs.sweep', '{}', 0, 0)");
  for (const point of ["blobs.forgotten", "blobs.unlinked"]) {
    const copy = join(world.folder, `swept ${point}`);
    cpSync(dataDir, copy, { recursive: true });
    acceptFiles(copy);
    expect([point, await diesAtStart(copy, point)]).toEqual([point, true]);
    expect(await mendedProblems(copy)).toEqual([]);
    // The large file that a repository has stays.
    expect(
      readdirSync(join(copy, "blobs"), { recursive: true, withFileTypes: true }).filter((e) => e.isFile()),
    ).toHaveLength(1);
  }
});

test("dying while the key of secrets is replaced leaves one that the next start takes", async () => {
  for (const point of ["secrets.key-added", "secrets.re-encrypted", "secrets.old-keys-removed"]) {
    const dataDir = world.copy();
    const keyOf = () => readFileSync(join(dataDir, "secret.key"), "utf8").trim();
    const before = keyOf();
    const { code } = await hearth(["admin", "secrets", "rotate", "--data", dataDir], { HEARTH_CRASH_AT: point });
    expect([point, code]).not.toEqual([point, 0]);
    expect(await mendedProblems(dataDir)).toEqual([]);
    expect([point, keyOf().split("\n").length, keyOf() === before]).toEqual([point, 1, false]);
  }
});

/** Writes to the database of a server that does not run. */
function writeTo(dataDir: string, sql: string): void {
  const db = new Database(join(dataDir, "hearth.db"), { readwrite: true });
  db.run(sql);
  db.close();
}

/** Makes everything in the object store look that old, the times in cruft packs, too. */
function ageObjects(repo: string, days: number): void {
  const at = Date.now() / 1000 - days * 86_400;
  for (const entry of readdirSync(join(repo, "objects"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    if (path.endsWith(".mtimes")) {
      const bytes = readFileSync(path);
      for (let row = 12; row < bytes.length - 40; row += 4) bytes.writeUInt32BE(Math.floor(at), row);
      const covered = bytes.subarray(0, bytes.length - 20);
      bytes.set(new Bun.CryptoHasher("sha1").update(covered).digest(), covered.length);
      rmSync(path);
      writeFileSync(path, bytes);
    }
    utimesSync(path, at, at);
  }
}

/** What the operation comes to when nothing happens to it. */
async function effectOf(operation: Operation): Promise<string> {
  const dataDir = world.copy();
  const server = await serve(dataDir);
  try {
    expect((await operation.run({ url: server.url, token: world.token }, world)).acknowledged).toBe(true);
    await settled(dataDir);
  } finally {
    await server.end("SIGTERM");
  }
  expect(await problemsOf(dataDir)).toEqual([]);
  const state = await stateOf(dataDir);
  removeFolder(dataDir);
  return state;
}

async function dieAt(operation: Operation, point: string, before: string, after: string): Promise<string[]> {
  const dataDir = world.copy();
  const server = await serve(dataDir, { HEARTH_CRASH_AT: point });
  const { acknowledged } = await operation.run({ url: server.url, token: world.token }, world);
  if (!(await diesWithin(server, 120_000))) {
    await server.end("SIGKILL");
    return [`the operation does not pass it\n${server.output()}`];
  }
  const problems = await mendedProblems(dataDir);
  const state = await stateOf(dataDir);
  if (state !== after && (acknowledged || state !== before))
    problems.push(
      `${acknowledged ? "acknowledged and" : ""} half there or lost:\n${state}\n--- instead of\n${after}\n--- after\n${before}`,
    );
  if (problems.length === 0) removeFolder(dataDir);
  return problems;
}

/** Starts once more, lets the server come to rest, and examines everything. */
async function mendedProblems(dataDir: string): Promise<string[]> {
  const server = await serve(dataDir);
  const problems: string[] = [];
  try {
    if (server.startCpuMs > RECOVERY_CPU_MS) problems.push(`recovery computed for ${server.startCpuMs} ms`);
    await settled(dataDir);
    problems.push(...(await apiProblems(dataDir, { url: server.url, token: world.token })));
  } finally {
    await server.end("SIGTERM");
  }
  if (/ (warn|error) /.test(server.output())) problems.push(`the log complains:\n${server.output()}`);
  problems.push(...(await problemsOf(dataDir)));
  return problems;
}

async function diesAtStart(dataDir: string, point: string): Promise<boolean> {
  try {
    const server = await serve(dataDir, { HEARTH_CRASH_AT: point });
    return await diesWithin(server, 120_000);
  } catch (error) {
    if (error instanceof DidNotStart) return error.exitCode === null && existsSync(dataDir);
    throw error;
  }
}

async function diesWithin(server: Server, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), ms);
  const end = await Promise.race([server.exited, late.promise]);
  clearTimeout(timer);
  return end === null;
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const one = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
