import type { ImportServiceName } from "../../src/imports/types.ts";

/** Product names are not translated. */
export const serviceNames: Readonly<Record<ImportServiceName, string>> = {
  git: "Git",
  gitea: "Gitea",
  forgejo: "Forgejo",
  gogs: "Gogs",
  github: "GitHub",
  gitlab: "GitLab",
};
