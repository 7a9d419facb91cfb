import { expect, test } from "bun:test";
import { pathHash } from "../../../src/git/maintenance/path-hash.ts";
import { DeltaBase, DeltaMaker } from "../../../src/git/packs/create-delta.ts";
import { applyDelta } from "../../../src/git/packs/delta.ts";
import { newSeed, random } from "../../random.ts";

test("a delta makes its target of its base, whatever they are, and is small when they are alike", () => {
  const next = random(newSeed());
  const pick = (n: number) => Math.floor(next() * n);
  const maker = new DeltaMaker();
  const base = new DeltaBase();
  const bytes = (length: number, alphabet: number) => Uint8Array.from({ length }, () => pick(alphabet));
  let made = 0;
  for (let round = 0; round < 600; round++) {
    const alphabet = [1, 2, 4, 256][pick(4)]!;
    const from = bytes(pick(4) === 0 ? pick(40) : pick(6000), alphabet);
    const pieces: Uint8Array[] = [];
    for (let i = 0, n = pick(8); i <= n; i++) {
      const start = pick(from.length + 1);
      pieces.push(pick(3) === 0 ? bytes(pick(200), alphabet) : from.subarray(start, start + pick(3000)));
    }
    const target = Uint8Array.from(Buffer.concat(pieces));
    base.load(from);
    const most = pick(4) === 0 ? pick(target.length + 10) : target.length + Math.ceil(target.length / 100) + 40;
    const delta = maker.make(base, target, most);
    if (!delta) continue;
    made++;
    expect(delta.length).toBeLessThanOrEqual(most);
    expect(Buffer.compare(applyDelta(from, delta), target)).toBe(0);
  }
  expect(made).toBeGreaterThan(350);
});

test("copies of more than 64 KiB, far into the base, and one changed byte", () => {
  const next = random(7);
  const from = Uint8Array.from({ length: 3_000_000 }, () => Math.floor(next() * 256));
  const target = from.slice(1_000_001, 2_999_999);
  target[1_000_000]! ^= 1;
  const base = new DeltaBase();
  base.load(from);
  const delta = new DeltaMaker().make(base, target, 2_000);
  expect(delta?.length).toBeLessThan(400);
  expect(Buffer.compare(applyDelta(from, delta!), target)).toBe(0);
  expect(
    new DeltaMaker().make(
      base,
      target.map((byte) => byte ^ 0x55),
      2_000,
    ),
  ).toBeUndefined();
});

test("the hash of a path goes on from its folder, and its end counts most", () => {
  const of = (path: string) => pathHash(0, Buffer.from(path));
  expect(of("")).toBe(0);
  expect(of("a")).toBe(0x61000000);
  expect(of("ab")).toBe(0x61000000 / 4 + 0x62000000);
  expect(of("a b")).toBe(of("ab"));
  expect(pathHash(of("src/"), Buffer.from("x.ts"))).toBe(of("src/x.ts"));
  expect(of("one/very/long/path/to/Makefile.in")).toBe(of("two/very/long/path/to/Makefile.in"));
});
