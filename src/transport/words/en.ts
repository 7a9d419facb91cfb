import type { Messages } from "../../language/catalogue.ts";

export const en = {
  noWriting: "User permission denied for writing.",
  defaultBranch: "branch {branch} is the default branch and cannot be deleted",
  repoSettings: "permission denied for changing repo settings",
  diskFull: "the server's disk is full; nothing was changed",
  diskReadOnly: "the server's disk cannot be written to; nothing was changed",
  diskFailed: "the server's disk failed; the change is not confirmed",
} as const satisfies Messages;
