import type { Row } from "../route-table.ts";

const own: Row = { surface: "api", who: "user", scopes: ["user"], noPublicOnly: true };
const ofOrganization: Row = { surface: "api", who: "user", scopes: ["organization"], organization: "owner" };
const siteAdmin: Row = { surface: "api", who: "admin", scopes: ["admin"], noPublicOnly: true };
/** The rule and the group of that name. */
const named: Row = { ...siteAdmin, at: "small" };
const undone: Row = { ...named, harmful: true };

const adminPage: Row = { surface: "page", who: "admin" };
const namedPage: Row = { ...adminPage, at: "small" };
const P = "/-/admin/quotas";

const A = "/api/v1/admin";
const Q = `${A}/quota`;

export const quotaRows: Readonly<Record<string, Row>> = {
  "GET /api/v1/user/quota": own,
  "GET /api/v1/user/quota/check": { ...own, query: "?subject=size:all" },
  "GET /api/v1/user/quota/attachments": own,
  "GET /api/v1/user/quota/artifacts": own,
  "GET /api/v1/user/quota/packages": own,
  "GET /api/v1/orgs/:org/quota": ofOrganization,
  "GET /api/v1/orgs/:org/quota/check": { ...ofOrganization, query: "?subject=size:all" },
  "GET /api/v1/orgs/:org/quota/attachments": ofOrganization,
  "GET /api/v1/orgs/:org/quota/artifacts": ofOrganization,
  "GET /api/v1/orgs/:org/quota/packages": ofOrganization,
  [`GET ${A}/users/:username/quota`]: siteAdmin,
  [`POST ${A}/users/:username/quota/groups`]: siteAdmin,
  [`GET ${Q}/rules`]: siteAdmin,
  [`POST ${Q}/rules`]: siteAdmin,
  [`GET ${Q}/rules/:quotarule`]: named,
  [`PATCH ${Q}/rules/:quotarule`]: named,
  [`DELETE ${Q}/rules/:quotarule`]: undone,
  [`GET ${Q}/groups`]: siteAdmin,
  [`POST ${Q}/groups`]: siteAdmin,
  [`GET ${Q}/groups/:quotagroup`]: named,
  [`DELETE ${Q}/groups/:quotagroup`]: undone,
  [`PUT ${Q}/groups/:quotagroup/rules/:quotarule`]: undone,
  [`DELETE ${Q}/groups/:quotagroup/rules/:quotarule`]: undone,
  [`GET ${Q}/groups/:quotagroup/users`]: named,
  [`PUT ${Q}/groups/:quotagroup/users/:username`]: undone,
  [`DELETE ${Q}/groups/:quotagroup/users/:username`]: undone,
  "GET /user/settings/storage_overview": { surface: "page", who: "user" },
  "GET /org/:org/settings/storage_overview": { surface: "page", who: "user", organization: "owner" },
  [`GET ${P}`]: adminPage,
  [`POST ${P}/rules`]: adminPage,
  [`POST ${P}/rules/delete`]: adminPage,
  [`POST ${P}/groups`]: adminPage,
  [`POST ${P}/groups/delete`]: adminPage,
  [`GET ${P}/groups/:quotagroup`]: namedPage,
  [`POST ${P}/groups/:quotagroup/rules`]: namedPage,
  [`POST ${P}/groups/:quotagroup/members`]: namedPage,
};
