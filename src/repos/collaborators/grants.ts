import type { GrantSource } from "../../access/grants.ts";

/** Collaboration, as a source of rights for src/access. */
export const collaboratorGrants: GrantSource = {
  from: "collaborators",
  where: "collaborators.repo_id = repositories.id AND collaborators.user_id = $me",
  unit: "NULL",
  level: "collaborators.level",
};
