import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../executable/process.ts";
import { gitText } from "../../git/objects/real-git.ts";
import { random } from "../../random.ts";

/** Files that no thread should hold whole, and those that are stored as deltas and must be made whole somewhere. */

setDefaultTimeout(600_000);

const MIB = 2 ** 20;
const BYTES = 40 * MIB;

let server: TestServer;
let ada: TestUser;
let dir: string;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  dir = mkdtempSync(join(tmpdir(), "hearth-large-"));
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const sha = (bytes: Uint8Array) => new Bun.CryptoHasher("sha1").update(bytes).digest("hex");

test("a file of forty megabytes that is stored as a delta is served, archived and diffed", async () => {
  const repo = aRepo(server, ada.user);
  const chance = random(1);
  const byte = () => Math.floor(chance() * 256);
  const block = Uint8Array.from({ length: 64 * 1024 }, byte);
  const content = new Uint8Array(BYTES);
  for (let at = 0; at < BYTES; at += block.length) {
    block[at % 1000] = byte();
    content.set(block.subarray(0, Math.min(block.length, BYTES - at)), at);
  }
  gitText(["init", "-q", "-b", "main", dir]);
  const commit = (message: string, bytes = content) => {
    writeFileSync(join(dir, "large.bin"), bytes);
    gitText(["-C", dir, "add", "."]);
    gitText(["-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", message]);
  };
  commit("first");
  content.set(Buffer.from("changed"), 20 * MIB);
  // A delta of another length than what it is made of.
  commit("second", content.subarray(0, BYTES - 1000));
  gitText(["-C", dir, "repack", "-adfq"]);
  // All versions in one pack: one of them is a delta of the other.
  expect(gitText(["-C", dir, "count-objects", "-v"])).toMatch(/size-pack: \d{1,5}\n/);
  const address = `${server.url.replace("//", `//${ada.login}:${ada.token}@`)}${ada.login}/${repo.name}.git`;
  await git(dir, "push", "-q", address, "main");
  const [second = "", first = ""] = gitText(["-C", dir, "rev-list", "main"]).split("\n");
  const path = `${ada.login}/${repo.name}`;
  const wanted = new Map(
    [first, second].map((commit) => [commit, gitText(["-C", dir, "rev-parse", `${commit}:large.bin`]).trim()]),
  );
  for (const [commit, oid] of wanted) {
    for (const address of [
      `api/v1/repos/${path}/raw/large.bin?ref=${commit}`,
      `api/v1/repos/${path}/media/large.bin?ref=${commit}`,
      `${path}/raw/commit/${commit}/large.bin`,
    ]) {
      const answer = await fetch(server.url + address);
      expect([address, answer.status]).toEqual([address, 200]);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(sha(Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))).toBe(oid);
    }
    const part = await fetch(`${server.url}api/v1/repos/${path}/raw/large.bin?ref=${commit}`, {
      headers: { range: `bytes=${20 * MIB}-${20 * MIB + 6}` },
    });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 7]);
    const file = join(dir, "archive.tar");
    const job = server.services.pool.start("git.archive", {
      repoDir: server.services.storage.dirOf(repo.id),
      oid: commit,
      format: "tar",
    });
    job.end();
    writeFileSync(file, new Uint8Array(await new Response(job.output).arrayBuffer()));
    const unpacked = Bun.spawnSync(["tar", "-xOf", file, "large.bin"], { maxBuffer: 2 * BYTES });
    expect(sha(Buffer.concat([Buffer.from(`blob ${unpacked.stdout.length}\0`), unpacked.stdout]))).toBe(oid);
  }
  const diff = await fetch(`${server.url}api/v1/repos/${path}/git/commits/${second}.diff`);
  expect([diff.status, (await diff.text()).includes("large.bin")]).toEqual([200, true]);
  expect((await call(server, "GET", `/${path}/commit/${second}`)).status).toBe(200);
  expect((await call(server, "GET", `/${path}/src/branch/main/large.bin`)).status).toBe(200);
  expect(server.errors).toEqual([]);
});
