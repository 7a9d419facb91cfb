import type { ImportServiceName } from "../../src/imports/types.ts";

/** Names of programs are the same in every language. */
export const serviceNames: Readonly<Record<ImportServiceName, string>> = {
  git: "Git",
  gitea: "Gitea",
  forgejo: "Forgejo",
  gogs: "Gogs",
  github: "GitHub",
  gitlab: "GitLab",
};
