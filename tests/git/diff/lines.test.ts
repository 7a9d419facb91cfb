import { describe, expect, test } from "bun:test";
import { diffLines } from "../../../src/git/diff/blocks.ts";
import { groupHunks, Headings } from "../../../src/git/diff/hunks.ts";
import { commonEnds } from "../../../src/git/diff/lines/common-ends.ts";
import { Interner } from "../../../src/git/diff/lines/interner.ts";
import { editsBetween } from "../../../src/git/diff/lines/myers.ts";
import { splitLines } from "../../../src/git/diff/lines/strings.ts";
import { Text } from "../../../src/git/diff/lines/text.ts";
import { Fingerprints, sharedBytes } from "../../../src/git/diff/similarity.ts";
import { markWords } from "../../../src/git/diff/words.ts";
import { quotePath } from "../../../src/git/objects/quote.ts";
import { newSeed, random } from "../../random.ts";

/** The length of a shortest edit script, by the table every textbook has. */
function shortest(a: Int32Array, b: Int32Array): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let x = 1; x <= a.length; x++) {
    const next = [x];
    for (let y = 1; y <= b.length; y++) {
      next.push(a[x - 1] === b[y - 1] ? row[y - 1]! : 1 + Math.min(row[y]!, next[y - 1]!));
    }
    row = next;
  }
  return row[b.length]!;
}

const total = (flags: Uint8Array) => flags.reduce((sum, flag) => sum + flag, 0);

describe("the edit script", () => {
  test("is right and shortest for random sequences", () => {
    const next = random(newSeed());
    for (let round = 0; round < 400; round++) {
      const alphabet = 1 + Math.floor(next() * 8);
      const sequence = () => Int32Array.from({ length: Math.floor(next() * 60) }, () => Math.floor(next() * alphabet));
      const [a, b] = [sequence(), sequence()];
      const { removed, added } = editsBetween(a, b, alphabet);
      expect([...a].filter((_, i) => !removed[i])).toEqual([...b].filter((_, i) => !added[i]));
      expect(total(removed) + total(added)).toBe(shortest(a, b));
    }
  });

  test("stays right where the search gives up, which it does before the test runs out of time", () => {
    const next = random(newSeed());
    const words = (count: number, kinds: number) =>
      Array.from({ length: count }, () => `${Math.floor(next() * kinds)}\n`);
    const lines = words(10_000, 1e9);
    const cases: [string[], string[]][] = [
      [words(10_000, 50), words(10_000, 50)],
      [words(10_000, 1000), words(10_000, 1000)],
      [words(10_000, 2), words(10_000, 2)],
      [lines, [...lines].reverse()],
      [lines, [...lines.slice(5000), ...lines.slice(0, 5000)]],
      [words(200_000, 3), words(200_000, 3)],
      [Array<string>(50_000).fill("x\n"), Array<string>(90_000).fill("x\n")],
    ];
    for (const [a, b] of cases) {
      const blocks = diffLines(a, b);
      const result: string[] = [];
      let at = 0;
      for (const block of blocks) {
        result.push(...a.slice(at, block.oldStart), ...b.slice(block.newStart, block.newEnd));
        at = block.oldEnd;
      }
      for (; at < a.length; at++) result.push(a[at]!);
      expect(Bun.hash(result.join(""))).toBe(Bun.hash(b.join("")));
    }
  });
});

test("every algorithm ends on lines made to be slow, long before the test runs out of time", () => {
  const next = random(newSeed());
  const count = 8_000;
  const words = (kinds: number) => Array.from({ length: count }, () => `${Math.floor(next() * kinds)}\n`);
  const numbered = Array.from({ length: count }, (_, i) => `${i}\n`);
  // Each line is a run of its own, so that dividing takes a step a line.
  const odd = numbered.map((line, i) => (i % 2 === 0 ? line : `a${line}`));
  const cases: [string[], string[]][] = [
    [words(4), words(4)],
    [words(900), words(900)],
    [odd, numbered.map((line, i) => (i % 2 === 0 ? line : `b${line}`))],
    [numbered, numbered.toReversed()],
    [Array.from({ length: count }, (_, i) => `${i % 60}\n`), Array.from({ length: count }, (_, i) => `${i % 59}\n`)],
  ];
  const ways = [{}, { minimal: true }, { algorithm: "histogram", minimal: true }, { algorithm: "patience" }] as const;
  for (const way of ways) {
    for (const [a, b] of cases) {
      const blocks = diffLines(a, b, way);
      const kept = (lines: string[], side: "old" | "new") => {
        const left = [...lines];
        for (const block of blocks.toReversed()) {
          const start = block[`${side}Start`];
          left.splice(start, block[`${side}End`] - start);
        }
        return Bun.hash(left.join(""));
      };
      expect(kept(a, "old")).toBe(kept(b, "new"));
    }
  }
});

describe("changed groups slide to where they read best", () => {
  const cases: [string, string, string, string][] = [
    [
      "an added function keeps its own braces",
      "f() {\n  a\n}\n\nh() {\n}\n",
      "f() {\n  a\n}\n\ng() {\n  b\n}\n\nh() {\n}\n",
      "g() {\n  b\n}\n\n",
    ],
    [
      "an added block goes after the closing line",
      "a {\n  x\n}\nz\n",
      "a {\n  x\n}\na {\n  y\n}\nz\n",
      "a {\n  y\n}\n",
    ],
    ["a repeated line is added at the end", "x\nx\n", "x\nx\nx\n", "x\n"],
  ];
  test.each(cases)("%s", (_, before, after, expected) => {
    const lines = splitLines(after);
    const blocks = diffLines(splitLines(before), lines);
    expect(blocks.map((block) => lines.slice(block.newStart, block.newEnd).join(""))).toEqual([expected]);
  });
});

