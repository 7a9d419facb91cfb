import { peelToCommit } from "../../src/git/graph/peel.ts";
import { lastCommits } from "../../src/git/history/last-commits.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";
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
      const folder = (paths?.[0] ?? "").replace(/^(?:\.?\/+)+|\/+$|^\.$/g, "");
      const { found, names } = lastCommits(repository.commits, commit, folder);
      for (const entry of names) terminal.out(`${found.get(entry)}\t${entry}\n`);
      return 0;
    } finally {
      repository.close();
    }
  },
};
