import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenRest } from "../../../src/git/transport/upload/rest.ts";
import { FLUSH, packet, packetsOf } from "../../../src/git/wire/pktline.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../executable/process.ts";
import { random } from "../../random.ts";

setDefaultTimeout(600_000);

const CLIENTS = 200;
const BYTES = 12 * 2 ** 20;

let server: TestServer;
let ada: TestUser;
let dir: string;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  dir = mkdtempSync(join(tmpdir(), "hearth-slow-"));
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const addressOf = (repo: Repo) =>
  `${server.url.replace("//", `//${ada.login}:${ada.token}@`)}${ada.login}/${repo.name}.git`;

/** A repository of some files that do not compress, in as many pushes. */
async function aLargeRepo(pushes: number) {
  const repo = aRepo(server, ada.user);
  const work = join(dir, repo.name);
  await git(dir, "init", "-q", "-b", "main", work);
  const chance = random(pushes);
  for (let at = 0; at < pushes; at++) {
    const words = Uint32Array.from({ length: BYTES / 4 / pushes }, () => Math.floor(chance() * 2 ** 32));
    writeFileSync(join(work, `f${at}.bin`), new Uint8Array(words.buffer));
    await git(work, "add", ".");
    await git(work, "commit", "-qm", `push ${at}`);
    await git(work, "push", "-q", addressOf(repo), "main");
  }
  return { repo, work, tip: await git(work, "rev-parse", "main") };
}

const fetchBody = (tip: string) =>
  Buffer.concat([
    packet("command=fetch\n"),
    Buffer.from("0001"),
    packet("ofs-delta\n"),
    packet(`want ${tip}\n`),
    packet("done\n"),
    FLUSH,
  ]);

/** A client that asks for everything and reads only what fits into the system's own buffers. */
function aSlowClient(repo: Repo, tip: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const body = fetchBody(tip);
  const head = [
    `POST /${ada.login}/${repo.name}.git/git-upload-pack HTTP/1.1`,
    `Host: ${hostname}`,
    "Git-Protocol: version=2",
    "Content-Type: application/x-git-upload-pack-request",
    `Content-Length: ${body.length}`,
    "",
    "",
  ].join("\r\n");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(Buffer.concat([Buffer.from(head), body]));
    });
    socket.once("error", reject);
    // The answer has begun: from here on nothing is read.
    socket.once("data", () => {
      socket.pause();
      resolve(socket);
    });
  });
}

test("two hundred clients that do not read on leave clone, push and pages working", async () => {
  const { repo, work, tip } = await aLargeRepo(1);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => aSlowClient(repo, tip)));
  try {
    const began = performance.now();
    const clone = join(dir, "clone");
    await git(dir, "clone", "-q", addressOf(repo), clone);
    expect(await git(clone, "rev-parse", "HEAD")).toBe(tip);
    await git(work, "commit", "-q", "--allow-empty", "-m", "another");
    await git(work, "push", "-q", addressOf(repo), "main");
    expect((await call(server, "GET", `/${ada.login}/${repo.name}`)).status).toBe(200);
    // Less than it takes until someone who takes nothing is let go.
    expect(performance.now() - began).toBeLessThan(50_000);
  } finally {
    for (const client of clients) client.destroy();
  }
});

test.each([
  ["one stored pack", 1],
  ["a pack made of several", 3],
] as const)("who reads %s slowly gets the very same bytes, and no thread waits for it", async (_, pushes) => {
  const { repo, tip } = await aLargeRepo(pushes);
  const ask = () =>
    fetch(`${server.url}${ada.login}/${repo.name}.git/git-upload-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-upload-pack-request", "git-protocol": "version=2" },
      body: fetchBody(tip),
    });
  const packIn = (answer: Uint8Array): Buffer =>
    Buffer.concat(
      [...packetsOf(answer)].flatMap((part) =>
        part.kind === "data" && part.data[0] === 1 ? [part.data.slice(1)] : [],
      ),
    );
  const wanted = packIn(new Uint8Array(await (await ask()).arrayBuffer()));
  const { pool } = server.services;
  const repoDir = server.services.storage.dirOf(repo.id);
  // The same through the pool, with a reader whose pace is ours.
  const snapshot = server.services.refs.snapshot(repo.id);
  const spoolPath = join(repoDir, "objects", "tmp_objdir-answer-test", "answer");
  const job = pool.start("git.fetch", {
    repoDir,
    version: 2,
    body: fetchBody(tip),
    refs: snapshot.packets,
    head: "refs/heads/main",
    spoolPath,
  });
  job.end();
  // Nothing is read until the job is over: it does not wait for us.
  const rest = await job.result;
  expect(rest.length).toBeGreaterThan(0);
  const open = new OpenRest(rest);
  rmSync(join(repoDir, "objects", "tmp_objdir-answer-test"), { recursive: true, force: true });
  const pieces: Uint8Array[] = [new Uint8Array(await new Response(job.output).arrayBuffer())];
  for (let piece = await open.next(); piece; piece = await open.next()) pieces.push(piece);
  open.close();
  expect(packIn(Buffer.concat(pieces)).equals(wanted)).toBe(true);
  expect(readdirSync(join(repoDir, "objects")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
  expect(server.errors).toEqual([]);
});
