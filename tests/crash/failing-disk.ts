/**
 * A disk whose flushes fail: `bun tests/crash/failing-disk.ts [OPERATION…]`, where strace may trace. The n-th fsync or
 * fdatasync of the server's main thread, and every one after it, answers EIO, for each n that the operation passes.
 * What is acknowledged is there after a new start; after a failure nothing more is acknowledged, and reading goes on.
 */
import { removeFolder } from "../executable/process.ts";
import { call } from "./calls.ts";
import { apiProblems, problemsOf, stateOf } from "./check.ts";
import { type Operation, operations } from "./operations.ts";
import { DidNotStart, type Server, serve, settled } from "./server.ts";
import { aWorld } from "./world.ts";

const STRACE = "/usr/bin/strace";
const wanted = process.argv.slice(2);
/** Fails once, or from then on. */
const ways = ["", "+"] as const;
const MOST = 80;

const world = await aWorld();
const problems: string[] = [];
let [tried, refused, stopped, notStarted] = [0, 0, 0, 0];
try {
  for (const operation of operations) {
    if (wanted.length > 0 && !wanted.some((part) => operation.name.includes(part))) continue;
    const before = await stateOf(world.dataDir);
    const after = await undisturbed(operation);
    for (const way of ways)
      for (let n = 1, quiet = 0; n <= MOST && quiet < 2; n++) {
        const complain = (text: string) => problems.push(`${operation.name}, flush ${n}${way}: ${text}`);
        quiet = (await tryWith(operation, `${n}${way}`, before, after, complain)) ? 0 : quiet + 1;
      }
    console.log(`${operation.name}: so far ${tried} tried, ${refused} refused, ${problems.length} problems`);
  }
} finally {
  world.remove();
}
console.log(`${tried} failing flushes, ${refused} refused, ${stopped} stopped writes, ${notStarted} did not start`);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

async function undisturbed(operation: Operation): Promise<string> {
  const dataDir = world.copy();
  const server = await serve(dataDir);
  await operation.run({ url: server.url, token: world.token }, world);
  await settled(dataDir);
  await server.end("SIGTERM");
  const state = await stateOf(dataDir);
  removeFolder(dataDir);
  return state;
}

/** @returns whether the failure came to pass */
async function tryWith(
  operation: Operation,
  when: string,
  before: string,
  after: string,
  complain: (text: string) => void,
): Promise<boolean> {
  const dataDir = world.copy();
  const inject = `inject=fsync,fdatasync:error=EIO:when=${when}`;
  let server: Server;
  tried++;
  try {
    // -D: the server stays our child, the tracer steps aside.
    server = await serve(dataDir, {}, [
      STRACE,
      "-D",
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      "trace=fsync,fdatasync",
      "-e",
      inject,
    ]);
  } catch (error) {
    if (!(error instanceof DidNotStart)) throw error;
    notStarted++;
    if (!/^Command error: the server's disk failed/m.test(error.output)) complain(`start: ${error.output}`);
    removeFolder(dataDir);
    return true;
  }
  const at = { url: server.url, token: world.token };
  const { acknowledged, words } = await operation.run(at, world);
  if (!acknowledged) refused++;
  if (!acknowledged && !/the server's disk failed/.test(words)) complain(`refused in unclear words: ${words}`);
  const isStopped = /writes are stopped/.test(await logOf(server, at));
  if (isStopped) {
    stopped++;
    const later = await call(at, "POST", "/user/repos", { name: "later" });
    if (later.status !== 503) complain(`a later write is answered with ${later.status}`);
  } else if (!acknowledged) complain(`refused without stopping writes: ${words}`);
  const read = await call(at, "GET", "/repos/root1/two");
  if (read.status !== 200) complain(`GET is answered with ${read.status}`);
  await server.end("SIGKILL");

  const again = await serve(dataDir);
  await settled(dataDir);
  const wrong = await apiProblems(dataDir, { url: again.url, token: world.token });
  await again.end("SIGTERM");
  wrong.push(...(await problemsOf(dataDir)));
  for (const problem of wrong) complain(problem);
  const state = await stateOf(dataDir);
  if (state !== after && (acknowledged || state !== before))
    complain(`${acknowledged ? "acknowledged and " : ""}half there or lost:\n${state}\n--- instead of\n${after}`);
  removeFolder(dataDir);
  return isStopped || !acknowledged;
}

/** The log is written a moment late: a request after the others brings them with it. */
async function logOf(server: Server, at: { url: string; token: string }): Promise<string> {
  const mark = `/repos/root1/mark${tried}`;
  await call(at, "GET", mark);
  for (const end = performance.now() + 60_000; !server.output().includes(mark) && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 5));
  return server.output();
}
