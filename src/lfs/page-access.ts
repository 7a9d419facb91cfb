import type { Access } from "../http/route.ts";
import { administersRepo } from "../repos/access.ts";

/** Who may see and change what a repository stores as large files; archived repositories cannot be changed. */
export const administersLfs: Access = administersRepo;
export const changesLfs: Access = {
  ...administersRepo,
  subject: { kind: "repository", level: "admin", state: "unarchived" },
};
