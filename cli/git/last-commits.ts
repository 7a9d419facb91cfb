import { peelToCommit, peelToTree } from "../../src/git/graph/peel.ts";
import { lastCommits } from "../../src/git/history/last-commits.ts";
import { quotePath } from "../../src/git/objects/quote.ts";
import { isTreeMode } from "../../src/git/objects/tree.ts";
import { entryAt } from "../../src/git/trees.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";
import { pathFromTop } from "./paths.ts";
import { openForReading } from "./repository.ts";

export const lastCommitsCommand: GitCommand = {
  name: "last-commits",
  usage: "<commit> [-- <folder>]",
  doc: "For each entry of a folder, the commit that last changed it (git has no such command)",
  run(words, terminal) {
    const { rest, paths } = readWords(words, {});
    const [name, ...more] = rest;
    if (name === undefined || more.length > 0 || (paths?.length ?? 0) > 1) throw new GitUsage("");
    const repository = openForReading(terminal);
    try {
      const oid = repository.find(name);
      const commit = oid === undefined ? undefined : peelToCommit(repository.store, oid);
      if (commit === undefined) throw new Fatal(`bad revision '${name}'`);
      const typed = paths?.[0];
      const directory =
        typed === undefined ? "" : pathFromTop(repository, terminal.directory, typed).replace(/\/$/, "");
      const tree = peelToTree(repository.store, commit);
      const found = tree === undefined ? undefined : entryAt(repository.store, tree, directory);
      if (!found || !isTreeMode(found.mode)) throw new Fatal(`path '${directory}' is no folder in '${name}'`);
      const last = lastCommits(repository.commits, commit, directory);
      for (const entry of last.names) terminal.out(`${last.found.get(entry)}\t${onOneLine(entry)}\n`);
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** A name as is, or quoted where it would break the line. */
function onOneLine(name: string): string {
  return /[\x00-\x1f"\\\x7f]/.test(name) ? quotePath("", name) : name;
}
