import type { Row } from "../route-table.ts";
import { changesItems, readsItems } from "./issues.ts";

const comment = { at: "<comment>" } as const;
const file: Row = { surface: "bytes", who: "anyone", level: "read", scopes: ["issue"], at: "<uuid>" };
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
  [`POST ${I}/:index/reactions`]: changesItems,
  [`GET ${I}/:index/reactions`]: readsItems,
  [`DELETE ${I}/:index/reactions`]: changesItems,
  [`POST ${I}/comments/:id/reactions`]: { ...changesItems, ...comment },
  [`GET ${I}/comments/:id/reactions`]: { ...readsItems, ...comment },
  [`DELETE ${I}/comments/:id/reactions`]: { ...changesItems, ...comment },
  [`POST ${I}/:index/assets`]: changesItems,
  [`GET ${I}/:index/assets`]: readsItems,
  [`GET ${I}/:index/assets/:attachment_id`]: readsItems,
  [`PATCH ${I}/:index/assets/:attachment_id`]: changesItems,
  [`DELETE ${I}/:index/assets/:attachment_id`]: { ...changesItems, harmful: true },
  [`POST ${I}/comments/:id/assets`]: { ...changesItems, ...comment },
  [`GET ${I}/comments/:id/assets`]: { ...readsItems, ...comment },
  [`GET ${I}/comments/:id/assets/:attachment_id`]: { ...readsItems, ...comment },
  [`PATCH ${I}/comments/:id/assets/:attachment_id`]: { ...changesItems, ...comment },
  [`DELETE ${I}/comments/:id/assets/:attachment_id`]: { ...changesItems, ...comment, harmful: true },
  "GET /attachments/:uuid": { surface: "bytes", who: "anyone", scopes: ["issue"], at: "<uuid>" },
  "GET /:owner/:repo/attachments/:uuid": file,
  "GET /:owner/:repo/issues/:index/attachments/:uuid": file,
};
