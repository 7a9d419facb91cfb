import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { MODE_FILE, serializeTree } from "../../../src/git/objects/tree.ts";
import type { Oid } from "../../../src/git/objects/types.ts";
import { packet } from "../../../src/git/wire/pktline.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../git/objects/real-git.ts";
import { deltaOf, type HandEntry, packOf } from "../../git/receive/packs.ts";
import { longestTurnMs } from "../../growth.ts";

/** A pack of seventy kilobytes, each of whose small files costs one and a half gigabytes to read. */

setDefaultTimeout(600_000);

const MIB = 2 ** 20;
const BASE_BYTES = 31 * MIB;
const CHAIN = 47;
const LEAVES = 600;
/** On a machine that is busy with other tests; it was a minute. */
const MAX_PAUSE_MS = 4000;
const WHO = "A <a@example.org> 1600000000 +0000";

let server: TestServer;
let ada: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
});
afterAll(() => server.close());

/** Copies all but the beginning of the object below, which is a text of its own. */
function linkOf(text: string, sizeBytes: number): Buffer {
  const copies: { copy: [number, number] }[] = [];
  for (let at = text.length; at < sizeBytes; at += 0xffff00)
    copies.push({ copy: [at, Math.min(0xffff00, sizeBytes - at)] });
  return deltaOf(sizeBytes, sizeBytes, [{ insert: text }, ...copies]);
}

/** `leaves` files on a chain of `chain` deltas upon `baseBytes` zeros, their tree and a commit. */
function aChain({ chain, baseBytes, leaves }: { chain: number; baseBytes: number; leaves: number }) {
  const entries: HandEntry[] = [{ kind: 3, data: new Uint8Array(baseBytes) }];
  for (let at = 0; at < chain; at++)
    entries.push({ kind: 6, base: at, delta: linkOf(`${at}`.padStart(8, "0"), baseBytes) });
  const files: { name: string; oid: Oid }[] = [];
  for (let at = 0; at < leaves; at++) {
    const text = `leaf ${at}\n`;
    entries.push({ kind: 6, base: chain, delta: deltaOf(baseBytes, text.length, [{ insert: text }]) });
    files.push({ name: `f${`${at}`.padStart(4, "0")}.txt`, oid: hashObject(SHA1, "blob", Buffer.from(text)) });
  }
  const large = new Uint8Array(baseBytes);
  large.set(Buffer.from(`${chain - 1}`.padStart(8, "0")));
  files.push({ name: "large.bin", oid: hashObject(SHA1, "blob", large) });
  const tree = serializeTree(files.map((file) => ({ ...file, mode: MODE_FILE })));
  entries.push({ kind: 2, data: tree });
  const commit = Buffer.from(`tree ${hashObject(SHA1, "tree", tree)}\nauthor ${WHO}\ncommitter ${WHO}\n\nleaves\n`);
  entries.push({ kind: 1, data: commit });
  return { pack: packOf(entries), tip: hashObject(SHA1, "commit", commit), large };
}

async function push(name: string, tip: Oid, pack: Uint8Array): Promise<string> {
  const capabilities = "report-status agent=test";
  const body = Buffer.concat([
    packet(`${SHA1.zeroOid} ${tip} refs/heads/main\0${capabilities}\n`),
    Buffer.from("0000"),
    pack,
  ]);
  const { status, text } = await call(server, "POST", `/${ada.login}/${name}.git/git-receive-pack`, {
    basic: [ada.login, ada.token],
    headers: { "content-type": "application/x-git-receive-pack-request" },
    body,
  });
  expect(status).toBe(200);
  return text;
}

test("a push whose small files cost a gigabyte each to read is refused, in words", async () => {
  const repo = aRepo(server, ada.user);
  const { pack, tip } = aChain({ chain: CHAIN, baseBytes: BASE_BYTES, leaves: LEAVES });
  expect(pack.length).toBeLessThan(120_000);
  let report = "";
  const pauseMs = await longestTurnMs(async () => {
    report = await push(repo.name, tip, pack);
  });
  expect(report).toMatch(/unpack an object of \d+ bytes is a delta that costs \d+ bytes to read/);
  expect(report).toContain("ng refs/heads/main unpacker error");
  expect(server.services.refs.list(repo.id)).toEqual([]);
  expect(pauseMs).toBeLessThan(MAX_PAUSE_MS);
});

test("a chain of large versions of one file, as git makes it, is taken", async () => {
  const repo = aRepo(server, ada.user);
  const { pack, tip, large } = aChain({ chain: 40, baseBytes: 8 * MIB, leaves: 0 });
  expect(await push(repo.name, tip, pack)).toContain("ok refs/heads/main");
  const raw = await fetch(`${server.url}api/v1/repos/${ada.login}/${repo.name}/raw/large.bin`);
  expect(raw.status).toBe(200);
  expect(Buffer.from(await raw.arrayBuffer()).equals(large)).toBe(true);
});

