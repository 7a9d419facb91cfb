import type { Row } from "../route-table.ts";

const administers: Row = { surface: "api", who: "user", level: "admin", scopes: ["repository"] };
const ownerOfIt: Row = { surface: "api", who: "user", scopes: ["organization"], organization: "owner" };
const own: Row = { surface: "api", who: "user", scopes: ["user"], noPublicOnly: true };
const siteAdmin: Row = { surface: "api", who: "admin", scopes: ["admin"], noPublicOnly: true };
const repoAdminPage: Row = { surface: "page", who: "user", level: "admin" };
const ownerPage: Row = { surface: "page", who: "user", organization: "owner" };
const ownPage: Row = { surface: "page", who: "user" };
const adminPage: Row = { surface: "page", who: "admin" };

const R = "/api/v1/repos/:owner/:repo/hooks";

function rest(path: string, row: Row, at: string): Record<string, Row> {
  return {
    [`GET ${path}`]: row,
    [`POST ${path}`]: row,
    [`GET ${path}/:id`]: { ...row, at },
    [`PATCH ${path}/:id`]: { ...row, at: "0" },
    [`DELETE ${path}/:id`]: { ...row, at: "0" },
  };
}

function pages(path: string, row: Row, at: string): Record<string, Row> {
  return {
    [`GET ${path}`]: row,
    [`GET ${path}/:id`]: { ...row, at },
    [`POST ${path}/:id/:hook`]: { ...row, at: "0" },
    [`POST ${path}/delete`]: row,
    [`POST ${path}/:id/replay/:uuid`]: { ...row, at: "0" },
  };
}

function newPages(path: string, row: Row): Record<string, Row> {
  return {
    [`GET ${path}/:id/new`]: { ...row, at: "gitea" },
    [`POST ${path}/:id/new`]: { ...row, at: "gitea" },
  };
}

export const webhookRows: Readonly<Record<string, Row>> = {
  ...rest(R, administers, "<hook>"),
  [`POST ${R}/:id/tests`]: { ...administers, at: "<hook>" },
  ...rest("/api/v1/orgs/:org/hooks", ownerOfIt, "0"),
  ...rest("/api/v1/user/hooks", own, "0"),
  ...rest("/api/v1/admin/hooks", siteAdmin, "0"),
  ...pages("/:owner/:repo/settings/hooks", repoAdminPage, "<hook>"),
  ...newPages("/:owner/:repo/settings/hooks", repoAdminPage),
  "POST /:owner/:repo/settings/hooks/:id/test": { ...repoAdminPage, at: "<hook>" },
  ...pages("/org/:org/settings/hooks", ownerPage, "0"),
  ...newPages("/org/:org/settings/hooks", ownerPage),
  ...pages("/user/settings/hooks", ownPage, "0"),
  ...newPages("/user/settings/hooks", ownPage),
  ...pages("/-/admin/hooks", adminPage, "0"),
  ...newPages("/-/admin/system-hooks", adminPage),
  ...newPages("/-/admin/default-hooks", adminPage),
};
