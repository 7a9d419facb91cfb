import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";
const administers: Row = { surface: "api", who: "user", level: "admin", scopes: ["repository"] };
const changes: Row = { ...administers, notArchived: true };

export const mirrorRows: Readonly<Record<string, Row>> = {
  "POST /api/v1/repos/migrate": { surface: "api", who: "user", scopes: ["repository"], noPublicOnly: true },
  [`POST ${R}/mirror-sync`]: { surface: "api", who: "user", level: "write", scopes: ["repository"], notArchived: true },
  [`GET ${R}/push_mirrors`]: administers,
  [`POST ${R}/push_mirrors`]: changes,
  [`GET ${R}/push_mirrors/:name`]: { ...administers, at: "remote_mirror_none" },
  [`DELETE ${R}/push_mirrors/:name`]: { ...changes, at: "remote_mirror_none" },
  [`POST ${R}/push_mirrors-sync`]: changes,
};