test("where such a pack is there already, its pages and answers hold no one else up", async () => {
  const repo = aRepo(server, ada.user);
  await server.services.refs.projected();
  const { pack, tip, large } = aChain({ chain: CHAIN, baseBytes: BASE_BYTES, leaves: LEAVES });
  const dir = server.services.storage.dirOf(repo.id);
  const path = join(dir, "objects", "pack", "pack-1234567890123456789012345678901234567890.pack");
  writeFileSync(path, pack);
  git(["-C", dir, "index-pack", path]);
  server.services.refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [{ name: "refs/heads/main", oldOid: null, newOid: tip }],
    atomic: true,
  });
  const api = `/api/v1/repos/${ada.login}/${repo.name}`;
  const page = `/${ada.login}/${repo.name}`;
  for (const address of [
    `${api}/git/commits/${tip}`,
    `${page}/commit/${tip}`,
    `${api}/contents/f0007.txt`,
    `${api}/contents`,
    `${api}/raw/f0008.txt`,
    `${page}/src/branch/main/f0009.txt`,
    page,
  ]) {
    let status = 0;
    const pauseMs = await longestTurnMs(async () => {
      status = (await call(server, "GET", address, { token: ada.token })).status;
    });
    expect({ address, status: status === 413 || status === 200, isHeldUp: pauseMs > MAX_PAUSE_MS }).toEqual({
      address,
      status: true,
      isHeldUp: false,
    });
  }
  const raw = await fetch(`${server.url}api/v1/repos/${ada.login}/${repo.name}/raw/large.bin`);
  expect(Buffer.from(await raw.arrayBuffer()).equals(large)).toBe(true);
  expect(server.errors).toEqual([]);
});

test("what changes something where an object costs much to read is done, once", async () => {
  const repo = aRepo(server, ada.user);
  // More than the serving thread reads of one object.
  const message = "x".repeat(10 * MIB);
  const tree = serializeTree([]);
  const commitOf = (text: string) =>
    Buffer.from(`tree ${hashObject(SHA1, "tree", tree)}\nauthor ${WHO}\ncommitter ${WHO}\n\n${text}`);
  const commit = commitOf(message);
  const tip = hashObject(SHA1, "commit", commit);
  const pack = packOf([
    { kind: 2, data: tree },
    { kind: 1, data: commit },
  ]);
  expect(await push(repo.name, tip, pack)).toContain("ok refs/heads/main");
  const api = `/api/v1/repos/${ada.login}/${repo.name}`;
  const at = { token: ada.token };
  for (const [path, body] of [
    ["branches", { new_branch_name: "other", old_ref_name: "main" }],
    ["branches", { new_branch_name: "third", old_ref_name: tip }],
    ["tags", { tag_name: "v1", target: "main" }],
    ["tags", { tag_name: "v2", target: "main", message: "Annotated" }],
  ] as const) {
    const answer = await call(server, "POST", `${api}/${path}`, { ...at, body });
    expect({ path, body, status: answer.status }).toEqual({ path, body, status: 201 });
  }
  const names = server.services.refs.list(repo.id).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["refs/heads/other", "refs/heads/third", "refs/tags/v1", "refs/tags/v2"]),
  );
});

test("a list of commits whose messages are megabytes is no answer of fifty megabytes", async () => {
  const repo = aRepo(server, ada.user);
  const tree = serializeTree([]);
  const treeOid = hashObject(SHA1, "tree", tree);
  const entries: HandEntry[] = [{ kind: 2, data: tree }];
  let tip = "";
  for (let at = 0; at < 20; at++) {
    const parent = tip === "" ? "" : `parent ${tip}\n`;
    const data = Buffer.from(
      `tree ${treeOid}\n${parent}author ${WHO}\ncommitter ${WHO}\n\n${`${at} `.repeat(MIB / 4)}`,
    );
    entries.push({ kind: 1, data });
    tip = hashObject(SHA1, "commit", data);
  }
  expect(await push(repo.name, tip, packOf(entries))).toContain("ok refs/heads/main");
  const answer = await call<{ commit: { message: string } }[]>(
    server,
    "GET",
    `/api/v1/repos/${ada.login}/${repo.name}/commits?limit=20`,
    { token: ada.token },
  );
  expect([answer.status, answer.body.length]).toEqual([200, 20]);
  expect(answer.text.length).toBeLessThan(5 * MIB);
  expect(answer.body[0]?.commit.message).toStartWith("19 19 19");
});
