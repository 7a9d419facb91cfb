import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject, oidBytes } from "../../../src/git/objects/hash.ts";
import { parseTree } from "../../../src/git/objects/tree.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { initRepository, writeObjects } from "../../../src/git/odb/write.ts";
import { readClosure } from "../../../src/git/receive/closure.ts";
import { type IngestOptions, ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit, discard, sweepQuarantines } from "../../../src/git/receive/quarantine.ts";
import { newSeed, random } from "../../random.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { deltaOf, type HandEntry, packOf, pieces, withTrailer } from "./packs.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const WHO = "A <a@b.c> 1700000000 +0000";

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

function leftovers(repo: string): string[] {
  return readdirSync(join(repo, "objects")).filter((name) => name.startsWith("tmp_"));
}

function packFor(repo: string, revisions: string[], extra: string[] = []): Buffer {
  const args = ["-C", repo, "pack-objects", "-q", "--revs", "--stdout", "--delta-base-offset", ...extra];
  return git(args, { input: `${revisions.join("\n")}\n` }).stdout;
}

function gitIndex(dir: string, pack: Uint8Array): Buffer {
  writeFileSync(join(dir, "x.pack"), pack);
  git(["-C", dir, "index-pack", "-o", join(dir, "x.idx"), join(dir, "x.pack")]);
  return readFileSync(join(dir, "x.idx"));
}

/** The ids that objects of a pack point to and that are not in it, sorted, as real git tells. */
function pointedOutOf(repo: string, packId: string): string[] {
  const index = readFileSync(join(repo, "objects/pack", `pack-${packId}.idx`));
  const own = new Set(
    gitText(["show-index"], { input: index })
      .split("\n")
      .map((line) => line.split(" ")[1] ?? ""),
  );
  const links = new Set<string>();
  // One process for all: `<id> <type> <size>`, the object, a line end, and so on (git-cat-file(1), BATCH OUTPUT).
  const all = git(["-C", repo, "cat-file", "--batch"], { input: `${[...own].join("\n")}\n` }).stdout;
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf(10, at);
    const [, type, size] = all.subarray(at, end).toString().split(" ");
    const data = all.subarray(end + 1, end + 1 + Number(size));
    if (type === "tree") for (const { oid } of parseTree(data, SHA1)) links.add(oid);
    else if (type !== "blob")
      for (const match of (data.toString().split("\n\n")[0] ?? "").matchAll(
        /^(?:tree|parent|object) ([0-9a-f]{40})$/gm,
      ))
        links.add(match[1] ?? "");
    at = end + 2 + Number(size);
  }
  return [...links].filter((oid) => !own.has(oid)).sort();
}

test("a first push: the index is git's own, whatever the pieces and the kind of delta", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 150);
  const seed = newSeed();
  const next = random(seed);
  const main = gitText(["-C", source, "rev-parse", "main"]);
  const tag = gitText(["-C", source, "rev-parse", "v1"]);
  for (const [name, options] of [
    ["ofs", []],
    ["ref", ["--no-delta-base-offset"]],
    ["deep", ["--depth=200", "--window=50", "--no-reuse-delta"]],
    ["plain", ["--depth=0", "--no-reuse-delta"]],
  ] as const) {
    const repo = join(dir.path, `${name}.git`);
    initRepository(repo, { defaultBranch: "main" });
    const args = ["-C", source, "pack-objects", "-q", "--revs", "--all", "--stdout", ...options];
    const pack = git(args, { input: "\n" }).stdout;
    const quarantined = await ingest(repo, pack, {
      pack: pieces(pack, 1 + Math.floor(next() * 3000)),
      newTips: [main, tag],
    });
    expect(allObjects(repo)).toEqual([]);
    admit(quarantined);
    const stem = join(repo, "objects/pack", `pack-${quarantined.packId}`);
    expect(readFileSync(`${stem}.pack`).equals(pack)).toBe(true);
    expect(readFileSync(`${stem}.idx`).equals(gitIndex(dir.path, pack))).toBe(true);
    expect(allObjects(repo)).toEqual(allObjects(source));
    expect(quarantined.objects).toBe(allObjects(source).length);
    git(["-C", repo, "update-ref", "refs/heads/main", main]);
    expect(git(["-C", repo, "fsck", "--strict"]).code).toBe(0);
    expect(readClosure(repo, quarantined.packId!)).toEqual({ tips: [tag], boundary: [], exact: true });
    expect(leftovers(repo)).toEqual([]);
  }
});

