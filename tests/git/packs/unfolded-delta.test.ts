import { expect, test } from "bun:test";
import { createCipheriv } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

const MIB = 1024 * 1024;

/** So many bytes that do not compress, the same for each seed. */
function noise(bytes: number, seed: number): Buffer {
  return createCipheriv("aes-128-ctr", Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

/** A bare repository with one pack, in which each of these is a delta of one of the others where it can be. */
function aPackOf(dir: string, contents: readonly Buffer[]): string[] {
  git(["init", "-q", "--bare", dir]);
  const oids = contents.map((input) =>
    gitText(["-c", "core.bigFileThreshold=1g", "hash-object", "-w", "--stdin"], { cwd: dir, input }),
  );
  const options = ["-c", "core.bigFileThreshold=1g", "-c", "pack.window=2", "-c", "pack.compression=0"];
  git([...options, "pack-objects", "-q", "objects/pack/pack"], { cwd: dir, input: `${oids.join("\n")}\n` });
  git(["prune-packed"], { cwd: dir });
  return oids;
}

const streamed = async (store: ObjectStore, oid: string) => Buffer.from(await new Response(store.stream(oid)).bytes());

test("large deltas are streamed without being made whole, and leave no file", async () => {
  using folder = tempDir();
  const dir = join(folder.path, "repo");
  const first = noise(18.5 * MIB, 1);
  // Each is smaller than the one before and more like it than like the one before that, so that git makes a chain.
  const second = Buffer.concat([noise(777_780, 2), first.subarray(1_333_333)]);
  const third = Buffer.concat([second.subarray(0, 9 * MIB), noise(300_000, 4), second.subarray(9 * MIB + 777_777)]);
  const contents = [first, second, third];
  const oids = aPackOf(dir, contents);
  const stored = git(["verify-pack", "-v", ...indexesOf(dir)], { cwd: dir }).stdout.toString();
  const depths = oids.map((oid) =>
    Number(new RegExp(`^${oid} blob +\\d+ \\d+ \\d+ (\\d+) `, "m").exec(stored)?.[1] ?? 0),
  );
  // The test is one of deltas upon deltas.
  expect(depths).toEqual([0, 1, 2]);
  const store = ObjectStore.open(dir, { cacheBytes: 0, verify: true, spoolDir: join(dir, "objects") });
  try {
    for (const [at, oid] of oids.entries()) expect((await streamed(store, oid)).equals(contents[at]!)).toBe(true);
    // Whoever goes away in the middle leaves nothing behind.
    const reader = store.stream(oids[2]!)!.getReader();
    await reader.read();
    await reader.cancel();
    expect(readdirSync(join(dir, "objects")).sort()).toEqual(["info", "pack"]);
  } finally {
    store.close();
  }
});

const indexesOf = (dir: string) =>
  readdirSync(join(dir, "objects/pack"))
    .filter((name) => name.endsWith(".idx"))
    .map((name) => join(dir, "objects/pack", name));

test("a large delta that was damaged fails, wherever the damage is", async () => {
  using folder = tempDir();
  const dir = join(folder.path, "repo");
  const first = noise(17 * MIB, 6);
  const oids = aPackOf(dir, [first, Buffer.concat([noise(4_000, 7), first])]);
  const [name = ""] = readdirSync(join(dir, "objects/pack")).filter((file) => file.endsWith(".pack"));
  const path = join(dir, "objects/pack", name);
  const sound = readFileSync(path);
  const next = random(8);
  for (let round = 0; round < 4; round++) {
    const bytes = Buffer.from(sound);
    // Often in the delta, which is short and comes last.
    const at = round % 2 === 0 ? sound.length - 21 - Math.floor(next() * 4_000) : 40 + Math.floor(next() * 4_000);
    bytes[at]! ^= 0x55;
    chmodSync(path, 0o644);
    writeFileSync(path, bytes);
    const store = ObjectStore.open(dir, { cacheBytes: 0, verify: true, spoolDir: join(dir, "objects") });
    const results = await Promise.allSettled(oids.map(async (oid) => streamed(store, oid)));
    store.close();
    expect(results.some(({ status }) => status === "rejected")).toBe(true);
    expect(readdirSync(join(dir, "objects")).sort()).toEqual(["info", "pack"]);
  }
});
