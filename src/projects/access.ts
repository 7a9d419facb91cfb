import type { Access } from "../http/route.ts";

/** Who may use the pages of boards; REST has none. */

export const readsProjects: Access = {
  who: "anyone",
  subject: { kind: "repository", level: "read", unit: "projects" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
export const changesProjects: Access = {
  who: "user",
  subject: { kind: "repository", level: "write", unit: "projects", state: "unarchived" },
  scopes: ["repository"],
  publicOnly: "filtered",
};

/** Boards of accounts: `ProjectService` decides whether the account is visible, and who may write. */
export const readsOwnersProjects: Access = { who: "anyone", scopes: ["organization"], publicOnly: "filtered" };
export const signedInProjects: Access = { who: "user", scopes: ["organization"], publicOnly: "filtered" };
