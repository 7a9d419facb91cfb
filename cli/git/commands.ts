import type { GitCommand } from "./command.ts";

/** The commands of `hearth git`, by name. Each loads when it is asked for. */
export const gitCommands: Readonly<Record<string, () => Promise<GitCommand>>> = {
  archive: async () => (await import("./archive.ts")).archiveCommand,
  "cat-file": async () => (await import("./cat-file.ts")).catFileCommand,
};
