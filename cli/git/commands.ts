import type { GitCommand } from "./command.ts";

/** The commands of `hearth git`, by name. Each loads when it is asked for. */
export const gitCommands: Readonly<Record<string, () => Promise<GitCommand>>> = {
  blame: async () => (await import("./blame.ts")).blameCommand,
  archive: async () => (await import("./archive.ts")).archiveCommand,
  bundle: async () => (await import("./bundle.ts")).bundleCommand,
  "cat-file": async () => (await import("./cat-file.ts")).catFileCommand,
  "commit-tree": async () => (await import("./commit-tree.ts")).commitTreeCommand,
  fsck: async () => (await import("./fsck.ts")).fsckCommand,
  gc: async () => (await import("./gc.ts")).gcCommand,
  "commit-graph": async () => (await import("./commit-graph.ts")).commitGraphCommand,
  diff: async () => (await import("./diff.ts")).diffCommand,
  "diff-tree": async () => (await import("./diff-tree.ts")).diffTreeCommand,
  "hash-object": async () => (await import("./hash-object.ts")).hashObjectCommand,
  "last-commits": async () => (await import("./last-commits.ts")).lastCommitsCommand,
  log: async () => (await import("./log.ts")).logCommand,
  "ls-tree": async () => (await import("./ls-tree.ts")).lsTreeCommand,
  "merge-base": async () => (await import("./merge-base.ts")).mergeBaseCommand,
  mktree: async () => (await import("./mktree.ts")).mktreeCommand,
  "rev-list": async () => (await import("./rev-list.ts")).revListCommand,
  "show-ref": async () => (await import("./show-ref.ts")).showRefCommand,
  "update-ref": async () => (await import("./update-ref.ts")).updateRefCommand,
  "index-pack": async () => (await import("./index-pack.ts")).indexPackCommand,
};
