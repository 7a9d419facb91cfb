/**
 * A disk that fills, on a real small file system: `bun tests/crash/disk-full.ts [STEP_KIB] [OPERATION…]`, as root,
 * because it mounts a tmpfs. In steps from no room at all to enough, each operation is tried with just so much room:
 * it is done, or refused in clear words and wholly absent; reading goes on; once there is room again everything works
 * without a new start; nothing is corrupt. Then starts on a full disk. Exit status 1 when anything was wrong.
 */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hearth } from "../executable/process.ts";
import { call, gitAddress, tryGit } from "./calls.ts";
import { apiProblems, problemsOf, stateOf } from "./check.ts";
import { type Operation, operations } from "./operations.ts";
import { DidNotStart, serve, settled, withDatabase } from "./server.ts";
import { acceptFiles, aWorld } from "./world.ts";

/** What a client is told: a status of its own, or words in the report of a push. */
const CLEAR =
  /^507 .*the server's disk is full|remote unpack failed: the server's disk is full|remote: the server's disk is full|\(the server's disk is full/;

const ROOM = "24m";
const ENOUGH_IN_A_ROW = 3;
const MAX_STEPS = 400;
const stepBytes = Number(process.argv[2] ?? "16") * 1024;
const wanted = process.argv.slice(3);

