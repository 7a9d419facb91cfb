import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHA256 } from "../../../src/git/objects/format.ts";
import { hashObject, oidBytes } from "../../../src/git/objects/hash.ts";
import { OidTable } from "../../../src/git/objects/oid-table.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { initRepository } from "../../../src/git/odb/write.ts";
import { readClosure } from "../../../src/git/receive/closure.ts";
import { type IngestOptions, ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit, sweepQuarantines } from "../../../src/git/receive/quarantine.ts";
import { newSeed, random } from "../../random.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { deltaOf, type HandEntry, packOf, pieces } from "./packs.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

function ingest(repo: string, pack: Uint8Array, options: Partial<IngestOptions> = {}) {
  return ingestPack({
    repoDir: repo,
    pack: pieces(pack, 4096),
    newTips: [],
    connectedTo: [],
    strict: true,
    ...options,
  });
}

const handPack = (entries: readonly HandEntry[], count = entries.length) => packOf(entries, count, "sha256");
const blob = (text: string): HandEntry => ({ kind: 3, data: Buffer.from(text) });
const idOf = (text: string) => hashObject(SHA256, "blob", Buffer.from(text));

function tree(mode: string, name: string, id: Uint8Array): HandEntry {
  return { kind: 2, data: Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]) };
}

test("pushes, thin ones too, are stored with git's own index, proven and remembered", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  const seed = newSeed();
  const next = random(seed);
  buildHistory(source, 90, seed, "sha256");
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main", format: SHA256 });
  let had: string | undefined;
  for (const back of [60, 30, 1, 0]) {
    const tip = gitText(["-C", source, "rev-parse", `main~${back}`]);
    const pack = git(["-C", source, "pack-objects", "-q", "--revs", "--thin", "--stdout", "--delta-base-offset"], {
      input: had ? `${tip}\n^${had}\n` : `${tip}\n`,
    }).stdout;
    const quarantined = await ingest(repo, pack, {
      pack: pieces(pack, 1 + Math.floor(next() * 5000)),
      newTips: [tip],
      connectedTo: had ? [had] : [],
    });
    expect(quarantined.packId).toMatch(/^[0-9a-f]{64}$/);
    const stem = `pack-${quarantined.packId}`;
    const stored = readFileSync(join(quarantined.quarantineDir, `${stem}.pack`));
    admit(quarantined);
    writeFileSync(join(dir.path, "x.pack"), stored);
    git(["index-pack", "--object-format=sha256", "-o", join(dir.path, "x.idx"), join(dir.path, "x.pack")]);
    expect(readFileSync(join(repo, "objects/pack", `${stem}.idx`)).equals(readFileSync(join(dir.path, "x.idx")))).toBe(
      true,
    );
    expect(readClosure(repo, quarantined.packId!)?.tips).toEqual([tip]);
    had = tip;
  }
  git(["-C", repo, "update-ref", "refs/heads/main", had!]);
  expect(git(["-C", repo, "fsck", "--strict", "--no-dangling"]).stderr).toBe("");
  expect(sweepQuarantines(repo)).toBe(0);
  const [some] = allObjects(source);
  const store = ObjectStore.open(repo, { verify: true });
  expect(store.read(some!.oid)).toBeDefined();
  store.close();
});

test("packs made to do harm, or of the other format, are refused and leave nothing", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main", format: SHA256 });
  const a = idOf("a");
  const identity = deltaOf(1, 1, [{ copy: [0, 1] }]);
  const good = handPack([blob("a"), blob("b")]);
  const person = "A <a@b.c> 1 +0000";
  const cases: [string, Uint8Array, RegExp][] = [
    ["a whole pack of SHA-1", packOf([blob("a"), blob("b")]), /cut short|checksum/],
    ["no trailer", good.subarray(0, -32), /cut short/],
    ["a trailer of 20 bytes", good.subarray(0, -12), /cut short/],
    ["wrong trailer", Buffer.concat([good.subarray(0, -1), Buffer.from("!")]), /checksum/],
    ["garbage behind", Buffer.concat([good, Buffer.from("x")]), /garbage/],
    ["twice", handPack([blob("a"), blob("b"), blob("a")]), /twice/],
    ["unknown base", handPack([{ kind: 7, base: "ab".repeat(32), delta: identity }]), /unresolved/],
    ["a base of 20 bytes", handPack([blob("a"), { kind: 7, base: a.slice(0, 40), delta: identity }]), /./],
    ["a copy of its base", handPack([blob("a"), { kind: 7, base: a, delta: identity }]), /twice/],
    ["tree of short ids", handPack([blob("a"), tree("100644", "f", oidBytes(a.slice(0, 40)))]), /badTree/],
    [".git", handPack([blob("a"), tree("100644", ".git", oidBytes(a))]), /hasDotgit/],
    ["null id", handPack([tree("100644", "f", new Uint8Array(32))]), /nullSha1/],
    ["tree as blob", handPack([blob("a"), tree("40000", "d", oidBytes(a))]), /another type/],
    [
      "commit with a short tree",
      handPack([{ kind: 1, data: Buffer.from(`tree ${a.slice(0, 40)}\nauthor ${person}\ncommitter ${person}\n\n`) }]),
      /badTreeSha1/,
    ],
    [
      "commit with a short parent",
      handPack([
        {
          kind: 1,
          data: Buffer.from(`tree ${a}\nparent ${a.slice(0, 40)}\nauthor ${person}\ncommitter ${person}\n\n`),
        },
      ]),
      /badParentSha1/,
    ],
    ["tag of a short id", handPack([{ kind: 4, data: Buffer.from(`object ${a.slice(0, 40)}\n\n`) }]), /badObjectSha1/],
  ];
  for (const [name, pack, message] of cases) {
    for (const piece of [7, 100_000]) {
      const error = await ingest(repo, pack, { pack: pieces(pack, piece) }).catch((failure: unknown) => failure);
      expect(`${name}: ${error}`).toMatch(message);
      expect((error as Error).name).toBe("BadPack");
    }
  }
  expect(readdirSync(join(repo, "objects")).sort()).toEqual(["info", "pack"]);
  expect(readdirSync(join(repo, "objects/pack"))).toEqual([]);
});

test("a table of ids finds what was put in, and tells ids apart by every word", () => {
  const seed = newSeed();
  const next = random(seed);
  const table = new OidTable(SHA256, 4);
  const word = () => Math.floor(next() * 2 ** 32);
  const shared = Array.from({ length: 5 }, word);
  const ids = Array.from({ length: 3000 }, (_, i) => {
    // Ids that begin alike are a sender's to choose.
    const words = [...(i % 2 === 0 ? shared : Array.from({ length: 5 }, word)), word(), word(), word()];
    return words.map((part) => part.toString(16).padStart(8, "0")).join("");
  });
  expect(ids.map((oid) => table.addOid(oid))).toEqual(ids.map((_, slot) => slot));
  ids.forEach((oid, slot) => {
    expect(table.addHex(Buffer.from(oid), 0)).toBe(slot);
    expect(table.findOid(oid)).toBe(slot);
    expect(table.oidOf(slot)).toBe(oid);
  });
  expect(table.size).toBe(ids.length);
  expect(table.findOid(ids[0]!.slice(0, 40))).toBe(-1);
  expect(() => table.addOid("0".repeat(40))).toThrow(RangeError);
});
