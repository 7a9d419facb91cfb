import type { Row } from "../route-table.ts";

const P = "/:owner/:repo";
const repoPage: Row = { surface: "page", who: "anyone", level: "read" };
const readsPage: Row = { surface: "page", who: "user", level: "read" };
const changesPage: Row = { ...readsPage, notArchived: true };
const administersPage: Row = { surface: "page", who: "user", level: "admin" };
const ownPage: Row = { surface: "page", who: "user" };

/** Pages with lists of items; what a form changes is decided for each item it names. */
export const issueListRows: Readonly<Record<string, Row>> = {
  [`GET ${P}/issues`]: repoPage,
  [`GET ${P}/pulls`]: repoPage,
  [`GET ${P}/issues/search`]: repoPage,
  [`GET ${P}/issues/posters`]: repoPage,
  [`GET ${P}/pulls/posters`]: repoPage,
  "GET /issues/search": ownPage,
  "GET /issues": ownPage,
  "GET /pulls": ownPage,
  [`POST ${P}/issues/labels`]: changesPage,
  [`POST ${P}/issues/milestone`]: changesPage,
  [`POST ${P}/issues/assignee`]: changesPage,
  [`POST ${P}/issues/status`]: changesPage,
  [`POST ${P}/issues/delete`]: { ...administersPage, notArchived: true },
  [`GET ${P}/settings/issues`]: administersPage,
  [`POST ${P}/settings/issues`]: { ...administersPage, harmful: true },
  [`GET ${P}/settings/deleted-issues`]: administersPage,
  [`POST ${P}/settings/deleted-issues/purge`]: administersPage,
  [`POST ${P}/issues/restore`]: changesPage,
  [`POST ${P}/issues/searches`]: readsPage,
  [`POST ${P}/issues/searches/delete`]: readsPage,
  [`POST ${P}/pulls/searches`]: readsPage,
  [`POST ${P}/pulls/searches/delete`]: readsPage,
  "POST /issues/searches": ownPage,
  "POST /issues/searches/delete": ownPage,
  "POST /pulls/searches": ownPage,
  "POST /pulls/searches/delete": ownPage,
};
