import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["issue"] };
const changes: Row = { ...reads, who: "user", laterLevel: "write", notArchived: true };

const readsPage: Row = { surface: "page", who: "anyone", level: "read" };
/** Who may not write finds no such page: the handler says so. */
const changesPage: Row = { ...readsPage, who: "user", notArchived: true };

export const milestoneRows: Readonly<Record<string, Row>> = {
  [`GET ${R}/milestones`]: reads,
  [`POST ${R}/milestones`]: changes,
  [`GET ${R}/milestones/:id`]: { ...reads, at: "first" },
  [`PATCH ${R}/milestones/:id`]: { ...changes, at: "first" },
  [`DELETE ${R}/milestones/:id`]: { ...changes, at: "0" },
  "GET /:owner/:repo/milestones": readsPage,
  "GET /:owner/:repo/milestones/new": changesPage,
  "POST /:owner/:repo/milestones/new": changesPage,
  "POST /:owner/:repo/milestones/delete": changesPage,
  "GET /:owner/:repo/milestones/:id/edit": { ...changesPage, at: "<milestone>" },
  "POST /:owner/:repo/milestones/:id/edit": { ...changesPage, at: "<milestone>" },
  "POST /:owner/:repo/milestones/:id/open": { ...changesPage, at: "<milestone>" },
  "POST /:owner/:repo/milestones/:id/close": { ...changesPage, at: "<milestone>" },
  "GET /:owner/:repo/milestone/:id": { ...readsPage, at: "<milestone>" },
  "GET /milestones": { surface: "page", who: "user" },
};