test("thin pushes one after another are completed, proven and remembered", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 120);
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  let old: string | undefined;
  let thin = 0;
  for (const step of [100, 99, 90, 60, 30, 29, 1, 0]) {
    const tip = gitText(["-C", source, "rev-parse", `main~${step}`]);
    const pack = packFor(source, old ? [tip, `^${old}`] : [tip], ["--thin"]);
    const quarantined = await ingest(repo, pack, { newTips: [tip], connectedTo: old ? [old] : [] });
    admit(quarantined);
    git(["-C", repo, "update-ref", "refs/heads/main", tip]);
    expect(git(["-C", repo, "fsck", "--strict"]).code).toBe(0);
    git(["-C", repo, "verify-pack", join(repo, "objects/pack", `pack-${quarantined.packId}.idx`)]);
    const closure = readClosure(repo, quarantined.packId!)!;
    expect(closure.exact).toBe(true);
    expect(closure.tips).toEqual([tip]);
    if (old) expect(closure.boundary).toContain(old);
    // The bases that complete a thin pack point out of it too; a clone that copied the pack lacked what they point to.
    expect(closure.boundary.toSorted()).toEqual(pointedOutOf(repo, quarantined.packId!));
    thin += quarantined.appendedBases.length;
    old = tip;
  }
  expect(thin).toBeGreaterThan(0);
  expect(gitText(["-C", repo, "rev-list", "--objects", "main"])).toBe(
    gitText(["-C", source, "rev-list", "--objects", "main"]),
  );
});

test("what is missing is noticed: in the pack, at its edge, and below what only lies in the store", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 30);
  const repo = join(dir.path, "r.git");
  const tip = gitText(["-C", source, "rev-parse", "main"]);
  const before = gitText(["-C", source, "rev-parse", "main~5"]);
  const all = gitText(["-C", source, "rev-list", "--objects", tip])
    .split("\n")
    .map((line) => line.split(" ")[0]!);
  const packOfIds = (ids: string[]) =>
    git(["-C", source, "pack-objects", "-q", "--stdout"], { input: `${ids.join("\n")}\n` }).stdout;
  initRepository(repo, { defaultBranch: "main" });
  for (let i = 0; i < all.length; i += 7) {
    const without = packOfIds(all.filter((_, k) => k !== i));
    const error = await ingest(repo, without, { newTips: [tip] }).catch((failure: unknown) => failure);
    expect(String(error)).toMatch(/missing necessary objects/);
  }
  // Present in the store, but not whole, and not reachable from any ref: must not be taken for whole.
  const broken = packOfIds(all.slice(0, 1));
  writeFileSync(join(dir.path, "b.pack"), broken);
  git(["-C", repo, "index-pack", "--stdin"], { input: broken });
  const child = Buffer.from(
    `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent ${tip}\nauthor ${WHO}\ncommitter ${WHO}\n\nm`,
  );
  const pack = packOf([
    { kind: 1, data: child },
    { kind: 2, data: new Uint8Array(0) },
  ]);
  const childOid = hashObject(SHA1, "commit", child);
  const refused = await ingest(repo, pack, { newTips: [childOid] }).catch((failure: unknown) => failure);
  expect(String(refused)).toMatch(/missing necessary objects/);
  await expect(ingest(repo, packOf([]), { newTips: [tip] })).rejects.toThrow(/missing necessary/);
  await expect(
    ingestPack({ repoDir: repo, pack: null, newTips: [tip], connectedTo: [], strict: true }),
  ).rejects.toThrow(/missing necessary/);
  expect(leftovers(repo)).toEqual([]);
  // The same commits on top of what is whole, though reached by no ref, are accepted after being walked.
  git(["-C", repo, "index-pack", "--stdin"], { input: packFor(source, [tip]) });
  admit(await ingest(repo, pack, { newTips: [childOid] }));
  admit(await ingest(repo, pack, { newTips: [childOid], connectedTo: [before] }));
  admit(await ingestPack({ repoDir: repo, pack: null, newTips: [tip], connectedTo: [], strict: true }));
  git(["-C", repo, "update-ref", "refs/heads/main", childOid]);
  expect(git(["-C", repo, "fsck", "--connectivity-only", "--no-dangling"]).code).toBe(0);
});

