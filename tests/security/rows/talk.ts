import type { Row } from "../route-table.ts";
import { changesItems, readsItems } from "./issues.ts";

const comment = { at: "<comment>" } as const;
const I = "/api/v1/repos/:owner/:repo/issues";

/** What is said under items; `:id` is the number of a comment that the repository has. */
export const talkRows: Readonly<Record<string, Row>> = {
  [`POST ${I}/:index/comments`]: changesItems,
  [`GET ${I}/:index/comments`]: readsItems,
  [`GET ${I}/comments`]: readsItems,
  [`GET ${I}/comments/:id`]: { ...readsItems, ...comment },
  [`PATCH ${I}/comments/:id`]: { ...changesItems, ...comment },
  [`DELETE ${I}/comments/:id`]: { ...changesItems, ...comment, harmful: true },
  [`PATCH ${I}/:index/comments/:id`]: { ...changesItems, ...comment },
  [`DELETE ${I}/:index/comments/:id`]: { ...changesItems, ...comment, harmful: true },
  [`GET ${I}/:index/timeline`]: readsItems,
};
