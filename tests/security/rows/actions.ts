import type { Row } from "../route-table.ts";

const ownsRepo: Row = { surface: "api", who: "user", level: "owner", scopes: ["repository"] };
const ownerOfIt: Row = { surface: "api", who: "user", scopes: ["organization"], organization: "owner" };
const own: Row = { surface: "api", who: "user", scopes: ["user"], noPublicOnly: true };
const repoAdminPage: Row = { surface: "page", who: "user", level: "admin" };
const ownerPage: Row = { surface: "page", who: "user", organization: "owner" };
const ownPage: Row = { surface: "page", who: "user" };
const adminPage: Row = { surface: "page", who: "admin" };

function rest(path: string, row: Row): Record<string, Row> {
  const variable = { ...row, at: "SAMPLE" };
  return {
    [`POST ${path}/variables/:variablename`]: variable,
    [`GET ${path}/variables`]: row,
    [`GET ${path}/variables/:variablename`]: variable,
    [`PUT ${path}/variables/:variablename`]: variable,
    [`DELETE ${path}/variables/:variablename`]: { ...row, at: "MISSING" },
    [`PUT ${path}/secrets/:secretname`]: variable,
    [`DELETE ${path}/secrets/:secretname`]: { ...row, at: "MISSING" },
  };
}

function secretPages(path: string, row: Row): Record<string, Row> {
  return {
    [`GET ${path}/secrets`]: row,
    [`POST ${path}/secrets`]: row,
    [`POST ${path}/secrets/delete`]: row,
  };
}

function variablePages(path: string, row: Row): Record<string, Row> {
  const none = { ...row, at: "0" };
  return {
    [`GET ${path}/variables`]: row,
    [`POST ${path}/variables/new`]: row,
    [`GET ${path}/variables/:id/edit`]: none,
    [`POST ${path}/variables/:id/edit`]: none,
    [`POST ${path}/variables/:id/delete`]: none,
  };
}

const R = "/api/v1/repos/:owner/:repo/actions";
const O = "/api/v1/orgs/:org/actions";
const P = "settings/actions";

export const actionsRows: Readonly<Record<string, Row>> = {
  ...rest(R, ownsRepo),
  [`GET ${R}/secrets`]: ownsRepo,
  ...rest(O, ownerOfIt),
  [`GET ${O}/secrets`]: ownerOfIt,
  ...rest("/api/v1/user/actions", own),
  ...secretPages(`/:owner/:repo/${P}`, repoAdminPage),
  ...variablePages(`/:owner/:repo/${P}`, repoAdminPage),
  ...secretPages(`/org/:org/${P}`, ownerPage),
  ...variablePages(`/org/:org/${P}`, ownerPage),
  ...secretPages(`/user/${P}`, ownPage),
  ...variablePages(`/user/${P}`, ownPage),
  ...variablePages("/-/admin/actions", adminPage),
};