test("objects no tip reaches make a closure inexact, and may lack what they point to", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  const commit = (text: string, tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904") =>
    Buffer.from(`tree ${tree}\nauthor ${WHO}\ncommitter ${WHO}\n\n${text}`);
  const tip = commit("tip");
  const junk = commit("junk");
  const torn = commit("torn", "12".repeat(20));
  const tree = { kind: 2 as const, data: new Uint8Array(0) };
  const newTips = [hashObject(SHA1, "commit", tip)];
  const loose = await ingest(repo, packOf([{ kind: 1, data: tip }, { kind: 1, data: junk }, tree]), { newTips });
  expect(loose.closure?.exact).toBe(false);
  discard(loose);
  const worse = await ingest(repo, packOf([{ kind: 1, data: tip }, { kind: 1, data: torn }, tree]), { newTips });
  expect(worse.closure).toBeNull();
  discard(worse);
  expect(leftovers(repo)).toEqual([]);
});

test("packs made to do harm are refused", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  const blob = (text: string): HandEntry => ({ kind: 3, data: Buffer.from(text) });
  const a = hashObject(SHA1, "blob", Buffer.from("a"));
  const identity = deltaOf(1, 1, [{ copy: [0, 1] }]);
  const tree = (mode: string, name: string, oid = a): HandEntry => ({
    kind: 2,
    data: Buffer.concat([Buffer.from(`${mode} ${name}\0`), oidBytes(oid)]),
  });
  const chain: HandEntry[] = [blob("x")];
  for (let i = 0; i < 60; i++)
    chain.push({ kind: 6, base: i, delta: deltaOf(i + 1, i + 2, [{ copy: [0, i + 1] }, { insert: "y" }]) });
  const bombs: HandEntry[] = [{ kind: 3, data: Buffer.alloc(1_000_000) }];
  const nested: HandEntry[] = [{ kind: 2, data: new Uint8Array(0) }];
  for (let i = 0; i < 120; i++) {
    const below = hashObject(SHA1, "tree", (nested[i] as { data: Uint8Array }).data);
    nested.push(tree("40000", "d", below));
  }
  const many = Array.from({ length: 250 }, (_, i) => ({ insert: `${i}` }));
  for (let i = 0; i < 30; i++) {
    const copies = Array.from({ length: 8 }, () => ({ copy: [0, 1_000_000] as [number, number] }));
    const size = 8_000_000 + many[i]!.insert.length;
    bombs.push({ kind: 6, base: 0, delta: deltaOf(1_000_000, size, [...copies, many[i]!]) });
  }
  const ref = (base: string, insert: string): HandEntry => ({
    kind: 7,
    base,
    delta: deltaOf(1, 2, [{ copy: [0, 1] }, { insert }]),
  });
  const good = packOf([blob("a"), blob("b")]);
  const cases: [name: string, pack: Buffer, message: RegExp, limits?: IngestOptions["limits"]][] = [
    ["not a pack", Buffer.from("JUNKJUNKJUNKJUNKJUNKJUNKJUNKJUNKJUNK"), /not a pack/],
    ["nothing", Buffer.alloc(0), /cut short/],
    ["version 4", withTrailer(Buffer.from([...good.subarray(0, 7), 4, ...good.subarray(8, -20)])), /version 4/],
    ["cut", good.subarray(0, -25), /cut short/],
    ["no trailer", good.subarray(0, -20), /cut short/],
    ["wrong trailer", Buffer.concat([good.subarray(0, -1), Buffer.from("!")]), /checksum/],
    ["garbage behind", Buffer.concat([good, Buffer.from("x")]), /garbage/],
    ["fewer than promised", packOf([blob("a")], 2), /./],
    ["more than promised", packOf([blob("a"), blob("b")], 1), /garbage|checksum/],
    ["too many", withTrailer(Buffer.from("PACK\0\0\0\x02\xff\xff\xff\xff", "latin1")), /limit/],
    ["larger than it says", packOf([{ kind: 3, data: Buffer.from("abc"), claim: 2 }]), /larger/],
    ["smaller than it says", packOf([{ kind: 3, data: Buffer.from("abc"), claim: 4 }]), /smaller/],
    ["empty that is not", packOf([{ kind: 3, data: Buffer.from("abc"), claim: 0 }]), /larger/],
    ["promise of a huge blob", packOf([{ kind: 3, data: Buffer.from("abc"), claim: 2 ** 40 }]), /limit/],
    ["promise of a huge tree", packOf([{ kind: 2, data: Buffer.from("abc"), claim: 2 ** 31 }]), /exceeds/],
    ["promise of a huge delta", packOf([blob("a"), { kind: 7, base: a, delta: identity }]).fill(0, 0, 0), /twice/],
    ["twice", packOf([blob("a"), blob("b"), blob("a")]), /twice/],
    ["unknown base", packOf([ref("ab".repeat(20), "x")]), /unresolved/],
    ["bases of one another", packOf([ref("ab".repeat(20), "x"), ref("cd".repeat(20), "y")]), /unresolved/],
    ["own base", packOf([{ kind: 6, base: 0, distance: 0, delta: identity }]), /no entry/],
    [
      "base inside an entry",
      packOf([blob("abcdefgh"), { kind: 6, base: 0, distance: 3, delta: identity }]),
      /no entry/,
    ],
    ["base before the pack", packOf([blob("a"), { kind: 6, base: 0, distance: 5000, delta: identity }]), /no entry/],
    ["wrong base size", packOf([blob("a"), { kind: 6, base: 0, delta: deltaOf(2, 1, [{ copy: [0, 1] }]) }]), /size/],
    ["copies outside", packOf([blob("a"), { kind: 6, base: 0, delta: deltaOf(1, 2, [{ copy: [0, 2] }]) }]), /outside/],
    ["makes too little", packOf([blob("a"), { kind: 6, base: 0, delta: deltaOf(1, 9, [{ copy: [0, 1] }]) }]), /less/],
    ["nested", packOf(nested), /nest deeper/, { treeDepth: 120 }],
    ["nested, deepest last", packOf(nested.toReversed()), /nest deeper/, { treeDepth: 120 }],
    ["deep", packOf(chain), /chain/, { deltaDepth: 50 }],
    ["bomb", packOf(bombs), /inflates to more/, { inflateRatio: 50, inflateFloorBytes: 1000 }],
    ["large object by delta", packOf(bombs), /exceeds/, { objectBytes: 2_000_000 }],
    ["pack limit", packOf(bombs), /exceeds/, { packBytes: 1000 }],
    [".git", packOf([blob("a"), tree("100644", ".git")]), /hasDotgit/],
    ["..", packOf([blob("a"), tree("40000", "..")]), /hasDotdot/],
    ["malformed tree", packOf([{ kind: 2, data: Buffer.from("xyz") }]), /badTree/],
    ["tree as blob", packOf([blob("a"), tree("40000", "d")]), /another type/],
    [".gitmodules link", packOf([blob("a"), tree("120000", ".gitmodules")]), /gitmodulesSymlink/],
    [
      ".gitmodules folder",
      packOf([
        { kind: 2, data: Buffer.alloc(0) },
        tree("40000", ".gitmodules", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
      ]),
      /gitmodulesBlob/,
    ],
    [".gitmodules nowhere", packOf([tree("100644", ".gitmodules")]), /gitmodulesMissing/],
    ["bad commit", packOf([{ kind: 1, data: Buffer.from("tree x\n\n") }]), /badTreeSha1/],
    ["bad tag", packOf([{ kind: 4, data: Buffer.from("object x\n\n") }]), /badObjectSha1/],
  ];
  for (const [name, pack, message, limits] of cases) {
    for (const piece of [7, 100_000]) {
      const options = { pack: pieces(pack, piece), ...(limits ? { limits } : {}) };
      const error = await ingest(repo, pack, options).catch((failure: unknown) => failure);
      expect(`${name}: ${error}`).toMatch(message);
      expect((error as Error).name).toBe("BadPack");
    }
  }
  discard(await ingest(repo, packOf(nested), { limits: { treeDepth: 121 } }));
  for (const text of ['[submodule "a"]\nurl = -u\n', '[submodule "../a"]\nurl = x\n']) {
    const oid = hashObject(SHA1, "blob", Buffer.from(text));
    for (const pack of [
      packOf([blob(text), tree("100644", ".gitmodules", oid)]),
      packOf([tree("100644", ".gitmodules", oid), blob(text)]),
      packOf([tree("100644", "sub\\.gitmodules", oid), blob(text)]),
    ]) {
      await expect(ingest(repo, pack)).rejects.toThrow(/gitmodules(Url|Name)/);
      discard(await ingest(repo, pack, { strict: false }));
    }
  }
  expect(leftovers(repo)).toEqual([]);
  expect(readdirSync(join(repo, "objects/pack"))).toEqual([]);
});

