import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mergePieces } from "../../../src/git/merge/content/pieces.ts";
import { mergeTexts } from "../../../src/git/merge/content/texts.ts";
import { RandomSource } from "../../crash/random-source.ts";
import { newSeed } from "../../random.ts";
import { git, tempDir } from "../objects/real-git.ts";

// Real git is started, on machines that may be busy.
setDefaultTimeout(600_000);

const FILES = 300;
const seed = newSeed();

interface Versions {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Three versions of a text whose changes are often of nothing but white space. */
function someVersions(random: RandomSource): Versions {
  const words = ["a b", "if (x) {", "}", "return  y;", "\tz", ""];
  const word = () => words[random.below(words.length)] ?? "";
  const base = Array.from({ length: 4 + random.below(12) }, word);
  const changed = () =>
    base.flatMap((line) => {
      switch (random.below(12)) {
        case 0:
          return [`  ${line}`];
        case 1:
          return [line.replaceAll(" ", "   ")];
        case 2:
          return [`${line} \t`];
        case 3:
          return [`${line} more${random.below(3)}`];
        case 4:
          return [];
        case 5:
          return [line, word()];
        default:
          return [line];
      }
    });
  const text = (lines: readonly string[]) => `${lines.join("\n")}${random.below(5) === 0 ? "" : "\n"}`;
  return { base: text(base), ours: text(changed()), theirs: text(changed()) };
}

const bytes = (text: string) => Buffer.from(text);

test("texts that differ in white space are merged as git merges them with -X ignore-space-change", () => {
  const random = new RandomSource(seed);
  using dir = tempDir();
  const cases = Array.from({ length: FILES }, () => someVersions(random));
  const run = (...words: string[]) => git(["-C", dir.path, ...words], { mayFail: true });
  const commit = (version: keyof Versions) => {
    for (const [at, one] of cases.entries()) writeFileSync(join(dir.path, `${at}.txt`), one[version]);
    run("add", "-A");
    run("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", version);
  };
  run("init", "-q", "-b", "main");
  commit("base");
  run("checkout", "-q", "-b", "theirs");
  commit("theirs");
  run("checkout", "-q", "main");
  commit("ours");
  run("-c", "user.name=n", "-c", "user.email=e@x", "merge", "-q", "-X", "ignore-space-change", "--no-commit", "theirs");
  let conflicts = 0;
  for (const [at, { base, ours, theirs }] of cases.entries()) {
    // What only one side changed, or both alike, is taken before any line is looked at.
    if (ours === base || theirs === base || ours === theirs) continue;
    const expected = readFileSync(join(dir.path, `${at}.txt`), "utf8");
    const labels = { base: "", ours: "HEAD", theirs: "theirs" };
    const merged = mergeTexts(bytes(base), bytes(ours), bytes(theirs), labels, { ignoreSpaceChange: true });
    expect({ seed, at, text: Buffer.from(merged.data).toString() }).toEqual({ seed, at, text: expected });
    conflicts += merged.conflicts;
    const pieces = mergePieces(bytes(base), bytes(ours), bytes(theirs), true);
    expect(pieces.filter(({ kind }) => kind === "conflict").length).toBe(merged.conflicts);
  }
  // Both kinds came about.
  expect(conflicts).toBeGreaterThan(0);
});
