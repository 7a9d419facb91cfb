import { RepositoryFolder } from "../../../src/git/folder.ts";
import { mergeCommits, UnrelatedHistories } from "../../../src/git/merge/merge-commits.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import { tempDir } from "../objects/real-git.ts";
import { asPrinted } from "./answer.ts";
import { mergesOf, Oracle } from "./oracle.ts";

/**
 * Every merge of a history, again, by hand: `bun tests/git/merge/histories.ts REPOSITORY.git CACHE [EVERY [FROM]]`.
 * Tree, stages and messages are compared with what `git merge-tree --write-tree -z --messages` says, which is kept in the
 * file CACHE. Prints each difference and the counts; exit status 1 when anything differed.
 */
const [repositoryPath = "", cacheFile = "", every = "1", from = "0"] = process.argv.slice(2);
using objects = tempDir();
const oracle = new Oracle(repositoryPath, cacheFile);
const repository = RepositoryFolder.open(repositoryPath, { cacheBytes: 96 * 1024 * 1024 });
const counts = { clean: 0, cleanEqual: 0, conflicted: 0, conflictedEqual: 0, trees: 0, refused: 0, refusedEqual: 0 };
let spentMs = 0;
let slowestMs = 0;
const merges = mergesOf(repositoryPath).filter((_, index) => index >= Number(from) && index % Number(every) === 0);
for (const merge of merges) {
  const [commit, ours, theirs] = merge;
  const expected = oracle.ask(merge, objects.path);
  const began = performance.now();
  const answer = answerFor(ours, theirs);
  const ms = performance.now() - began;
  spentMs += ms;
  if (ms > slowestMs) {
    slowestMs = ms;
    console.log(`slowest so far: ${commit} ${ms.toFixed(0)} ms`);
  }
  if (expected.status > 1) {
    counts.refused++;
    if (answer === "refused") counts.refusedEqual++;
    continue;
  }
  const equal = answer === expected.stdout;
  if (answer.slice(0, 40) === expected.stdout.slice(0, 40)) counts.trees++;
  if (expected.status === 0) {
    counts.clean++;
    if (equal) counts.cleanEqual++;
  } else {
    counts.conflicted++;
    if (equal) counts.conflictedEqual++;
  }
  if (!equal) console.log(`${commit}\n  git:    ${shown(expected.stdout)}\n  hearth: ${shown(answer)}`);
}
console.log(`${merges.length} merges in ${(spentMs / 1000).toFixed(1)} s`, counts);
repository.close();
const { clean, cleanEqual, conflicted, conflictedEqual } = counts;
process.exitCode = clean === cleanEqual && conflicted === conflictedEqual ? 0 : 1;

function answerFor(ours: string, theirs: string): string {
  try {
    return asPrinted(mergeCommits(repository.commits, new Overlay(repository.store), ours, theirs));
  } catch (error) {
    if (error instanceof UnrelatedHistories) return "refused";
    return error instanceof Error ? `${error.stack}` : String(error);
  }
}

function shown(text: string): string {
  return text.replaceAll("\0", "|").slice(0, 1500);
}
