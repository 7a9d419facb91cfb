import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";
const O = "/api/v1/orgs/:org";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["issue"] };
const changes: Row = { ...reads, who: "user", laterLevel: "write", notArchived: true };
const readsPage: Row = { surface: "page", who: "anyone", level: "read" };
/** Who may not write finds no such page: the handler says so. */
const changesPage: Row = { ...readsPage, who: "user", notArchived: true };
const inOrganization: Row = { surface: "api", who: "user", scopes: ["organization"] };
const ownerPage: Row = { surface: "page", who: "user", organization: "owner" };
const ownerOfIt: Row = { ...inOrganization, organization: "owner" };

export const labelRows: Readonly<Record<string, Row>> = {
  [`GET ${R}/labels`]: reads,
  [`POST ${R}/labels`]: changes,
  [`GET ${R}/labels/:id`]: { ...reads, at: "first" },
  [`PATCH ${R}/labels/:id`]: { ...changes, at: "0" },
  [`DELETE ${R}/labels/:id`]: { ...changes, at: "0" },
  [`GET ${O}/labels`]: { ...inOrganization, who: "anyone" },
  [`POST ${O}/labels`]: ownerOfIt,
  [`GET ${O}/labels/:id`]: { ...inOrganization, at: "first" },
  [`PATCH ${O}/labels/:id`]: { ...ownerOfIt, at: "0" },
  [`DELETE ${O}/labels/:id`]: { ...ownerOfIt, at: "0" },
  "GET /:owner/:repo/labels": readsPage,
  "POST /:owner/:repo/labels/new": changesPage,
  "POST /:owner/:repo/labels/edit": changesPage,
  "POST /:owner/:repo/labels/delete": changesPage,
  "POST /:owner/:repo/labels/initialize": changesPage,
  "GET /org/:org/settings/labels": ownerPage,
  "POST /org/:org/settings/labels/new": ownerPage,
  "POST /org/:org/settings/labels/edit": ownerPage,
  "POST /org/:org/settings/labels/delete": ownerPage,
  "POST /org/:org/settings/labels/initialize": ownerPage,
};