const world = await aWorld();
const mount = join(world.folder, "small");
mkdirSync(mount);
const problems: string[] = [];
try {
  await root("mount", "-t", "tmpfs", "-o", `size=${ROOM}`, "tmpfs", mount);
} catch (error) {
  world.remove();
  console.error(`This test mounts a tmpfs and must be run as root where that is allowed: ${error}`);
  process.exit(2);
}
try {
  let tried = 0;
  for (const operation of operations) {
    if (wanted.length > 0 && !wanted.some((part) => operation.name.includes(part))) continue;
    const { steps, refused, leastBytes } = await fillFor(operation);
    tried += steps;
    console.log(`${operation.name}: ${steps} sizes, ${refused} refused, done from ${leastBytes / 1024} KiB on`);
  }
  const starts = wanted.length > 0 ? 0 : await startsOnFullDisks();
  console.log(`${tried} operations on disks with little room, ${starts} starts; ${problems.length} problems`);
} finally {
  await root("umount", "-l", mount);
  world.remove();
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

async function fillFor(operation: Operation) {
  const before = await stateOf(world.dataDir);
  let after: string | undefined;
  let enough = 0;
  let [refused, leastBytes, steps] = [0, 0, 0];
  for (; enough < ENOUGH_IN_A_ROW && steps < MAX_STEPS; steps++) {
    const freeBytes = steps * stepBytes;
    const complain = (text: string) => problems.push(`${operation.name}, ${freeBytes / 1024} KiB free: ${text}`);
    const result = await tryWith(operation, freeBytes, complain);
    if (result.state !== undefined) {
      after ??= result.state;
      if (result.state !== after) complain(`came to something else:\n${result.state}\n--- than\n${after}`);
      if (result.state === before) complain("came to nothing");
    }
    if (result.acknowledged && !result.complained) enough++;
    else enough = 0;
    if (enough === 1) leastBytes = freeBytes;
    if (!result.acknowledged) refused++;
  }
  return { steps, refused, leastBytes };
}

/** One try with so much room, then a second with plenty if it was refused. */
async function tryWith(operation: Operation, freeBytes: number, complain: (text: string) => void) {
  const dataDir = join(mount, "data");
  await root("sh", "-c", `rm -rf '${mount}'/* && cp -r '${world.dataDir}' '${dataDir}'`);
  acceptFiles(dataDir);
  const before = await stateOf(dataDir);
  const server = await serve(dataDir);
  const at = { url: server.url, token: world.token };
  // A read that writes the time of the token's use.
  await call(at, "GET", "/user");
  fillUp(freeBytes);
  const { acknowledged, words } = await operation.run(at, world);
  if (!acknowledged && !CLEAR.test(words)) complain(`refused in unclear words: ${words}`);
  await expectReading(at, complain);
  if (server.isGone()) complain(`the server died:\n${server.output()}`);
  rmSync(join(mount, "filler"), { force: true });
  if (!acknowledged) {
    // What was refused has left nothing; what was acknowledged is examined below.
    const state = await stateOf(dataDir);
    if (state !== before && !awaitsRemoval(dataDir))
      complain(`refused, and yet there:\n${state}\n--- before\n${before}`);
    const again = await operation.run(at, world);
    if (!again.acknowledged) complain(`refused with room again: ${again.words}`);
  }
  let state: string | undefined;
  try {
    await settled(dataDir, 30_000);
    const wrong = [...(await apiProblems(dataDir, at)), ...(await lastingProblems(dataDir))];
    for (const problem of wrong) complain(problem);
    if ((await server.end("SIGTERM")) !== 0) complain(`ended badly:\n${server.output()}`);
    state = await stateOf(dataDir);
  } catch (error) {
    complain(`${error}\n${server.output()}`);
    await server.end("SIGKILL");
  }
  if (/ error /.test(server.output())) complain(`an error in the log:\n${server.output()}`);
  return { acknowledged, state, complained: / (warn|error) /.test(server.output()) };
}

/** What waited for room is done within half a minute after there is some. */
async function lastingProblems(dataDir: string): Promise<string[]> {
  for (const end = performance.now() + 45_000; ; ) {
    const found = await problemsOf(dataDir);
    if (found.length === 0 || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A full disk keeps even the repository that a refused push made from being removed: that is done when there is room. */
function awaitsRemoval(dataDir: string): boolean {
  return withDatabase(dataDir, (db) => db.query("SELECT 1 FROM repositories_awaiting_push").all()).length > 0;
}

/** Takes all room but so much. */
function fillUp(freeBytes: number): void {
  const { bavail, bsize } = statfsSync(mount);
  const bytes = Math.max(0, bavail * bsize - freeBytes);
  writeFileSync(join(mount, "filler"), new Uint8Array(bytes));
}

async function expectReading(at: { url: string; token: string }, complain: (text: string) => void): Promise<void> {
  for (const path of ["/repos/root1/two", "/user/repos", "/repos/root1/two/branches"]) {
    const answer = await call(at, "GET", path);
    if (answer.status !== 200) complain(`GET ${path} answers ${answer.status}`);
  }
  const listed = await tryGit(world.folder, "ls-remote", gitAddress(at, "two"));
  if (!listed.acknowledged) complain(`ls-remote: ${listed.said}`);
}

/** Fresh folders and one in use, on disks from nothing to enough: a start works or says why it does not. */
async function startsOnFullDisks(): Promise<number> {
  let starts = 0;
  for (const isFresh of [true, false]) {
    for (let [enough, freeBytes] = [0, 0]; enough < ENOUGH_IN_A_ROW && starts < MAX_STEPS; freeBytes += stepBytes) {
      await root("sh", "-c", `rm -rf '${mount}'/*`);
      const dataDir = join(mount, "data");
      if (!isFresh) await root("cp", "-r", world.dataDir, dataDir);
      fillUp(freeBytes);
      starts++;
      const said = await startOn(dataDir);
      if (said === "started") enough++;
      else if (!/^Command error: the server's disk/m.test(said) || /\n\s+at /.test(said))
        problems.push(`start with ${freeBytes / 1024} KiB: ${said}`);
      rmSync(join(mount, "filler"), { force: true });
      const again = await startOn(dataDir);
      if (again !== "started") problems.push(`start with room again, after ${freeBytes / 1024} KiB: ${again}`);
      for (const problem of await problemsOf(dataDir)) problems.push(`after ${freeBytes / 1024} KiB: ${problem}`);
      const listed = await hearth(["admin", "user", "list", "--data", dataDir]);
      if (listed.code !== 0) problems.push(`admin user list: ${listed.err}`);
    }
  }
  return starts;
}

async function startOn(dataDir: string): Promise<string> {
  try {
    const server = await serve(dataDir);
    const code = await server.end("SIGTERM");
    return code === 0 ? "started" : `ended with ${code}: ${server.output()}`;
  } catch (error) {
    if (error instanceof DidNotStart) return error.output;
    throw error;
  }
}

async function root(...words: string[]): Promise<void> {
  const child = Bun.spawn(words, { stdout: "pipe", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")}: ${said}`);
}
