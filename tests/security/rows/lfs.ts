import type { Row } from "../route-table.ts";

const L = "/:owner/:repo/info/lfs";

const reads: Row = { surface: "lfs", who: "anyone", lfs: "read", at: "dummy" };
const writes: Row = { ...reads, lfs: "write" };

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
};
