import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";
const I = `${R}/issues/:index`;

export const readsItems: Row = { surface: "api", who: "anyone", level: "read", scopes: ["issue"] };
/** Whoever reads the repository and has an account; what more it takes depends on the item. */
export const changesItems: Row = { ...readsItems, who: "user", notArchived: true };
const writesItems: Row = { ...changesItems, laterLevel: "write" };
const administersItems: Row = { ...changesItems, laterLevel: "admin" };
const watchesItems: Row = { ...readsItems, who: "user" };
const asksOfRepo: Row = { surface: "api", who: "user", level: "read", scopes: ["repository"] };
const harmful = { harmful: true } as const;

export const issueRows: Readonly<Record<string, Row>> = {
  [`POST ${R}/issues`]: changesItems,
  [`GET ${R}/issues`]: readsItems,
  "GET /api/v1/repos/issues/search": { surface: "api", who: "anyone", scopes: ["issue"] },
  [`GET ${I}`]: readsItems,
  // The item is the owner's: others need to write.
  [`PATCH ${I}`]: writesItems,
  [`DELETE ${I}`]: { ...changesItems, ...harmful },
  [`POST ${I}/deadline`]: writesItems,
  [`GET ${I}/labels`]: readsItems,
  [`POST ${I}/labels`]: writesItems,
  [`PUT ${I}/labels`]: writesItems,
  [`DELETE ${I}/labels`]: writesItems,
  [`DELETE ${I}/labels/:id`]: { ...writesItems, at: "0" },
  [`GET ${R}/assignees`]: asksOfRepo,
  [`GET ${R}/assignees/:assignee`]: { ...asksOfRepo, at: "olga" },
  [`GET ${I}/assignees/:assignee`]: { ...readsItems, at: "olga" },
  [`POST ${I}/assignees`]: writesItems,
  [`DELETE ${I}/assignees`]: writesItems,
  [`PUT ${I}/lock`]: administersItems,
  [`DELETE ${I}/lock`]: administersItems,
  [`GET ${R}/issues/pinned`]: readsItems,
  [`GET ${R}/new_pin_allowed`]: { ...asksOfRepo, who: "anyone" },
  [`POST ${I}/pin`]: administersItems,
  [`DELETE ${I}/pin`]: administersItems,
  [`PATCH ${I}/pin/:position`]: { ...administersItems, at: "1" },
  [`GET ${I}/dependencies`]: readsItems,
  [`POST ${I}/dependencies`]: changesItems,
  [`DELETE ${I}/dependencies`]: changesItems,
  [`GET ${I}/blocks`]: readsItems,
  [`POST ${I}/blocks`]: changesItems,
  [`DELETE ${I}/blocks`]: changesItems,
  [`GET ${I}/subscriptions`]: readsItems,
  [`GET ${I}/subscriptions/check`]: watchesItems,
  [`PUT ${I}/subscriptions/:user`]: { ...watchesItems, at: "olga" },
  [`DELETE ${I}/subscriptions/:user`]: { ...watchesItems, at: "olga" },
};
