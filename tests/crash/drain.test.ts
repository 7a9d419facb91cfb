import { afterAll, beforeAll, expect, test } from "bun:test";
import { git } from "../executable/process.ts";
import { untilHolds } from "../until.ts";
import { call } from "./calls.ts";
import { folderOf, problemsOf } from "./check.ts";
import { type Server, serve, settled, withDatabase } from "./server.ts";
import { aWorld, type World } from "./world.ts";

/** SIGTERM while a push runs: it ends or fails cleanly in the time that is set, and the next start finds all in order. */

let world: World;

beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.remove());

test("a push that ends within the time is acknowledged, and the server ends then", async () => {
  const { dataDir, server, push } = await aPushUnderWay({ HEARTH_SHUTDOWN_GRACE_SECONDS: "20" });
  const ended = server.end("SIGTERM");
  await stopsListening(server);
  push.sendRest();
  expect(await push.answer).toContain("ok refs/heads/late");
  expect(await ended).toBe(0);
  await expectOrder(dataDir, true);
});

test("a push that takes longer is broken off without a trace", async () => {
  const { dataDir, server, push } = await aPushUnderWay({ HEARTH_SHUTDOWN_GRACE_SECONDS: "1" });
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await push.answer.catch(() => "broken off")).not.toContain("ok refs/heads/late");
  await expectOrder(dataDir, false);
});

async function expectOrder(dataDir: string, pushed: boolean): Promise<void> {
  const again = await serve(dataDir);
  await settled(dataDir);
  const shown = await call({ url: again.url, token: world.token }, "GET", "/repos/root1/one/branches/late");
  expect(shown.status).toBe(pushed ? 200 : 404);
  expect(await again.end("SIGTERM")).toBe(0);
  expect(again.output()).not.toMatch(/ (warn|error) /);
  expect(await problemsOf(dataDir)).toEqual([]);
  // Nothing of a push that came to nothing stays, not even in `one`'s object folder.
  const packs = await git(folderOf(dataDir, 1), "count-objects", "-v");
  expect(packs).toContain(`packs: ${pushed ? 2 : 1}`);
  expect(
    withDatabase(dataDir, (db) => db.query("SELECT 1 FROM refs WHERE name = 'refs/heads/late'").all()),
  ).toHaveLength(pushed ? 1 : 0);
}

/** A push of which the server has everything but the end of the pack. */
async function aPushUnderWay(environment: Record<string, string>) {
  const dataDir = world.copy();
  const server = await serve(dataDir, environment);
  const tip = await git(world.source, "rev-parse", "other");
  const pack = await packOf(tip);
  const command = `${"0".repeat(40)} ${tip} refs/heads/late\0 report-status`;
  const head = `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`;
  const rest = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(Buffer.concat([Buffer.from(head), pack.subarray(0, 60)]));
      await rest.promise;
      controller.enqueue(pack.subarray(60));
      controller.close();
    },
  });
  const answer = fetch(`${server.url}/root1/one.git/git-receive-pack`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`x:${world.token}`).toString("base64")}`,
      "content-type": "application/x-git-receive-pack-request",
    },
    body,
  }).then((response) => response.text());
  answer.catch(() => {});
  // The quarantine folder appears when the commands are read.
  await untilHolds(async () => {
    const garbage = await git(folderOf(dataDir, 1), "rev-parse", "--git-dir").then(() =>
      Array.from(
        new Bun.Glob("tmp_objdir-incoming-*").scanSync({ cwd: `${folderOf(dataDir, 1)}/objects`, onlyFiles: false }),
      ),
    );
    return garbage.length > 0;
  });
  return { dataDir, server, push: { answer, sendRest: () => rest.resolve() } };
}

async function packOf(tip: string): Promise<Buffer> {
  const child = Bun.spawn(["git", "pack-objects", "--revs", "--stdout", "-q"], {
    cwd: world.source,
    stdin: Buffer.from(`${tip}\n`),
    stdout: "pipe",
  });
  return Buffer.from(await new Response(child.stdout).arrayBuffer());
}

const stopsListening = (server: Server) =>
  untilHolds(async () => {
    try {
      const answer = await fetch(`${server.url}/api/healthz`, { headers: { connection: "close" } });
      await answer.body?.cancel();
      return false;
    } catch {
      return true;
    }
  });
