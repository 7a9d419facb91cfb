import type { Row } from "../route-table.ts";

const ownsRepo: Row = { surface: "api", who: "user", level: "owner", scopes: ["repository"] };
const ownerOfIt: Row = { surface: "api", who: "user", scopes: ["organization"], organization: "owner" };
const own: Row = { surface: "api", who: "user", scopes: ["user"], noPublicOnly: true };
const repoAdminPage: Row = { surface: "page", who: "user", level: "admin" };
const ownerPage: Row = { surface: "page", who: "user", organization: "owner" };
const ownPage: Row = { surface: "page", who: "user" };
const siteAdmin: Row = { surface: "api", who: "admin", scopes: ["admin"], noPublicOnly: true };
const open: Row = { surface: "open", who: "anyone" };
const adminPage: Row = { surface: "page", who: "admin" };

/** A number that nothing has. */
const NONE = "0";

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

function runners(path: string, row: Row): Record<string, Row> {
  const none = { ...row, at: NONE };
  return {
    [`POST ${path}/runners/registration-token`]: row,
    [`GET ${path}/runners`]: row,
    [`GET ${path}/runners/:runner_id`]: none,
    [`PATCH ${path}/runners/:runner_id`]: none,
    [`DELETE ${path}/runners/:runner_id`]: none,
  };
}

function runnerPages(path: string, row: Row): Record<string, Row> {
  const none = { ...row, at: NONE };
  return {
    [`GET ${path}/runners`]: row,
    [`POST ${path}/runners/reset_registration_token`]: row,
    [`POST ${path}/runners/:id/update-runner`]: none,
    [`POST ${path}/runners/:id/delete`]: none,
  };
}

const generalPages = (path: string, row: Row): Record<string, Row> => ({
  [`GET ${path}`]: row,
  [`GET ${path}/general`]: row,
  [`POST ${path}/general/token_permissions`]: row,
});
function secretPages(path: string, row: Row): Record<string, Row> {
  return {
    [`GET ${path}/secrets`]: row,
    [`POST ${path}/secrets`]: row,
    [`POST ${path}/secrets/delete`]: row,
  };
}

function variablePages(path: string, row: Row): Record<string, Row> {
  const none = { ...row, at: NONE };
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
  ...runners(R, ownsRepo),
  ...runners(O, ownerOfIt),
  ...runners("/api/v1/user/actions", own),
  ...runners("/api/v1/admin/actions", siteAdmin),
  // Whoever holds it lets in runners, which are given secrets.
  [`GET ${R}/runners/registration-token`]: { ...ownsRepo, writeScope: true },
  [`GET ${O}/runners/registration-token`]: { ...ownerOfIt, writeScope: true },
  "GET /api/v1/user/actions/runners/registration-token": { ...own, writeScope: true },
  "GET /api/v1/admin/actions/runners/registration-token": { ...siteAdmin, writeScope: true },
  "GET /api/v1/admin/runners/registration-token": { ...siteAdmin, writeScope: true },
  "POST /api/v1/admin/runners/registration-token": siteAdmin,
  "POST /api/actions/ping.v1.PingService/Ping": open,
  "POST /api/actions/runner.v1.RunnerService/Register": open,
  "POST /api/actions/runner.v1.RunnerService/Declare": open,
  "POST /api/actions/runner.v1.RunnerService/FetchTask": open,
  "POST /api/actions/runner.v1.RunnerService/UpdateTask": open,
  "POST /api/actions/runner.v1.RunnerService/UpdateLog": open,
  ...runnerPages(`/:owner/:repo/${P}`, repoAdminPage),
  ...runnerPages(`/org/:org/${P}`, ownerPage),
  ...runnerPages(`/user/${P}`, ownPage),
  ...runnerPages("/-/admin/actions", adminPage),
  ...secretPages(`/:owner/:repo/${P}`, repoAdminPage),
  ...variablePages(`/:owner/:repo/${P}`, repoAdminPage),
  ...secretPages(`/org/:org/${P}`, ownerPage),
  ...variablePages(`/org/:org/${P}`, ownerPage),
  ...secretPages(`/user/${P}`, ownPage),
  ...variablePages(`/user/${P}`, ownPage),
  ...variablePages("/-/admin/actions", adminPage),
  ...generalPages(`/:owner/:repo/${P}`, repoAdminPage),
  [`POST /:owner/:repo/${P}/general/actions_unit`]: { ...repoAdminPage, harmful: true },
  [`POST /:owner/:repo/${P}/general/collaborative_owner/add`]: repoAdminPage,
  [`POST /:owner/:repo/${P}/general/collaborative_owner/delete`]: repoAdminPage,
  ...generalPages(`/org/:org/${P}`, ownerPage),
  ...generalPages(`/user/${P}`, ownPage),
};
