import { resolve } from "node:path";
import { diffOptionTable, readDiffOptions } from "../../../cli/git/diff-options.ts";
import { readWords } from "../../../cli/git/options.ts";
import { DiffPrinter } from "../../../src/git/diff/print/print.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { Abbreviator } from "../../../src/git/pretty/abbreviate.ts";
import { random } from "../../random.ts";
import { git, gitText } from "../objects/real-git.ts";

/**
 * Differences of a real history against real git, byte for byte, by hand:
 * `bun tests/git/diff/histories.ts REPOSITORY.git [COUNT] [SEED] [--only WORDS]…`. COUNT commits (all when left out or 0)
 * are compared with their first parents, and some pairs of commits far apart, under many options. Prints for each how
 * many are equal, and the first few that are not; exit status 1 when any.
 */

export const DIFF_OPTIONS = [
  "-p -M",
  "-p --histogram -M",
  "-p --minimal",
  "-p --patience",
  "-p --no-indent-heuristic",
  "-p -w",
  "-p -b --ignore-blank-lines",
  "-p --ignore-space-at-eol --ignore-blank-lines",
  "-p --ignore-cr-at-eol -U1 --inter-hunk-context=4",
  "-p -U0",
  "-p -C --full-index",
  "-r --raw -M",
  "-r --raw -C30% -z",
  "-r --raw -C --find-copies-harder -l200",
  "--numstat -M",
  "--numstat -w",
  "--stat --summary -M",
  "--stat=60,30,8 --shortstat -C",
  "--patch-with-stat --summary -M -z",
  "--patch-with-raw -R -M --no-prefix --abbrev=12",
  "-r --name-status -M70%",
  "-r --name-only --diff-filter=AMR -M",
];

interface Pair {
  readonly from: string;
  readonly to: string;
}

export interface Verdict {
  readonly options: string;
  readonly compared: number;
  readonly same: number;
  readonly seconds: number;
  readonly differing: readonly string[];
}

const BATCH = 400;

/** Compares our output with that of `git diff-tree` for pairs of trees. */
export function comparePairs(dir: string, store: ObjectStore, pairs: readonly Pair[], words: string): Verdict {
  const { print } = readDiffOptions(
    readWords(
      ["-r", ...words.split(" ")].filter((word) => word !== "-r"),
      diffOptionTable,
    ),
    {
      format: "raw",
      renames: false,
      abbrev: false,
    },
  );
  const printer = new DiffPrinter(store, print, new Abbreviator(store, print.abbrev ?? "auto"));
  let same = 0;
  let spent = 0;
  const differing: string[] = [];
  for (let at = 0; at < pairs.length; at += BATCH) {
    const batch = pairs.slice(at, at + BATCH);
    const input = batch.map(({ from, to }) => `${from} ${to}\n`).join("");
    const theirs = git(["-C", dir, "diff-tree", "--stdin", "-r", ...words.split(" ")], { input }).stdout;
    let place = 0;
    for (let i = 0; i < batch.length; i++) {
      const { from, to } = batch[i]!;
      const next = batch[i + 1];
      const start = place + from.length + to.length + 2;
      const end = next ? theirs.indexOf(`${next.from} ${next.to}\n`, start) : theirs.length;
      place = end;
      const pieces: Uint8Array[] = [];
      const began = performance.now();
      printer.printTrees(from, to, (piece) => {
        pieces.push(piece);
      });
      spent += performance.now() - began;
      const ours = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      if (Buffer.compare(ours, theirs.subarray(start, end)) === 0) same++;
      else differing.push(`git -C ${dir} diff-tree -r ${words} ${from} ${to}`);
    }
  }
  return { options: words, compared: pairs.length, same, seconds: spent / 1000, differing };
}

function pairsOf(dir: string, count: number, seed: number): Pair[] {
  const lines = gitText(["-C", dir, "log", "--format=%T %P", "--first-parent", "HEAD"]).split("\n");
  const trees = gitText(["-C", dir, "log", "--format=%T", "--first-parent", "HEAD"]).split("\n");
  const neighbours = lines.slice(0, -1).map((_, i) => ({ from: trees[i + 1]!, to: trees[i]! }));
  if (count === 0 || count >= neighbours.length) return neighbours;
  const next = random(seed);
  const found: Pair[] = [];
  for (let i = 0; i < count; i++) {
    const at = Math.floor(next() * neighbours.length);
    // One in twenty goes far back.
    const far = next() < 0.05 ? Math.min(trees.length - 1, at + 1 + Math.floor(next() * 400)) : at + 1;
    found.push({ from: trees[far]!, to: trees[at]! });
  }
  return found;
}

async function main(words: readonly string[]): Promise<number> {
  const only = words.flatMap((word, i) => (words[i - 1] === "--only" ? [word] : []));
  const plain = words.filter((word, i) => word !== "--only" && words[i - 1] !== "--only");
  const [path, count = "0", seed = "1"] = plain;
  if (path === undefined) {
    console.error("usage: bun tests/git/diff/histories.ts REPOSITORY.git [COUNT] [SEED] [--only OPTIONS]…");
    return 2;
  }
  const dir = resolve(path);
  const store = ObjectStore.open(dir, { cacheBytes: 96 * 1024 * 1024 });
  const pairs = pairsOf(dir, Number(count), Number(seed));
  let wrong = 0;
  for (const options of only.length > 0 ? only : DIFF_OPTIONS) {
    const { compared, same, seconds, differing } = comparePairs(dir, store, pairs, options);
    console.log(`${options.padEnd(52)} ${same} of ${compared}  ${seconds.toFixed(1)} s`);
    for (const command of differing.slice(0, 5)) console.log(`    ${command}`);
    wrong += differing.length;
  }
  store.close();
  return wrong === 0 ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
