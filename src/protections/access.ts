import type { Access } from "../http/route.ts";
import { administersRepo } from "../repos/access.ts";

/** Rules are managed by a repository's administrators, and cannot be changed while it is archived. */
export const readRules = administersRepo;
export const changeRules: Access = {
  ...administersRepo,
  subject: { kind: "repository", level: "admin", state: "unarchived" },
};
