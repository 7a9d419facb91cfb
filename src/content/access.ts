import type { Access } from "../http/route.ts";
import type { RepoNeeds } from "../repos/subject.ts";

/**
 * Access to the content of a repository: one declaration per operation, for REST and pages alike. Branches and tags can
 * be changed unless the repository is archived; files, unless it is archived or a mirror (contract git-content.md 1 and
 * 4.1).
 */

const onCode = (who: Access["who"], needs: Omit<RepoNeeds, "unit">): Access => ({
  who,
  subject: { kind: "repository", unit: "code", ...needs },
  scopes: ["repository"],
  publicOnly: "filtered",
});

export const readCode = onCode("anyone", { level: "read" });
/** The bytes of files, outside the API: without sudo. */
export const readBytes: Access = { ...readCode, sudo: false };

const changeRefs = onCode("user", { level: "write", state: "own" });

export const createBranch = changeRefs;
export const moveBranch = changeRefs;
/** Only administrators may change the default branch: the service decides that. */
export const renameBranch = changeRefs;
export const deleteBranch = changeRefs;
export const createTag = changeRefs;
export const deleteTag = changeRefs;

/** Readers are admitted; the branch decides who may write, before the body is read. */
export const editFiles = onCode("user", { level: "read", state: "editable" });

/** Form submissions: for readers without write access they don't exist. */
export const openEditor = onCode("user", { level: "write", state: "editable" });
