import { afterEach, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../src/access/principal.ts";
import { writeObjects } from "../../src/git/odb/write.ts";
import { scrubRepository } from "../../src/git/scrub/scrub.ts";
import { Forbidden } from "../../src/kernel/errors.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { hearth } from "../cli/run.ts";
import { git, gitText } from "../git/objects/real-git.ts";
import { untilHolds } from "../until.ts";

let open: TestServer | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** A repository in one pack, a second branch with a loose commit of its own, and an administrator. */
async function aStoredRepository() {
  const server = await aServer();
  open = server;
  const { user } = await aUser(server, { login: "ada", isAdmin: true });
  const files = { "a.txt": "alpha\n".repeat(50), "b/c.txt": `beta ${"x".repeat(3000)}\n` };
  const repo = aRepo(server, user, { name: "engine", files });
  await server.services.refs.projected();
  const dir = server.services.storage.dirOf(repo.id);
  expect(git(["repack", "-adq"], { cwd: dir }).code).toBe(0);
  expect(git(["prune-packed", "-q"], { cwd: dir }).code).toBe(0);
  const only = (ending: string) => {
    const names = readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(ending));
    expect(names.length).toBe(1);
    return `objects/pack/${names[0]}`;
  };
  const idOf = (revision: string) => gitText(["rev-parse", revision], { cwd: dir });
  return { server, user, repo, dir, only, idOf, principal: asAccount(user) };
}

function flip(path: string, at: number, mask = 0x40): void {
  chmodSync(path, 0o600);
  const bytes = readFileSync(path);
  const place = at < 0 ? bytes.length + at : at;
  bytes[place]! ^= mask;
  writeFileSync(path, bytes);
}

const FIRST_PAGE = { page: 1, limit: 50, offset: 0 };

/** Runs the scrub as its schedule does, and answers what administrators see. */
async function scrubbed({ services, core }: TestServer, principal: ReturnType<typeof asAccount>) {
  services.integrity.scrubAll(principal);
  await untilHolds(() => {
    const { items } = core.jobs.list({}, FIRST_PAGE);
    const scrubs = items.filter(({ kind }) => kind.startsWith("integrity."));
    return scrubs.length >= 3 && scrubs.every(({ state }) => state === "done" || state === "failed");
  });
  return services.integrity.list(principal, FIRST_PAGE);
}

test("what is sound is recorded as sound, for administrators only", async () => {
  const { server, repo, principal } = await aStoredRepository();
  const { items, total } = await scrubbed(server, principal);
  expect([total, items.map(({ findings }) => findings)]).toEqual([2, [[], []]]);
  expect(items.find(({ folderId }) => folderId === repo.id)).toMatchObject({ repository: "ada/engine", items: 5 });
  const { user: other } = await aUser(server, { login: "eve" });
  expect(() => server.services.integrity.list(asAccount(other), FIRST_PAGE)).toThrow(Forbidden);
  expect(() => server.services.integrity.scrubAll(asAccount(other))).toThrow(Forbidden);
});

test.each([
  ["the content of a pack", ".pack", 60, "main"],
  ["the last object of a pack", ".pack", -24, "main"],
])("one bit in %s is found, with the objects and refs it takes along", async (_, ending, at, branch) => {
  const { server, dir, only, principal } = await aStoredRepository();
  flip(join(dir, only(ending)), at);
  const { items } = await scrubbed(server, principal);
  const [finding] = items[0]!.findings;
  expect(finding).toMatchObject({ file: only(ending), hits: { refs: [`refs/heads/${branch}`], refCount: 1 } });
  expect(finding!.hits.objectCount).toBeGreaterThan(0);
  expect(finding!.hits.lostCount).toBe(finding!.hits.objectCount);
  expect(finding!.hits.objects.length).toBe(finding!.hits.objectCount);
});

test.each([
  ["a pack's checksum", ".pack", -1, "the pack's checksum is wrong"],
  ["an index's checksum", ".idx", -1, "the index's checksum is wrong"],
  ["a CRC in an index", ".idx", 8 + 1024 + 5 * 20 + 2, "the index's checksum is wrong"],
])("one bit in %s is found and hits no object", async (_, ending, at, message) => {
  const { server, dir, only, principal } = await aStoredRepository();
  flip(join(dir, only(ending)), at);
  const { items } = await scrubbed(server, principal);
  expect(items[0]!.findings).toEqual([
    {
      file: only(ending),
      message,
      hits: { objects: [], objectCount: 0, lostCount: 0, refs: [], refCount: 0, owners: [] },
    },
  ]);
});

test("one bit in the ids of an index is found: the object under it can no longer be found", async () => {
  const { server, dir, only, principal, idOf } = await aStoredRepository();
  const tip = idOf("main");
  const path = join(dir, only(".idx"));
  const at = readFileSync(path).indexOf(Buffer.from(tip, "hex"));
  flip(path, at + 19, 1);
  const { items } = await scrubbed(server, principal);
  expect(items[0]!.findings).toMatchObject([
    { file: only(".idx"), hits: { objects: [tip], lostCount: 1, refs: ["refs/heads/main"] } },
  ]);
});

