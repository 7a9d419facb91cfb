import type { GrantSource } from "../../access/grants.ts";

/** Collaborations as a grant source for src/access. */
export const collaboratorGrants: GrantSource = {
  from: "collaborators",
  where: "collaborators.repo_id = repositories.id AND collaborators.user_id = $me",
  unit: "NULL",
  level: "collaborators.level",
};
