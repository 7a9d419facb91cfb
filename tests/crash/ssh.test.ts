import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { git } from "../executable/process.ts";
import { aKey, type Key, removeFolders, sshOptions, urlOf, Work } from "../ssh/scene.ts";
import { until, untilHolds } from "../until.ts";
import { call } from "./calls.ts";
import { folderOf, problemsOf } from "./check.ts";
import { type Server, serve, settled } from "./server.ts";
import { aWorld, type World } from "./world.ts";

/** Pushes over SSH when the server dies, and when it is told to stop. */

setDefaultTimeout(300_000);

let world: World;
let key: Key;

beforeAll(async () => {
  world = await aWorld();
  key = aKey();
});
afterAll(() => {
  world.remove();
  removeFolders();
});

async function serveSsh(dataDir: string, environment: Record<string, string> = {}) {
  const server = await serve(dataDir, { HEARTH_SSH_LISTEN: "127.0.0.1:0", ...environment });
  const sshPort = Number(await until(() => / git over SSH .*port=(\d+)/.exec(server.output())?.[1]));
  return { server, sshPort };
}

async function withKey(dataDir: string): Promise<void> {
  const server = await serve(dataDir);
  const body = { title: "laptop", key: key.line };
  expect((await call({ url: server.url, token: world.token }, "POST", "/user/keys", body)).status).toBe(201);
  await server.end("SIGTERM");
}

const branchOf = (server: Server, name: string) =>
  call({ url: server.url, token: world.token }, "GET", `/repos/root1/one/branches/${name}`);

test.each(["ingest: pack received", "push.before-admit", "push.after-admit"])(
  "killed at `%s`, it has no trace of the push, and takes it again",
  async (point) => {
    const dataDir = world.copy();
    await withKey(dataDir);
    const dying = await serveSsh(dataDir, { HEARTH_CRASH_AT: point });
    const lost = await new Work(world.source, dying, key).git("push", urlOf(dying, "root1/one"), "other:late");
    // A push that failed for another reason leaves it alive: its words tell why.
    const stays = Bun.sleep(20_000).then(() => `it is still there: ${lost.err}${dying.server.output()}`);
    const gone = await Promise.race([dying.server.exited, stays]);
    expect({ code: lost.code === 0, gone }).toEqual({ code: false, gone: null });
    const { server, sshPort } = await serveSsh(dataDir);
    await settled(dataDir);
    expect((await branchOf(server, "late")).status).toBe(404);
    const work = new Work(world.source, { sshPort }, key);
    await work.ok("push", "-q", urlOf({ sshPort }, "root1/one"), "other:late");
    expect((await branchOf(server, "late")).status).toBe(200);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(server.output()).not.toMatch(/ (warn|error) /);
    expect(await problemsOf(dataDir)).toEqual([]);
  },
);

test("killed after the answer, it still has what was pushed", async () => {
  const dataDir = world.copy();
  await withKey(dataDir);
  const { server, sshPort } = await serveSsh(dataDir);
  await new Work(world.source, { sshPort }, key).ok("push", "-q", urlOf({ sshPort }, "root1/one"), "other:kept");
  await server.end("SIGKILL");
  const again = await serveSsh(dataDir);
  await settled(dataDir);
  expect((await branchOf(again.server, "kept")).status).toBe(200);
  await again.server.end("SIGTERM");
  expect(await problemsOf(dataDir)).toEqual([]);
});

test.each([
  ["20", true],
  ["1", false],
])("told to stop with %s seconds of grace, it lets a push end in that time: %p", async (seconds, ends) => {
  const dataDir = world.copy();
  await withKey(dataDir);
  const { server, sshPort } = await serveSsh(dataDir, { HEARTH_SHUTDOWN_GRACE_SECONDS: seconds });
  const tip = await git(world.source, "rev-parse", "other");
  const packing = Bun.spawn(["git", "pack-objects", "--revs", "--stdout", "-q"], {
    cwd: world.source,
    stdin: Buffer.from(`${tip}\n`),
    stdout: "pipe",
  });
  const pack = await new Response(packing.stdout).bytes();
  const command = `${"0".repeat(40)} ${tip} refs/heads/late\0 report-status`;
  const words = [...sshOptions({ sshPort }, key), "-T", "git@127.0.0.1", "git-receive-pack 'root1/one.git'"];
  const client = Bun.spawn(["ssh", ...words], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  client.stdin.write(`${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`);
  client.stdin.write(pack.subarray(0, 60));
  client.stdin.flush();
  const objects = `${folderOf(dataDir, 1)}/objects`;
  await untilHolds(() => {
    const quarantines = new Bun.Glob("tmp_objdir-incoming-*").scanSync({ cwd: objects, onlyFiles: false });
    return Array.from(quarantines).length > 0;
  });
  const ended = server.end("SIGTERM");
  if (ends) {
    await untilHolds(() =>
      fetch(`${server.url}/api/healthz`)
        .then(() => false)
        .catch(() => true),
    );
    client.stdin.write(pack.subarray(60));
    client.stdin.end();
  }
  const said = await new Response(client.stdout).text();
  expect({ reported: said.includes("ok refs/heads/late"), code: await ended }).toEqual({ reported: ends, code: 0 });
  const again = await serve(dataDir);
  expect((await branchOf(again, "late")).status).toBe(ends ? 200 : 404);
  await again.end("SIGTERM");
  expect(await problemsOf(dataDir)).toEqual([]);
});
