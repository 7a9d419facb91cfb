import type { GitCommand } from "./command.ts";

/** The commands of `hearth git`, by name. Each loads when it is asked for. */
export const gitCommands: Readonly<Record<string, () => Promise<GitCommand>>> = {
  "cat-file": async () => (await import("./cat-file.ts")).catFileCommand,
  "commit-tree": async () => (await import("./commit-tree.ts")).commitTreeCommand,
  "hash-object": async () => (await import("./hash-object.ts")).hashObjectCommand,
  "ls-tree": async () => (await import("./ls-tree.ts")).lsTreeCommand,
  mktree: async () => (await import("./mktree.ts")).mktreeCommand,
  "show-ref": async () => (await import("./show-ref.ts")).showRefCommand,
  "index-pack": async () => (await import("./index-pack.ts")).indexPackCommand,
  "update-ref": async () => (await import("./update-ref.ts")).updateRefCommand,
};