test("an id that is stored with other content is refused, small and streamed", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  const big = Buffer.alloc(12_000_000, "abc");
  for (const content of [Buffer.from("mine"), big]) {
    const oid = hashObject(SHA1, "blob", content);
    const other = Buffer.alloc(content.length, "x");
    mkdirSync(join(repo, "objects", oid.slice(0, 2)), { recursive: true });
    const loose = deflateSync(Buffer.concat([Buffer.from(`blob ${other.length}\0`), other]));
    writeFileSync(join(repo, "objects", oid.slice(0, 2), oid.slice(2)), loose);
    await expect(ingest(repo, packOf([{ kind: 3, data: content }]))).rejects.toThrow(/other content/);
  }
  const good = join(dir.path, "good.git");
  initRepository(good, { defaultBranch: "main" });
  writeObjects(good, [{ type: "blob", data: big }]);
  discard(
    await ingest(
      good,
      packOf([
        { kind: 3, data: big },
        { kind: 3, data: Buffer.from("new") },
      ]),
    ),
  );
});

test("damaged packs are never admitted, and never hang", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 25);
  const tip = gitText(["-C", source, "rev-parse", "main"]);
  const pack = packFor(source, [tip]);
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  const next = random(newSeed());
  const pick = (n: number) => Math.floor(next() * n);
  let accepted = 0;
  for (let i = 0; i < 250; i++) {
    let bytes: Buffer = Buffer.from(pack);
    for (let k = 1 + pick(3); k > 0; k--) {
      const at = pick(bytes.length);
      const kind = pick(4);
      if (kind === 0) bytes[at] = pick(256);
      else if (kind === 1) bytes[at]! ^= 1 << pick(8);
      else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + pick(10))]);
      else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([pick(256)]), bytes.subarray(at)]);
    }
    // Half of them with a checksum that fits, so that what is behind it is tried.
    if (i % 2 === 0 && bytes.length > 32) bytes = withTrailer(bytes.subarray(0, -20));
    const options = { pack: pieces(bytes, 1 + pick(5000)), newTips: [tip] };
    const result = await ingest(repo, bytes, options).catch((error: unknown) => error);
    if (result instanceof Error) {
      expect(result.name).toBe("BadPack");
      continue;
    }
    accepted++;
    const idx = gitIndex(dir.path, bytes);
    expect(idx.length).toBeGreaterThan(0);
    discard(result as Awaited<ReturnType<typeof ingest>>);
  }
  expect(accepted).toBeLessThan(40);
  expect(leftovers(repo)).toEqual([]);
});

