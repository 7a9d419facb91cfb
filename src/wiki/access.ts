import type { Access } from "../http/route.ts";

/**
 * Who may come in at the routes of a wiki. Whether there is one that the caller may read, `WikiService` decides: it is
 * missing to everyone else.
 */
export const readsWiki: Access = {
  who: "anyone",
  subject: { kind: "repository", level: "read" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
/** The bytes of files, outside the API: no one acts as another there. */
export const readsWikiFiles: Access = { ...readsWiki, sudo: false };
export const changesWiki: Access = {
  who: "user",
  subject: { kind: "repository", unit: "wiki", level: "write", state: "unarchived" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
