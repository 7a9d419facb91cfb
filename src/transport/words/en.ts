import type { Messages } from "../../language/catalogue.ts";

export const en = {
  noWriting: "User permission denied for writing.",
  defaultBranch: "branch {branch} is the default branch and cannot be deleted",
  repoSettings: "permission denied for changing repo settings",
  noPullRequests: "User permission denied for creating pull-request.",
  pullToEmpty: "Can't create pull request for an empty repository.",
  pullToWiki: "Pull requests are not supported on the wiki.",
  diskFull: "the server's disk is full; nothing was changed",
  diskReadOnly: "the server's disk cannot be written to; nothing was changed",
  diskFailed: "the server's disk failed; the change may not have been saved",
  tookTooLong: "the push took too long to process; nothing was changed",
  paddedModes:
    "an old tool wrote this history, with leading zeros in file modes. Administrators of this server can accept such histories with git.accept_zero_padded_modes = true; git fast-export and git fast-import rewrite them without the zeros, under new ids",
} as const satisfies Messages;
