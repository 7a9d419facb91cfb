import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";
const administers: Row = { surface: "api", who: "user", level: "admin", scopes: ["repository"] };
const changes: Row = { ...administers, notArchived: true };
const administersPage: Row = { surface: "page", who: "user", level: "admin" };

export const mirrorRows: Readonly<Record<string, Row>> = {
  "POST /api/v1/repos/migrate": { surface: "api", who: "user", scopes: ["repository"], noPublicOnly: true },
  [`POST ${R}/mirror-sync`]: { surface: "api", who: "user", level: "write", scopes: ["repository"], notArchived: true },
  [`GET ${R}/push_mirrors`]: administers,
  [`POST ${R}/push_mirrors`]: changes,
  [`GET ${R}/push_mirrors/:name`]: { ...administers, at: "remote_mirror_none" },
  [`DELETE ${R}/push_mirrors/:name`]: { ...changes, at: "remote_mirror_none" },
  [`POST ${R}/push_mirrors-sync`]: changes,
  "GET /repo/migrate": { surface: "page", who: "user" },
  "POST /repo/migrate": { surface: "page", who: "user" },
  "GET /:owner/:repo/-/migrate/status": { surface: "page", who: "anyone", level: "read" },
  "POST /:owner/:repo/settings/migrate/retry": administersPage,
  "POST /:owner/:repo/settings/migrate/cancel": administersPage,
  "GET /:owner/:repo/settings/mirrors": administersPage,
};
