import type { Row } from "../route-table.ts";

const reads: Row = { surface: "page", who: "anyone", level: "read", at: "<project>" };
const changes: Row = { surface: "page", who: "user", level: "write", notArchived: true, at: "<project>" };
const changesItem: Row = { surface: "page", who: "user", level: "read", notArchived: true };
/** Whose boards they are, and who may, is decided later: the account of the path is olga. */
const ownersRead: Row = { surface: "page", who: "anyone", at: "1" };
const ownersChange: Row = { surface: "page", who: "user", at: "1" };

const subs = [
  "POST /:id/open",
  "POST /:id/close",
  "POST /:id/delete",
  "POST /:id/columns/new",
  "POST /:id/cards/add",
  "POST /:id/cards",
  "POST /:id/move",
  "PUT /:id/:column",
  "POST /:id/:column/edit",
  "DELETE /:id/:column",
  "POST /:id/:column/delete",
  "POST /:id/:column/default",
  "POST /:id/:column/step",
  "POST /:id/:column/move",
  "GET /new",
  "POST /new",
  "GET /:id/edit",
  "POST /:id/edit",
] as const;

const at = (base: string, sub: string) => sub.replace(" ", ` ${base}`);
const R = "/:owner/:repo/projects";
const O = "/:owner/-/projects";
const harmful = { harmful: true } as const;

export const projectRows: Readonly<Record<string, Row>> = {
  [`GET ${R}`]: reads,
  [`GET ${R}/:id`]: reads,
  [`GET ${R}/:id/events`]: reads,
  [`GET ${O}`]: ownersRead,
  [`GET ${O}/:id`]: { ...ownersRead, ...harmful },
  [`GET ${O}/:id/events`]: { ...ownersRead, ...harmful },
  ...Object.fromEntries(subs.map((sub) => [at(R, sub), { ...changes, ...harmful }])),
  ...Object.fromEntries(subs.map((sub) => [at(O, sub), { ...ownersChange, ...harmful }])),
  "POST /:owner/:repo/issues/projects": changesItem,
  "POST /:owner/:repo/issues/projects/column": changesItem,
};
