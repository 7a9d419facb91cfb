import type { Access } from "../http/route.ts";
import type { RepoNeeds } from "../repos/subject.ts";

/**
 * Who may do what with the content of a repository: one declaration an operation, for REST and pages alike. Branches and
 * tags can be changed unless the repository is archived; files, unless it is archived or a mirror (contract
 * git-content.md 1 and 4.1).
 */

const onCode = (who: Access["who"], needs: Omit<RepoNeeds, "unit">): Access => ({
  who,
  subject: { kind: "repository", unit: "code", ...needs },
  scopes: ["repository"],
  publicOnly: "filtered",
});

export const readCode = onCode("anyone", { level: "read" });
/** The bytes of files, outside the API: no one acts as another there. */
export const readBytes: Access = { ...readCode, sudo: false };

const changeRefs = onCode("user", { level: "write", state: "own" });

export const createBranch = changeRefs;
export const moveBranch = changeRefs;
/** The default branch is for administrators: the service decides that. */
export const renameBranch = changeRefs;
export const deleteBranch = changeRefs;
export const createTag = changeRefs;
export const deleteTag = changeRefs;

/** Whoever reads comes this far; who may write is decided by the branch, before the body is read. */
export const editFiles = onCode("user", { level: "read", state: "editable" });

/** What the forms send: for who may only read it does not exist. */
export const openEditor = onCode("user", { level: "write", state: "editable" });
