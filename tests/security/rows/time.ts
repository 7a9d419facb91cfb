import type { Row } from "../route-table.ts";
import { changesItems } from "./issues.ts";
import { ofBothKinds } from "./talk.ts";

const R = "/api/v1/repos/:owner/:repo";

const readsItem: Row = { surface: "api", who: "user", level: "read", scopes: ["issue"] };
const readsRepo: Row = { ...readsItem, scopes: ["repository"] };
const own: Row = { surface: "api", who: "user", scopes: ["user"], noPublicOnly: true };

const page: Row = { surface: "page", who: "user", level: "read", notArchived: true };

export const timeRows: Readonly<Record<string, Row>> = {
  [`POST ${R}/issues/:index/stopwatch/start`]: changesItems,
  [`POST ${R}/issues/:index/stopwatch/stop`]: changesItems,
  [`DELETE ${R}/issues/:index/stopwatch/delete`]: changesItems,
  "GET /api/v1/user/stopwatches": own,
  "GET /user/stopwatches": { surface: "page", who: "user" },
  [`GET ${R}/issues/:index/times`]: readsItem,
  [`POST ${R}/issues/:index/times`]: changesItems,
  [`DELETE ${R}/issues/:index/times`]: changesItems,
  [`DELETE ${R}/issues/:index/times/:id`]: { ...changesItems, at: "0" },
  [`GET ${R}/times`]: readsRepo,
  [`GET ${R}/times/:user`]: { ...readsRepo, at: "olga" },
  "GET /api/v1/user/times": own,
  ...ofBothKinds({
    "POST /:owner/:repo/issues/:index/times/add": page,
    "POST /:owner/:repo/issues/:index/times/stopwatch/start": page,
    "POST /:owner/:repo/issues/:index/times/stopwatch/stop": page,
    "POST /:owner/:repo/issues/:index/times/stopwatch/cancel": page,
    "POST /:owner/:repo/issues/:index/times/:id/delete": { ...page, at: "0" },
    "POST /:owner/:repo/issues/:index/time_estimate": page,
  }),
};
