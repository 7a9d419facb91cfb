import { afterEach, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { deflateRawSync, deflateSync } from "node:zlib";
import { CorruptObject } from "../../../src/git/errors.ts";
import { HandleInflate } from "../../../src/git/objects/handle-inflate.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { Inflater } from "../../../src/git/objects/inflate.ts";
import { PortableInflate } from "../../../src/git/objects/portable-inflate.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { scrubRepository } from "../../../src/git/scrub/scrub.ts";
import { threadMs } from "../../growth.ts";
import { random } from "../../random.ts";
import { buildHistory, git, tempDir } from "./real-git.ts";

const zlib = process.getBuiltinModule("node:zlib");
const restore: (() => void)[] = [];
afterEach(() => {
  for (const undo of restore.splice(0)) undo();
});

/** From now on zlib's streams have another handle, or none. */
function replaceHandle(handle: (real: unknown) => unknown): void {
  const real = zlib.createInflate;
  const spy = spyOn(zlib, "createInflate").mockImplementation(((...args: []) => {
    const stream = real(...args);
    Reflect.set(stream, "_handle", handle(Reflect.get(stream, "_handle")));
    return stream;
  }) as typeof real);
  restore.push(() => spy.mockRestore());
}

/** Inflates in pieces of random sizes; what both engines must agree on. */
function inflateIn(engine: HandleInflate | PortableInflate, input: Uint8Array, size: number, seed: number) {
  const next = random(seed);
  const output = new Uint8Array(size + 1);
  let [at, made] = [0, 0];
  engine.reset();
  try {
    for (let idle = 0; !engine.ended && idle < 50; ) {
      const end = Math.min(input.length, at + Math.floor(next() * 4000));
      engine.push(input, at, end, output, made, Math.min(output.length, made + Math.floor(next() * 9000)));
      idle = engine.consumed + engine.produced === 0 ? idle + 1 : 0;
      at += engine.consumed;
      made += engine.produced;
    }
    return { at, ended: engine.ended, output: Buffer.from(output.subarray(0, made)) };
  } catch (error) {
    if (!(error instanceof CorruptObject)) throw error;
    return "corrupt";
  }
}

test("our own inflater gives what zlib gives, of whole and of damaged streams, in pieces of any size", () => {
  const native = HandleInflate.open()!;
  const own = new PortableInflate();
  const next = random(7);
  for (let round = 0; round < 80; round++) {
    const size = Math.floor(next() ** 3 * 120_000);
    const kinds = 1 + Math.floor(next() * 255);
    const data = Uint8Array.from({ length: size }, (_, at) => (next() < 0.3 ? at >> 5 : Math.floor(next() * kinds)));
    const level = Math.floor(next() * 10);
    const strategy = Math.floor(next() * 5);
    const stream = Buffer.concat([deflateSync(data, { level, strategy }), Buffer.from("next")]);
    const whole = inflateIn(own, stream, size, round);
    expect(whole).toEqual({ at: stream.length - 4, ended: true, output: Buffer.from(data) });
    expect(whole).toEqual(inflateIn(native, stream, size, round));
    stream[Math.floor(next() * (stream.length - 4))]! ^= 1 << Math.floor(next() * 8);
    const [ours, theirs] = [inflateIn(own, stream, size, round), inflateIn(native, stream, size, round)];
    // Damage that makes a stream longer than there is room for shows as one that does not end.
    if (typeof ours !== "string" && typeof theirs !== "string") expect(ours.ended).toBe(theirs.ended);
    else expect([ours, theirs].some((result) => typeof result !== "string" && result.ended)).toBe(false);
  }
  native.close();
});

test.each<[string, (real: unknown) => unknown]>([
  ["has no handle", () => undefined],
  ["has a handle without writeSync", () => ({ reset() {}, close() {} })],
  ["has a handle that does nothing", () => ({ reset() {}, close() {}, writeSync() {} })],
  [
    "has a handle that throws",
    () => ({
      reset() {},
      close() {},
      writeSync: () => {
        throw new Error("gone");
      },
    }),
  ],
])("where the runtime's zlib %s, repositories are read all the same", async (_, handle) => {
  using dir = tempDir();
  const repoDir = join(dir.path, "r.git");
  buildHistory(repoDir, 30);
  git(["repack", "-adq"], { cwd: repoDir });
  const big = new Uint8Array(600_000).map((__, at) => at * at);
  git(["hash-object", "-w", "--stdin"], { cwd: repoDir, input: big });
  expect(new Inflater().isNative).toBe(true);
  replaceHandle(handle);
  expect(new Inflater().isNative).toBe(false);
  const store = ObjectStore.open(repoDir);
  try {
    for (const oid of store.allOids()) {
      const { type, data } = store.read(oid)!;
      expect(hashObject(store.format, type, data)).toBe(oid);
    }
  } finally {
    store.close();
  }
  expect((await scrubRepository(repoDir, { refs: [], coreShare: 1 })).findings).toEqual([]);
});

test("a stream without zlib's header is refused", () => {
  const raw = deflateRawSync(Buffer.from("text"));
  const own = new PortableInflate();
  expect(() => own.push(raw, 0, raw.length, new Uint8Array(10), 0, 10)).toThrow(CorruptObject);
});

test("asking the handle whether it is sound costs next to nothing", () => {
  new Inflater().close();
  const before = threadMs();
  for (let round = 0; round < 100; round++) new Inflater().close();
  // Some 20 µs each; inflating something to see whether it works takes milliseconds.
  expect((threadMs() - before) / 100).toBeLessThan(4);
});
