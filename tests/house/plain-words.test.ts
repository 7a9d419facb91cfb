import { expect, test } from "bun:test";
import { join } from "node:path";

/** Words that this code does not use, each with what it says instead: names and comments alike. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/\b(?:wish|wishes|wished|Wish|Wishes|\w+Wish(?:es)?)\b/, "request"],
  [/\b(?:giveUp|lookForLost|takeIn|leadTo|judgePush)\b/, "discard, reclaim, import, redirect, evaluate"],
  [/\b(?:upkeep|rollUp|rolled up)\b/, "maintenance, geometric repack"],
  [/\b(?:MOST|LEAST|LONGEST)(?:_\w+)?\b|\b(?:most|least)(?:Bytes|Depth|Packs|Score|Count)\b/, "MAX_, MIN_, max, min"],
  [/\b(?:deaf|arena|ledger|inventory)\b/, "stalled, cache, links, packing data"],
  [/\banew\b/, "again"],
  [/\b(?:mend|mends|mended|mending|cure|cures|cured)\b/, "repair"],
  [/\b(?:he|him|his|she|hers?)\b/, "they, them, their"],
  [/\bSomebody was faster\b|\bmade no sense\b/, "Someone else changed this first, could not be read"],
];

/** Programs that a language is known by, one of which is called like that. */
const exempt = new Set(["src/git/languages/table.ts"]);

test("no name and no comment uses a word that has a better one", async () => {
  const root = join(import.meta.dir, "../..");
  const found: string[] = [];
  for await (const file of new Bun.Glob("{src,web,cli}/**/*.{ts,tsx}").scan(root)) {
    // Translations are other languages.
    if (exempt.has(file) || (file.includes("/words/") && !file.endsWith("/en.ts"))) continue;
    const lines = (await Bun.file(join(root, file)).text()).split("\n");
    for (const [at, line] of lines.entries())
      for (const [word, better] of instead)
        if (word.test(line)) found.push(`${file}:${at + 1}: ${word.exec(line)?.[0]}: say ${better}`);
  }
  expect(found).toEqual([]);
});
