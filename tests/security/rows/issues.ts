import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";

export const readsItems: Row = { surface: "api", who: "anyone", level: "read", scopes: ["issue"] };
/** Whoever reads the repository and has an account; what more it takes depends on the item. */
export const changesItems: Row = { ...readsItems, who: "user", notArchived: true };

export const issueRows: Readonly<Record<string, Row>> = {
  [`POST ${R}/issues`]: changesItems,
  [`GET ${R}/issues/:index`]: readsItems,
};
