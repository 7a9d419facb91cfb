import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["repository"] };
const changes: Row = { ...reads, who: "user", level: "write", notArchived: true };

const readsPage: Row = { surface: "page", who: "anyone", level: "read" };
const changesPage: Row = { surface: "page", who: "user", level: "write", notArchived: true };
const readsBytes: Row = { surface: "bytes", who: "anyone", level: "read", scopes: ["repository"] };

export const releaseRows: Readonly<Record<string, Row>> = {
  [`GET ${R}/releases`]: reads,
  [`POST ${R}/releases`]: changes,
  [`GET ${R}/releases/latest`]: reads,
  [`GET ${R}/releases/tags/:tag`]: { ...reads, at: "v1" },
  [`DELETE ${R}/releases/tags/:tag`]: { ...changes, at: "none" },
  [`GET ${R}/releases/:id`]: { ...reads, at: "<release>" },
  [`PATCH ${R}/releases/:id`]: { ...changes, at: "<release>" },
  [`DELETE ${R}/releases/:id`]: { ...changes, at: "0" },
  [`GET ${R}/releases/:id/assets`]: { ...reads, at: "<release>" },
  [`POST ${R}/releases/:id/assets`]: { ...changes, at: "<release>" },
  [`GET ${R}/releases/:id/assets/:attachment_id`]: { ...reads, at: "<release>" },
  [`PATCH ${R}/releases/:id/assets/:attachment_id`]: { ...changes, at: "<release>" },
  [`DELETE ${R}/releases/:id/assets/:attachment_id`]: { ...changes, at: "0" },
  "GET /:owner/:repo/releases": readsPage,
  "GET /:owner/:repo/releases/latest": readsPage,
  "GET /:owner/:repo/releases/tag/*": { ...readsPage, at: "v1" },
  "GET /:owner/:repo/releases/download/*": { ...readsBytes, at: "v1/notes.txt" },
  "GET /:owner/:repo/releases/attachments/:uuid": { ...readsBytes, at: "<asset-uuid>" },
  "GET /:owner/:repo/releases/new": changesPage,
  "POST /:owner/:repo/releases/new": changesPage,
  "GET /:owner/:repo/releases/edit/*": { ...changesPage, at: "v1" },
  "POST /:owner/:repo/releases/edit/*": { ...changesPage, at: "v1" },
  "POST /:owner/:repo/releases/delete": changesPage,
  "POST /:owner/:repo/releases/generate-notes": changesPage,
  "GET /:owner/:repo/releases.rss": readsBytes,
  "GET /:owner/:repo/releases.atom": readsBytes,
};
