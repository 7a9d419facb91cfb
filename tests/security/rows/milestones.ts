import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["issue"] };
const changes: Row = { ...reads, who: "user", laterLevel: "write", notArchived: true };

export const milestoneRows: Readonly<Record<string, Row>> = {
  [`GET ${R}/milestones`]: reads,
  [`POST ${R}/milestones`]: changes,
  [`GET ${R}/milestones/:id`]: { ...reads, at: "first" },
  [`PATCH ${R}/milestones/:id`]: { ...changes, at: "first" },
  [`DELETE ${R}/milestones/:id`]: { ...changes, at: "0" },
};
