import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import type { Overlay } from "../../src/git/objects/overlay.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import type { ReplayOutcome } from "../../src/git/replay/pick.ts";
import { Fatal, type Terminal } from "./command.ts";
import { printMerge, writeMade } from "./merge-tree.ts";

/** @throws Fatal when the name leads to no commit */
export function commitNamed(repository: RepositoryFolder, name: string): Oid {
  const oid = repository.find(name);
  const commit = oid === undefined ? undefined : peelToCommit(repository.store, oid);
  if (commit === undefined) throw new Fatal(`bad revision '${name}'`);
  return commit;
}

/**
 * Stores what a replay made and prints the resulting commit. A conflict is told as `merge-tree` tells it, with the
 * commit on standard error.
 * @returns the exit status
 */
export function tellOutcome(
  repository: RepositoryFolder,
  overlay: Overlay,
  outcome: ReplayOutcome,
  terminal: Terminal,
): number {
  writeMade(repository, overlay);
  if (outcome.kind === "done") {
    terminal.out(`${outcome.commit}\n`);
    return 0;
  }
  if (outcome.kind === "empty") {
    terminal.err(`error: nothing remains of ${outcome.commit} on ${outcome.onto}`);
    return 1;
  }
  printMerge(outcome.merge, terminal);
  terminal.err(`error: could not apply ${outcome.commit} on ${outcome.onto}`);
  return 1;
}
