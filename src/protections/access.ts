import type { Access } from "../http/route.ts";
import { administersRepo } from "../repos/access.ts";

/** Rules are the business of a repository's administrators, and are neither made nor changed while it is archived. */
export const readRules = administersRepo;
export const changeRules: Access = {
  ...administersRepo,
  subject: { kind: "repository", level: "admin", state: "unarchived" },
};
