import { RepositoryFolder } from "../../../src/git/folder.ts";
import { type MergeCommitsOptions, mergeCommits } from "../../../src/git/merge/merge-commits.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import { git } from "../objects/real-git.ts";
import { asPrinted } from "./answer.ts";
import type { Case } from "./nasty-histories.ts";

export interface Difference {
  readonly ours: string;
  readonly expected: string;
  readonly answer: string;
}

/** Settings of git and the options that mean the same. */
export interface Settings {
  readonly config: readonly string[];
  readonly options: MergeCommitsOptions;
}

const DEFAULTS: Settings = { config: [], options: {} };

/**
 * In git 2.39 a file that ours puts where the base has a folder, and which then follows that folder's rename, is lost: a
 * tree with the id of nothing is written. Here the file stays.
 */
export function isLossOfGit({ expected }: Difference): boolean {
  return expected.split("\0").some((row) => /^000000 0+ 2\t/.test(row));
}

/**
 * Merges every case with both and answers where they differ. Real git merges all of them in one process, until one of its
 * assertions fails: such a case is no difference.
 */
export function compareCases(
  dir: string,
  cases: readonly Case[],
  { config, options }: Settings = DEFAULTS,
): Difference[] {
  const words = [
    "-C",
    dir,
    ...config.flatMap((word) => ["-c", word]),
    "merge-tree",
    "--write-tree",
    "--allow-unrelated-histories",
    "--messages",
  ];
  const input = cases.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join("");
  const all = git([...words, "--stdin"], { input, mayFail: true }).stdout.toString("latin1");
  const repository = RepositoryFolder.open(dir);
  const differences: Difference[] = [];
  let at = 0;
  try {
    for (const { ours, theirs } of cases) {
      const answer = answerFor(repository, ours, theirs, options);
      const inStream = (text: string) => `${all[at]}\0${text}\0`;
      if (all.startsWith(inStream(answer), at)) at += inStream(answer).length;
      else {
        const { stdout, code } = git([...words, "-z", ours, theirs], { mayFail: true });
        const expected = stdout.toString("latin1");
        if ((code === 0 || code === 1) && expected !== answer) differences.push({ ours, expected, answer });
        if (all.startsWith(inStream(expected), at)) at += inStream(expected).length;
      }
    }
  } finally {
    repository.close();
  }
  return differences;
}

function answerFor(repository: RepositoryFolder, ours: string, theirs: string, given: MergeCommitsOptions): string {
  const oidOf = (name: string) => repository.find(name) ?? "";
  try {
    const labels = { ours, theirs };
    const options = { ...given, labels, allowUnrelated: true };
    return asPrinted(
      mergeCommits(repository.commits, new Overlay(repository.store), oidOf(ours), oidOf(theirs), options),
    );
  } catch (error) {
    return error instanceof Error ? `${error.stack}` : String(error);
  }
}

/** By hand: `bun tests/git/merge/compare-nasty.ts SEED CASES` compares many, in repositories of 250 cases. */
if (import.meta.main) {
  const { makeNastyHistories } = await import("./nasty-histories.ts");
  const { tempDir } = await import("../objects/real-git.ts");
  const [seed = "1", count = "1000"] = process.argv.slice(2);
  let equal = 0;
  let lost = 0;
  let done = 0;
  for (let at = Number(seed); done < Number(count); at++) {
    using dir = tempDir();
    const cases = makeNastyHistories(dir.path, at, 250);
    const differences = compareCases(dir.path, cases);
    done += cases.length;
    equal += cases.length - differences.length;
    const losses = differences.filter(isLossOfGit);
    lost += losses.length;
    for (const { ours, expected, answer } of differences.filter((difference) => !losses.includes(difference)))
      console.log(`seed ${at} ${ours}\n  git:    ${shown(expected)}\n  hearth: ${shown(answer)}`);
  }
  console.log(`${equal} of ${done} equal; in ${lost} git loses a file`);
}

function shown(text: string): string {
  return text.replaceAll("\0", "|").replaceAll("\n", "\\n");
}
