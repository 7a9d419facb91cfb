import type { Row } from "../route-table.ts";

const L = "/:owner/:repo/info/lfs";

const reads: Row = { surface: "lfs", who: "anyone", lfs: "read", at: "dummy" };
const writes: Row = { ...reads, lfs: "write" };

const seesPage: Row = { surface: "page", who: "user", level: "admin", at: "dummy" };
const changesPage: Row = { ...seesPage, notArchived: true };

export const lfsRows: Readonly<Record<string, Row>> = {
  [`POST ${L}/objects/batch`]: reads,
  [`PUT ${L}/objects/:oid/:rest`]: writes,
  [`GET ${L}/objects/:oid`]: reads,
  [`GET ${L}/objects/:oid/:rest`]: reads,
  [`POST ${L}/verify`]: writes,
  [`POST ${L}/locks`]: writes,
  [`GET ${L}/locks`]: { ...reads, lfs: "locks" },
  [`POST ${L}/locks/verify`]: writes,
  [`POST ${L}/locks/:id/unlock`]: writes,
  "GET /:owner/:repo/settings/lfs": seesPage,
  "GET /:owner/:repo/settings/lfs/show/:oid": seesPage,
  "POST /:owner/:repo/settings/lfs/delete/:oid": changesPage,
  "GET /:owner/:repo/settings/lfs/pointers": seesPage,
  "POST /:owner/:repo/settings/lfs/pointers/associate": changesPage,
  "POST /:owner/:repo/settings/lfs/cleanup": changesPage,
  "GET /:owner/:repo/settings/lfs/find": { ...seesPage, query: `?oid=${"a".repeat(64)}` },
  "GET /:owner/:repo/settings/lfs/locks": seesPage,
  "POST /:owner/:repo/settings/lfs/locks": changesPage,
  "POST /:owner/:repo/settings/lfs/locks/:id/unlock": changesPage,
};
