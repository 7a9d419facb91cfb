import { readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { oidBytes } from "../../../../src/git/objects/hash.ts";
import { ObjectStore } from "../../../../src/git/odb/store.ts";
import { initRepository, writeObjects } from "../../../../src/git/odb/write.ts";
import { encodeBaseDistance, encodeEntryHeader, encodePackHeader } from "../../../../src/git/packs/entry.ts";
import { indexPackStream } from "../../../../src/git/receive/index-pack.ts";
import { ingestPack } from "../../../../src/git/receive/ingest.ts";
import { discard } from "../../../../src/git/receive/quarantine.ts";
import { deltaOf, pieces, withTrailer } from "../../receive/packs.ts";
import { EMPTY_BLOB, EMPTY_TREE, oidOf, treeOf } from "../corpus/objects.ts";
import { type Choice, type FuzzTarget, mutated } from "./target.ts";

const WHO = "A <a@b.c> 1700000000 +0000";
const COMMIT = Buffer.from(`tree ${EMPTY_TREE}\nauthor ${WHO}\ncommitter ${WHO}\n\nm\n`);

/** An object a case may put into its pack, sound by itself. */
function content(choice: Choice): { kind: number; data: Buffer } {
  const text = Buffer.from(choice.text("abc\n", choice.of([0, 1, 10, 300, 5000])));
  return choice.of([
    { kind: 3, data: text },
    { kind: 3, data: text },
    { kind: 1, data: COMMIT },
    { kind: 2, data: treeOf(["100644", "a", EMPTY_BLOB], ["40000", "b", EMPTY_TREE]) },
    { kind: 4, data: Buffer.from(`object ${EMPTY_BLOB}\ntype blob\ntag v\ntagger ${WHO}\n\nm\n`) },
  ]);
}

function instructions(choice: Choice, baseSize: number): Parameters<typeof deltaOf>[2][number][] {
  return Array.from({ length: choice.below(6) }, () =>
    choice.onceIn(2)
      ? { insert: choice.text("xyz", choice.of([0, 1, 5, 127])) }
      : {
          copy: [
            choice.below(baseSize + (choice.onceIn(5) ? 10 : 1)),
            choice.of([0, 1, 3, baseSize, 0x10000, 0xffffff]),
          ],
        },
  );
}

function madeSize(steps: ReturnType<typeof instructions>): number {
  return steps.reduce((sum, step) => sum + ("insert" in step ? step.insert.length : step.copy[1]), 0);
}

/** A pack as no git would send it: wrong kinds, sizes, bases, orders; sometimes nothing wrong at all. */
export function aPack(choice: Choice): Buffer {
  const count = choice.of([0, 1, 2, 5, 20]);
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  const sizes: number[] = [];
  const oids: string[] = [EMPTY_BLOB, EMPTY_TREE];
  let at = 12;
  for (let i = 0; i < count; i++) {
    offsets.push(at);
    const isDelta = i > 0 && choice.onceIn(2);
    const { kind, data } = content(choice);
    const base = choice.below(Math.max(1, i));
    const baseSize = choice.onceIn(8) ? choice.below(1000) : (sizes[base] ?? 0);
    const steps = instructions(choice, baseSize);
    const bytes = isDelta ? deltaOf(baseSize, choice.onceIn(6) ? choice.below(1 << 24) : madeSize(steps), steps) : data;
    const stored = isDelta ? choice.of([6, 6, 7]) : choice.onceIn(30) ? choice.of([0, 5]) : kind;
    const claim = choice.onceIn(15)
      ? choice.of([0, bytes.length + 1, bytes.length - 1, 2 ** 31, 2 ** 40])
      : bytes.length;
    const head = [Buffer.from(encodeEntryHeader(stored, Math.max(0, claim)))];
    if (stored === 6)
      head.push(
        Buffer.from(
          encodeBaseDistance(choice.onceIn(10) ? choice.of([0, 1, at, at + 1, 2 ** 33]) : at - offsets[base]!),
        ),
      );
    if (stored === 7)
      head.push(Buffer.from(oidBytes(choice.onceIn(4) ? choice.bytes(20).toString("hex") : choice.of(oids))));
    const zipped = deflateSync(bytes, { level: choice.of([0, 1, 9]) });
    const body = choice.onceIn(25) ? zipped.subarray(0, choice.below(zipped.length)) : zipped;
    parts.push(Buffer.concat([...head, choice.onceIn(25) ? mutated(choice, body) : body]));
    at += parts.at(-1)!.length;
    sizes.push(isDelta ? madeSize(steps) : data.length);
    if (!isDelta) oids.push(oidOf({ type: (["commit", "tree", "blob", "tag"] as const)[kind - 1]!, data }));
  }
  const claimed = choice.onceIn(10) ? choice.of([0, count + 1, 1_000_000, 0xffffffff]) : count;
  const pack = withTrailer(Buffer.concat([Buffer.from(encodePackHeader(claimed)), ...parts]));
  if (choice.onceIn(12)) return mutated(choice, pack);
  // Most mutations are caught by the checksum; these get past it.
  return choice.onceIn(3) ? withTrailer(mutated(choice, pack.subarray(0, -20))) : pack;
}

const LIMITS = {
  wholeObjectBytes: 8 * 1024 * 1024,
  objectBytes: 32 * 1024 * 1024,
  inflateFloorBytes: 64 * 1024 * 1024,
};

function aRepository(choice: Choice, folder: string): string {
  const repo = join(folder, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  writeObjects(repo, [
    { type: "blob", data: new Uint8Array(0) },
    { type: "tree", data: new Uint8Array(0) },
  ]);
  if (choice.onceIn(4)) writeObjects(repo, [{ type: "blob", data: Buffer.from("aaa") }]);
  return repo;
}

/** Only what was there may be there: a refused pack leaves nothing. */
function namesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .join("\n");
}

export const packTargets: readonly FuzzTarget[] = [
  {
    name: "a pushed pack",
    async run(choice, folder) {
      const repoDir = aRepository(choice, folder);
      const before = namesBelow(repoDir);
      const options = { newTips: [], connectedTo: [EMPTY_BLOB, EMPTY_TREE], strict: choice.onceIn(2), limits: LIMITS };
      const pack = pieces(aPack(choice), choice.of([1, 7, 4096]));
      const failure = await ingestPack({ repoDir, pack, ...options }).then(
        (quarantined) => discard(quarantined),
        (error: unknown) => error,
      );
      if (namesBelow(repoDir) !== before) throw new Error(`left behind: ${namesBelow(repoDir)}`);
      if (failure !== undefined) throw failure;
    },
  },
  {
    name: "index-pack --stdin, and reading what it took",
    async run(choice, folder) {
      const repoDir = aRepository(choice, folder);
      const store = ObjectStore.open(repoDir);
      const before = namesBelow(repoDir);
      const options = {
        format: store.format,
        store,
        fsck: choice.onceIn(2),
        links: choice.onceIn(2),
        completeThin: choice.onceIn(2),
      };
      try {
        await indexPackStream(repoDir, pieces(aPack(choice), 4096), options);
        for (const oid of store.allOids()) if (!store.read(oid)) throw new Error(`${oid} was taken and is not there`);
      } catch (error) {
        if (namesBelow(repoDir) !== before) throw new Error(`left behind: ${namesBelow(repoDir)}`, { cause: error });
        throw error;
      } finally {
        store.close();
      }
    },
  },
];
