import type { Row } from "../route-table.ts";

const own: Row = { surface: "api", who: "user", scopes: ["notification"], noPublicOnly: true };
const ownOfRepo: Row = { surface: "api", who: "user", scopes: ["notification"], level: "read" };
const ownPage: Row = { surface: "page", who: "user" };
const R = "/api/v1/repos/:owner/:repo";

export const notificationRows: Readonly<Record<string, Row>> = {
  "GET /notifications": ownPage,
  "GET /notifications/new": ownPage,
  "GET /notifications/watching": ownPage,
  "GET /notifications/subscriptions": ownPage,
  "GET /user/settings/notifications": ownPage,
  "POST /user/settings/notifications/email": ownPage,
  "POST /user/settings/notifications/actions": ownPage,
  "POST /notifications/status": ownPage,
  "POST /notifications/purge": ownPage,
  "GET /user/events": ownPage,
  "GET /api/v1/notifications": own,
  "PUT /api/v1/notifications": own,
  "GET /api/v1/notifications/new": own,
  "GET /api/v1/notifications/threads/:id": { ...own, at: "1" },
  "PATCH /api/v1/notifications/threads/:id": { ...own, at: "1" },
  [`GET ${R}/notifications`]: ownOfRepo,
  [`PUT ${R}/notifications`]: ownOfRepo,
};
