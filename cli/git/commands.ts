import type { GitCommand } from "./command.ts";

/** The commands of `hearth git`, by name. Each is loaded on demand. */
export const gitCommands: Readonly<Record<string, () => Promise<GitCommand>>> = {
  archive: async () => (await import("./archive.ts")).archiveCommand,
  blame: async () => (await import("./blame.ts")).blameCommand,
  bundle: async () => (await import("./bundle.ts")).bundleCommand,
  "cat-file": async () => (await import("./cat-file.ts")).catFileCommand,
  "diff-tree": async () => (await import("./diff-tree.ts")).diffTreeCommand,
  diff: async () => (await import("./diff.ts")).diffCommand,
  fsck: async () => (await import("./fsck.ts")).fsckCommand,
  gc: async () => (await import("./gc.ts")).gcCommand,
  "index-pack": async () => (await import("./index-pack.ts")).indexPackCommand,
  "last-commits": async () => (await import("./last-commits.ts")).lastCommitsCommand,
  log: async () => (await import("./log.ts")).logCommand,
  "ls-tree": async () => (await import("./ls-tree.ts")).lsTreeCommand,
  "merge-base": async () => (await import("./merge-base.ts")).mergeBaseCommand,
  "merge-tree": async () => (await import("./merge-tree.ts")).mergeTreeCommand,
  "rev-list": async () => (await import("./rev-list.ts")).revListCommand,
  "rev-parse": async () => (await import("./rev-parse.ts")).revParseCommand,
  "show-ref": async () => (await import("./show-ref.ts")).showRefCommand,
  "update-ref": async () => (await import("./update-ref.ts")).updateRefCommand,
};
