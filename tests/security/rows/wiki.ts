import type { Row } from "../route-table.ts";

const W = "/api/v1/repos/:owner/:repo/wiki";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["repository"] };
const changes: Row = { ...reads, who: "user", level: "write", notArchived: true };

const readsPage: Row = { surface: "page", who: "anyone", level: "read" };
const changesPage: Row = { surface: "page", who: "user", level: "write", notArchived: true };
const administersPage: Row = { surface: "page", who: "user", level: "admin" };

export const wikiRows: Readonly<Record<string, Row>> = {
  [`POST ${W}/new`]: changes,
  [`GET ${W}/pages`]: reads,
  [`GET ${W}/revisions/*`]: { ...reads, at: "Home" },
  [`GET ${W}/page/*`]: { ...reads, at: "Home" },
  [`PATCH ${W}/page/*`]: { ...changes, at: "Home" },
  [`DELETE ${W}/page/*`]: { ...changes, at: "None" },
  "GET /:owner/:repo/wiki": readsPage,
  "POST /:owner/:repo/wiki": changesPage,
  "GET /:owner/:repo/wiki/commit/:sha": readsPage,
  "GET /:owner/:repo/wiki/blob_excerpt/:sha": readsPage,
  "GET /:owner/:repo/wiki/raw/*": {
    surface: "bytes",
    who: "anyone",
    level: "read",
    scopes: ["repository"],
    at: "Home.md",
  },
  "GET /:owner/:repo/wiki/*": { ...readsPage, at: "Home" },
  "POST /:owner/:repo/wiki/*": { ...changesPage, at: "Home" },
  "GET /:owner/:repo/settings/wiki": administersPage,
  "POST /:owner/:repo/settings/wiki": { ...administersPage, harmful: true },
};
