import type { Access } from "../http/route.ts";

/** Who may use wiki routes: for everyone else the wiki looks missing. */
export const readsWiki: Access = {
  who: "anyone",
  subject: { kind: "repository", unit: "wiki", level: "read", unreadable: "missing" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
/** File contents, outside the API: no sudo there. */
export const readsWikiFiles: Access = { ...readsWiki, sudo: false };
export const changesWiki: Access = {
  who: "user",
  subject: { kind: "repository", unit: "wiki", level: "write", state: "own", unreadable: "missing" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