test("a damaged loose object is found, and is not lost while a pack has it too", async () => {
  const { server, dir, principal, idOf } = await aStoredRepository();
  const oid = idOf("main:a.txt");
  const [also] = writeObjects(dir, [{ type: "blob", data: Buffer.from("loose only\n") }]);
  writeObjects(dir, [{ type: "blob", data: Buffer.from("alpha\n".repeat(50)) }]);
  for (const id of [oid, also!]) flip(join(dir, "objects", id.slice(0, 2), id.slice(2)), 6);
  const { items } = await scrubbed(server, principal);
  const file = (id: string) => `objects/${id.slice(0, 2)}/${id.slice(2)}`;
  const found = new Map(items[0]!.findings.map(({ file: name, hits }) => [name, hits]));
  expect([...found.keys()].sort()).toEqual([file(oid), file(also!)].sort());
  expect(found.get(file(oid))).toMatchObject({ objects: [oid], lostCount: 0, refs: [] });
  expect(found.get(file(also!))).toMatchObject({ objects: [also], lostCount: 1, refs: [] });
});

test("a pack that is gone is found by what refs lead to", async () => {
  const { server, dir, only, principal, idOf } = await aStoredRepository();
  const tip = idOf("main");
  const stem = only(".pack").replace(".pack", "");
  for (const ending of [".pack", ".idx"]) rmSync(join(dir, stem + ending));
  const { items } = await scrubbed(server, principal);
  expect(items[0]!.findings).toMatchObject([
    { file: "objects", hits: { objects: [tip], refs: ["refs/heads/main"], refCount: 1 } },
  ]);
});

test("one bit in an uploaded file is found, with what uses it", async () => {
  const { server, principal } = await aStoredRepository();
  const { blobs } = server.services;
  const source = async function* () {
    yield Buffer.from("an upload");
  };
  using stored = await blobs.receive(source(), { maxBytes: 100 });
  server.core.db.transaction(() => blobs.refer("test", "release 7", stored));
  flip(blobs.files.pathOf(stored.digest), 3);
  const { items } = await scrubbed(server, principal);
  expect(items[0]).toMatchObject({
    folderId: null,
    findings: [{ file: stored.digest, message: "its file holds other bytes", hits: { owners: ["test release 7"] } }],
  });
});

test("hearth doctor --deep names the file, the objects and the refs, and is silent of what is sound", async () => {
  const { server, dir, only } = await aStoredRepository();
  const sound = await hearth(server.dataDir, ["doctor", "--deep"]);
  expect([sound.code, sound.out]).toEqual([0, expect.stringContaining("ok      stored objects: 5 objects, ")]);
  flip(join(dir, only(".pack")), 60);
  const { code, out } = await hearth(server.dataDir, ["doctor", "--deep"]);
  expect(code).toBe(1);
  expect(out).toContain(`wrong   stored objects: ada/engine: ${only(".pack")}: `);
  expect(out).toContain("1 refs lead to them: refs/heads/main\n");
});

test("a scrub keeps to its share of a core and ends soon when it is told to", async () => {
  const { dir } = await aStoredRepository();
  // Some 20 MiB that do not deflate: enough to be at it for a while.
  const blob = new Uint8Array(20 * 1024 * 1024);
  for (let at = 0; at < blob.length; at += 65536) crypto.getRandomValues(blob.subarray(at, at + 65536));
  git(["hash-object", "-w", "--stdin"], { cwd: dir, input: blob });
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await scrubRepository(dir, { refs: [], coreShare: 0.2 });
  const { user, system } = process.cpuUsage(cpu);
  // The rest of the process has a part in it: the bound is wide.
  expect((user + system) / 1000).toBeLessThan(0.6 * (performance.now() - began));
  const stop = new AbortController();
  const scrub = scrubRepository(dir, { refs: [], coreShare: 0.01, signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(scrub).rejects.toThrow("enough");
});

test.each([
  ["small", 40],
  ["streamed", 6 * 1024 * 1024],
])("a %s file whose bytes are those of another is not served, though each zlib stream is sound", async (_, size) => {
  const server = await aServer();
  open = server;
  const { user, token } = await aUser(server, { login: "ada" });
  const [right, wrong] = [new Uint8Array(size).fill(97), new Uint8Array(size).fill(98)];
  const repo = aRepo(server, user, { name: "engine", files: { "a.bin": right } });
  const dir = server.services.storage.dirOf(repo.id);
  const [oid] = writeObjects(dir, [{ type: "blob", data: right }]);
  const [other] = writeObjects(dir, [{ type: "blob", data: wrong }]);
  const place = (id: string) => join(dir, "objects", id.slice(0, 2), id.slice(2));
  const raw = () =>
    fetch(`${server.url}api/v1/repos/ada/engine/raw/a.bin`, { headers: { authorization: `token ${token}` } });
  expect((await (await raw()).bytes()).length).toBe(size);
  // As a disk does that writes to the wrong place.
  chmodSync(place(oid!), 0o600);
  writeFileSync(place(oid!), readFileSync(place(other!)));
  server.services.storage.reopen(repo.id);
  const answer = await raw();
  const body = await answer.bytes().catch(() => undefined);
  expect(answer.status === 500 || body === undefined || body.length < size).toBe(true);
});
