import { describe, expect, test } from "bun:test";
import { tempDir } from "../objects/real-git.ts";
import { compareCases, isLossOfGit, type Settings } from "./compare-nasty.ts";
import { makeNastyHistories } from "./nasty-histories.ts";

/**
 * Trees, stages and messages of merges of random histories are those of `git merge-tree --write-tree`. The histories are
 * always the same: in one of some thousands git tells more or less about the same tree, because it began again when it
 * had found renames (compare-nasty.ts compares as many as you like).
 */
const SEED = 20_221_212;

describe("merges of random histories", () => {
  const ways: readonly [name: string, cases: number, settings: Settings][] = [
    ["as git does by default", 60, { config: [], options: {} }],
    ["showing the base", 20, { config: ["merge.conflictStyle=diff3"], options: { style: "diff3" } }],
    ["showing the base of less", 20, { config: ["merge.conflictStyle=zdiff3"], options: { style: "zdiff3" } }],
    [
      "moving files into renamed folders",
      60,
      { config: ["merge.directoryRenames=true"], options: { directoryRenames: "apply" } },
    ],
    [
      "leaving files out of renamed folders",
      40,
      { config: ["merge.directoryRenames=false"], options: { directoryRenames: "off" } },
    ],
  ];
  test("with SHA-256 ids", () => {
    using dir = tempDir();
    const cases = makeNastyHistories(dir.path, SEED, 20, "sha256");
    expect(compareCases(dir.path, cases).filter((found) => !isLossOfGit(found))).toEqual([]);
  });

  test.each(ways)("%s", (_, count, settings) => {
    using dir = tempDir();
    const cases = makeNastyHistories(dir.path, SEED, count);
    const differences = compareCases(dir.path, cases, settings).filter((found) => !isLossOfGit(found));
    expect(differences).toEqual([]);
  });
});
