import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";
const O = "/api/v1/orgs/:org";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["issue"] };
const changes: Row = { ...reads, who: "user", laterLevel: "write", notArchived: true };
const inOrganization: Row = { surface: "api", who: "user", scopes: ["organization"] };
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
};
