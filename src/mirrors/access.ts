import type { Access } from "../http/route.ts";
import { administersRepo } from "../repos/access.ts";

/** Access declarations for mirrors, shared by REST and pages. */

export const syncsMirror: Access = {
  who: "user",
  subject: { kind: "repository", unit: "code", level: "write", state: "unarchived" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
export const readsPushMirrors = administersRepo;
export const changesPushMirrors: Access = {
  ...administersRepo,
  subject: { kind: "repository", level: "admin", state: "unarchived" },
};
