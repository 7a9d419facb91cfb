import type { GitCommand } from "./command.ts";

/** The commands of `hearth git`, by name. Each loads when it is asked for. */
export const gitCommands: Readonly<Record<string, () => Promise<GitCommand>>> = {
  blame: async () => (await import("./blame.ts")).blameCommand,
  "cat-file": async () => (await import("./cat-file.ts")).catFileCommand,
  "ls-tree": async () => (await import("./ls-tree.ts")).lsTreeCommand,
  "show-ref": async () => (await import("./show-ref.ts")).showRefCommand,
};