test("a blob larger than any buffer streams through, and a client that goes away leaves nothing", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  const next = random(7);
  const blob = Buffer.alloc(40_000_000);
  for (let i = 0; i < blob.length; i += 4) blob.writeUInt32LE(Math.floor(next() * 2 ** 32), i);
  const oid = hashObject(SHA1, "blob", blob);
  const pack = packOf([
    { kind: 3, data: Buffer.from("small") },
    { kind: 3, data: blob },
  ]);
  admit(await ingest(repo, pack, { pack: pieces(pack, 65536), newTips: [oid] }));
  const store = ObjectStore.open(repo, { maxObjectBytes: 1000 });
  const hasher = new Bun.CryptoHasher("sha1").update(`blob ${blob.length}\0`);
  for await (const piece of store.stream(oid)!) hasher.update(piece);
  expect(hasher.digest("hex")).toBe(oid);
  store.close();

  const abort = new AbortController();
  async function* leaving() {
    yield pack.subarray(0, 100_000);
    abort.abort();
    yield pack.subarray(100_000, 200_000);
  }
  await expect(ingest(repo, pack, { pack: leaving(), signal: abort.signal })).rejects.toThrow(/abort/i);
  expect(leftovers(repo)).toEqual([]);
});

test("stopped at any step, a push leaves a repository git likes, and start-up sweeps the rest", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 20);
  const tip = gitText(["-C", source, "rev-parse", "main"]);
  const pack = packFor(source, [tip]);
  const steps: string[] = [];
  const attempt = async (repo: string, stopAt: number) => {
    let step = 0;
    const crashPoint = (name: string) => {
      if (!steps.includes(name)) steps.push(name);
      if (step++ === stopAt) throw new Error(`stopped at ${name}`);
    };
    admit(await ingest(repo, pack, { newTips: [tip], crashPoint }), crashPoint);
  };
  for (let stopAt = 0; ; stopAt++) {
    const repo = join(dir.path, `r${stopAt}.git`);
    initRepository(repo, { defaultBranch: "main" });
    const result = await attempt(repo, stopAt).catch((error: unknown) => error);
    sweepQuarantines(repo);
    expect(leftovers(repo)).toEqual([]);
    expect(git(["-C", repo, "fsck", "--strict", "--no-dangling"]).code).toBe(0);
    // Pushed again, it goes through.
    await attempt(repo, Number.POSITIVE_INFINITY);
    git(["-C", repo, "update-ref", "refs/heads/main", tip]);
    expect(git(["-C", repo, "fsck", "--strict"]).code).toBe(0);
    if (result === undefined) break;
  }
  expect(steps.length).toBeGreaterThan(10);
  expect(existsSync(join(dir.path, "r5.git"))).toBe(true);
});