test("lines are cut where newlines are, however many stand together, and of two alike texts as of each", () => {
  const next = random(newSeed());
  const pick = (n: number) => Math.floor(next() * n);
  const startsOf = ({ starts, count }: Text) => [...starts.subarray(0, count + 1)];
  for (let round = 0; round < 300; round++) {
    const dense = next() ** 2;
    const bytesOf = (size: number) =>
      Uint8Array.from({ length: size }, () => (next() < dense ? 0x0a : [0x0b, 0x8a, 0x00, 0xff, 0x61][pick(5)]!));
    const a = bytesOf(pick(200));
    const expected = [0, ...[...a.keys()].filter((at) => a[at] === 0x0a).map((at) => at + 1)];
    if (expected.at(-1) !== a.length) expected.push(a.length);
    // Wherever the bytes lie in their memory.
    const shift = pick(9);
    const held = new Uint8Array(a.length + 16);
    held.set(a, shift);
    expect(startsOf(Text.of(held.subarray(shift, shift + a.length)))).toEqual(expected);
    const b = Buffer.concat([a.subarray(0, pick(a.length)), bytesOf(pick(40)), a.subarray(pick(a.length))]);
    const [first, second] = Text.pair(a, b, commonEnds(a, b));
    expect([startsOf(first), startsOf(second)]).toEqual([expected, startsOf(Text.of(b))]);
  }
});

test("lines have the same numbers, whether they are looked up or follow each other in an alike text", () => {
  const next = random(newSeed());
  const pick = (n: number) => Math.floor(next() * n);
  const used = new Interner();
  for (let round = 0; round < 200; round++) {
    const kinds = 1 + pick(300);
    const lines = (count: number) => Array.from({ length: count }, () => `${"line ".repeat(pick(3))}${pick(kinds)}\n`);
    const a = lines(pick(400));
    const b = [...a.slice(0, pick(a.length)), ...lines(pick(20)), ...a.slice(pick(a.length)), ...lines(pick(3))];
    const [before, after] = [a, b].map((text) => Text.of(Buffer.from(text.join("")))) as [Text, Text];
    const known = new Map<string, number>();
    const numberOf = (line: string) => {
      const number = known.get(line) ?? known.size;
      known.set(line, number);
      return number;
    };
    const numbersOf = (text: string[]) => text.map((line) => numberOf(line));
    const expected = [numbersOf(a), numbersOf(b)];
    used.restart(pick(3) * 100);
    const numbers = used.add(before);
    expect([[...numbers], [...used.addAlike(after, 0, after.count, 0, numbers)]]).toEqual(expected);
    expect(used.size).toBe(known.size);
    if (pick(2) === 0) used.forget();
  }
});

test("hunks merge when their context meets, and carry the line that begins like a function", () => {
  const lines = Array.from({ length: 40 }, (_, i) => (i % 15 === 0 ? `section ${i}\n` : `  ${i}\n`));
  const changed = (at: number) => ({ oldStart: at, oldEnd: at + 1, newStart: at, newEnd: at + 1 });
  const ranges = (...places: number[]) =>
    groupHunks(places.map(changed), 40, 40).map((hunk) => [hunk.oldStart, hunk.oldEnd]);
  expect(ranges(5, 12)).toEqual([[2, 16]]);
  expect(ranges(5, 13)).toEqual([
    [2, 9],
    [10, 17],
  ]);
  expect(ranges(0, 39)).toEqual([
    [0, 4],
    [36, 40],
  ]);
  const headings = new Headings(Text.of(Buffer.from(lines.join(""))));
  expect([2, 10, 16, 31, 40].map((at) => Buffer.from(headings.before(at)).toString())).toEqual([
    "section 0",
    "section 0",
    "section 15",
    "section 30",
    "section 30",
  ]);
});

test("changed words are marked, and lines with nothing in common are not", () => {
  const marked = (text: string, marks: readonly (readonly [number, number])[]) =>
    marks.map(([a, b]) => text.slice(a, b));
  const [before, after] = ["const size = list.length + 1;", "const count = list.length + 2;"];
  const marks = markWords(before, after)!;
  expect([marked(before, marks.old), marked(after, marks.new)]).toEqual([
    ["size", "1"],
    ["count", "2"],
  ]);
  expect(markWords("alpha beta", "gamma delta")).toBeUndefined();
  expect(markWords("x".repeat(3000), "x")).toBeUndefined();
  expect(markWords("same", "same")).toEqual({ old: [], new: [] });
});

test("similarity is git's index", () => {
  const fingerprints = new Fingerprints();
  const of = (a: string, b: string) =>
    Math.floor(
      (sharedBytes(fingerprints.of(Buffer.from(a)), fingerprints.of(Buffer.from(b))) * 100) /
        Math.max(a.length, b.length),
    );
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join("");
  expect(of(lines(10, 90), lines(10, 90))).toBe(100);
  expect(of(lines(10, 90), lines(50, 90))).toBe(50);
  expect(of(lines(10, 50), lines(50, 90))).toBe(0);
  expect(of("a\r\nb\r\n", "a\nb\n")).toBe(66);
});

test("paths are quoted as git quotes them", () => {
  const cases: [string, string][] = [
    ["plain name", "a/plain name"],
    ['q"', '"a/q\\""'],
    ["ü", '"a/\\303\\274"'],
    ["\udcff\n\x7f", '"a/\\377\\n\\177"'],
    ["back\\slash\ttab", '"a/back\\\\slash\\ttab"'],
  ];
  for (const [path, quoted] of cases) expect(quotePath("a/", path)).toBe(quoted);
});
