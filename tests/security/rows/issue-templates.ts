import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["repository"] };

export const issueTemplateRows: Readonly<Record<string, Row>> = {
  [`GET ${R}/issue_templates`]: reads,
  [`GET ${R}/issue_config`]: reads,
  [`GET ${R}/issue_config/validate`]: reads,
  "GET /:owner/:repo/issues/new/choose": { surface: "page", who: "user", level: "read", notArchived: true },
};
