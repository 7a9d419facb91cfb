import type { Access } from "../http/route.ts";
import { administersRepo } from "../repos/access.ts";

/** Who sees what a repository stores as large files, and who changes it: not in an archive. */
export const administersLfs: Access = administersRepo;
export const changesLfs: Access = {
  ...administersRepo,
  subject: { kind: "repository", level: "admin", state: "unarchived" },
};
