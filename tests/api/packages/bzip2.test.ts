import { expect, test } from "bun:test";
import { bunzipped } from "../../../src/packages/registries/archives/bunzip.ts";
import { bzip2 } from "../../../src/packages/registries/archives/bzip2.ts";
import { codeLengths, codesOf } from "../../../src/packages/registries/archives/bzip2-codes.ts";
import { newSeed, random } from "../../random.ts";

/** What is packed as bzip2 for clients that ask for nothing else: another's unpacking gives it back. */

const seed = newSeed();
const next = random(seed);
const below = (count: number) => Math.floor(next() * count);
const letters = (length: number) => new Uint8Array(length).fill(97);
const anyBytes = (length: number, kinds: number) =>
  Uint8Array.from({ length }, () => (below(3) > 0 ? 0 : below(kinds)));

test.each<[string, Uint8Array]>([
  ["nothing", new Uint8Array(0)],
  ["a byte", letters(1)],
  ...[3, 4, 5, 255, 258, 259, 260, 263].map((length): [string, Uint8Array] => [
    `${length} equal bytes`,
    letters(length),
  ]),
  ["a block that repeats itself", new TextEncoder().encode("one two three\n".repeat(20_000))],
  ["several blocks of all bytes", Uint8Array.from({ length: 250_000 }, (_, at) => (at * 7919) >> 3)],
  ["a few kinds of bytes", anyBytes(150_000, 3)],
  ["many kinds of bytes", anyBytes(150_000, 256)],
])("%s", async (_, bytes) => {
  const chunks = await Array.fromAsync(bunzipped(new Blob([new Uint8Array(bzip2(bytes))]).stream(), 1 << 20));
  expect(`${seed} ${Bun.hash(Buffer.concat(chunks))}`).toBe(`${seed} ${Bun.hash(bytes)}`);
});

test("codes have 17 bits at most, and none is wasted", () => {
  const counts = [1, 1];
  while (counts.length < 30) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
  const lengths = codeLengths(counts);
  expect(Math.max(...lengths)).toBeWithin(12, 18);
  expect(lengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
  const codes = codesOf(lengths).map((code, symbol) => code.toString(2).padStart(lengths[symbol] ?? 0, "0"));
  for (const code of codes) expect(codes.filter((other) => other.startsWith(code))).toEqual([code]);
});
