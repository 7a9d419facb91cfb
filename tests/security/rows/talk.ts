import type { Row } from "../route-table.ts";
import { changesItems, readsItems } from "./issues.ts";

const comment = { at: "<comment>" } as const;
const file: Row = { surface: "bytes", who: "anyone", level: "read", at: "<uuid>" };
const showsPage: Row = { surface: "page", who: "anyone", level: "read", scopes: ["issue"] };
const usesPage: Row = { ...showsPage, who: "user" };
const changesPage: Row = { ...usesPage, notArchived: true };
const P = "/:owner/:repo/issues/:index";
const I = "/api/v1/repos/:owner/:repo/issues";

/** The same row for the other address of an item: that of pull requests. */
export const ofBothKinds = (rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> => ({
  ...rows,
  ...Object.fromEntries(Object.entries(rows).map(([route, row]) => [route.replace("/issues/", "/pulls/"), row])),
});

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
  [`GET ${P}`]: showsPage,
  [`GET ${P}/-/events`]: showsPage,
  [`POST ${P}/comments`]: changesPage,
  ...ofBothKinds({
    [`GET ${P}/info`]: showsPage,
    [`GET ${P}/attachments`]: showsPage,
    [`GET ${P}/history`]: showsPage,
    [`GET ${P}/content-history/overview`]: showsPage,
    [`GET ${P}/content-history/list`]: showsPage,
    [`GET ${P}/content-history/detail`]: { ...showsPage, query: "?history_id=1" },
    [`GET ${P}/edit`]: changesPage,
    ...Object.fromEntries(
      ["title", "labels", "assignees", "milestone", "deadline", "ref", "lock", "unlock", "pin"]
        .concat(["content", "tasks", "reactions/react", "reactions/unreact", "dependency/add", "dependency/delete"])
        .concat(["content-history/soft-delete"])
        .map((sub) => [`POST ${P}/${sub}`, changesPage]),
    ),
    [`POST ${P}/delete`]: { ...changesPage, harmful: true },
    [`POST ${P}/watch`]: usesPage,
  }),
  "GET /:owner/:repo/comments/:id/attachments": { ...showsPage, ...comment },
  "POST /:owner/:repo/issues/move_pin": { ...changesPage, level: "admin" },
  "DELETE /:owner/:repo/issues/unpin/:index": { ...changesPage, level: "admin" },
  "GET /:owner/:repo/comments/:id/edit": { ...changesPage, ...comment },
  "POST /:owner/:repo/comments/:id": { ...changesPage, ...comment },
  "POST /:owner/:repo/comments/:id/tasks": { ...changesPage, ...comment },
  "POST /:owner/:repo/comments/:id/reactions/react": { ...changesPage, ...comment },
  "POST /:owner/:repo/comments/:id/reactions/unreact": { ...changesPage, ...comment },
  "POST /:owner/:repo/comments/:id/delete": { ...changesPage, ...comment, harmful: true },
  "GET /:owner/:repo/issues/suggestions": showsPage,
  "GET /:owner/:repo/issues/new": changesPage,
  "POST /:owner/:repo/issues/new": changesPage,
  "POST /:owner/:repo/issues/preview": usesPage,
  "POST /:owner/:repo/issues/attachments": changesPage,
  "POST /:owner/:repo/issues/attachments/remove": changesPage,
  "GET /attachments/:uuid": { surface: "bytes", who: "anyone", at: "<uuid>" },
  "GET /:owner/:repo/attachments/:uuid": file,
  "GET /:owner/:repo/issues/:index/attachments/:uuid": file,
};
