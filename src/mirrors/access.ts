import type { Access } from "../http/route.ts";
import { administersRepo } from "../repos/access.ts";

/** Who may do what with mirrors: one declaration for each, for REST and pages alike. */

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
