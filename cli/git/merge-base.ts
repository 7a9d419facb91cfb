import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags, peelToCommit } from "../../src/git/graph/peel.ts";
import { independent, isAncestor, mergeBases, mergeBasesOfMany, octopusBases } from "../../src/git/history/ancestry.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";
import { openForReading } from "./repository.ts";

export const mergeBaseCommand: GitCommand = {
  name: "merge-base",
  usage:
    "[-a | --all] <commit> <commit>… | --octopus <commit>… | --independent <commit>… | --is-ancestor <commit> <commit>",
  doc: "Finds the best common ancestors of commits",
  run(words, terminal) {
    const { rest, paths, has } = readWords(words, {
      "-a": ["flag", "all"],
      "--all": ["flag", "all"],
      "--octopus": ["flag", "octopus"],
      "--independent": ["flag", "independent"],
      "--is-ancestor": ["flag", "is-ancestor"],
    });
    const names = [...rest, ...(paths ?? [])];
    const single = has("independent") || has("octopus");
    if (names.length < (single ? 1 : 2)) throw new GitUsage("");
    const repository = openForReading(terminal);
    try {
      if (has("is-ancestor") && names.length !== 2) throw new Fatal("--is-ancestor takes exactly two commits");
      // git reads lists of any length from the end, which shows in what it reports first.
      const oids = single
        ? names
            .toReversed()
            .map((name) => commitOf(repository, name))
            .reverse()
        : names.map((name) => commitOf(repository, name));
      const [first, ...others] = oids;
      const { commits } = repository;
      if (has("is-ancestor")) return isAncestor(commits, first!, others[0]!) ? 0 : 1;
      let found: readonly Oid[];
      if (has("independent")) found = independent(commits, oids);
      else if (has("octopus")) found = octopusBases(commits, oids);
      else
        found =
          others.length === 1 ? mergeBases(commits, first!, others[0]!) : mergeBasesOfMany(commits, first!, others);
      const shown = has("all") || has("independent") ? found : found.slice(0, 1);
      for (const oid of shown) terminal.out(`${oid}\n`);
      return found.length > 0 ? 0 : 1;
    } finally {
      repository.close();
    }
  },
};

function commitOf(repository: RepositoryFolder, name: string): Oid {
  const oid = repository.find(name);
  if (oid === undefined) throw new Fatal(`Not a valid object name ${name}`);
  const { store } = repository;
  const commit = peelToCommit(store, oid);
  if (commit !== undefined) return commit;
  const target = peelTags(store, oid);
  const type = target === undefined ? undefined : store.header(target)?.type;
  throw new Fatal(`Not a valid commit name ${name}`, 128, type && `error: object ${target} is a ${type}, not a commit`);
}
