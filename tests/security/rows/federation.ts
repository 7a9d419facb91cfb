import type { Row } from "../route-table.ts";

const actor: Row = { surface: "api", who: "anyone", scopes: ["activitypub"] };
const F = "/api/v1/activitypub";
/** The first account that is no system's, and the first repository. */
const one: Row = { ...actor, at: "1" };
const olga: Row = { ...actor, username: "olga" };

/** Who is signed by no one is refused by the handler. */
export const federationRows: Readonly<Record<string, Row>> = {
  "GET /.well-known/webfinger": { surface: "open", who: "anyone", query: "?resource=mailto:olga@example.org" },
  [`GET ${F}/actor`]: actor,
  [`GET ${F}/actor/outbox`]: actor,
  [`POST ${F}/actor/inbox`]: actor,
  [`GET ${F}/user-id/:user-id`]: one,
  [`GET ${F}/user-id/:user-id/outbox`]: one,
  [`POST ${F}/user-id/:user-id/inbox`]: one,
  [`GET ${F}/user/:username`]: olga,
  [`POST ${F}/user/:username/inbox`]: olga,
  [`GET ${F}/repository-id/:repository-id`]: one,
  [`GET ${F}/repository-id/:repository-id/outbox`]: one,
  [`POST ${F}/repository-id/:repository-id/inbox`]: one,
};
