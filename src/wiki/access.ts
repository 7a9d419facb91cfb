import type { Access } from "../http/route.ts";

/** Who may come in at the routes of a wiki: to everyone else there is none. */
export const readsWiki: Access = {
  who: "anyone",
  subject: { kind: "repository", unit: "wiki", level: "read", unreadable: "missing" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
/** The bytes of files, outside the API: no one acts as another there. */
export const readsWikiFiles: Access = { ...readsWiki, sudo: false };
export const changesWiki: Access = {
  who: "user",
  subject: { kind: "repository", unit: "wiki", level: "write", state: "own", unreadable: "missing" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
