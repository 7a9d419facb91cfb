import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about forks (contract repositories.md 7). */
export const forkErrorWords: ErrorWords = {
  "fork.exists": ({ owner, base, fork }) =>
    `repository is already forked by user [uname: ${owner}, repo path: ${base}, fork path: ${fork}]`,
  "fork.branch-missing": ({ name }) => `branch does not exist [name: ${name}]`,
  "fork.not-a-fork": "repo is not a fork",
  "fork.base-hidden": "user should have specific read permission on the repository this one was forked from",
  "fork.diverged": "fast-forward merge not possible: branch has diverged",
  "fork.conflict": ({ files }) => `merge conflict in: ${files}`,
  "fork.unrelated": "the branches have no common history",
  "fork.base-empty": "the repository this one was forked from has no such branch",
  "fork.branch-changed": ({ branch }) => `branch ${branch} was changed by someone else; nothing was merged`,
};
