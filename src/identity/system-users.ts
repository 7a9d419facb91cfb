import type { User } from "../access/user.ts";

/** Accounts without a row (contract identity.md 8.1): they own nothing and no one signs in as one. */
function systemUser(id: number, login: string, fullName: string): User {
  return {
    id,
    login,
    kind: "reserved",
    fullName,
    email: "",
    hideEmail: true,
    hideActivity: true,
    hasPassword: false,
    mustChangePassword: false,
    isAdmin: false,
    isActive: true,
    isRestricted: false,
    prohibitLogin: false,
    visibility: "public",
    language: "",
    theme: "",
    diffViewStyle: "",
    website: "",
    location: "",
    description: "",
    pronouns: "",
    avatar: "",
    sourceId: 0,
    loginName: "",
    allowGitHook: false,
    allowImportLocal: false,
    allowCreateOrganization: false,
    maxRepoCreation: 0,
    lastLoginAt: undefined,
    createdAt: 0,
    updatedAt: 0,
  };
}

/** Stands for the authors of what deleted accounts left. */
export const ghost: User = systemUser(-1, "Ghost", "");

/** Acts for running workflows. */
export const actionsUser: User = systemUser(-2, "gitea-actions", "Gitea Actions");

export function systemUserById(id: number): User | undefined {
  return [ghost, actionsUser].find((user) => user.id === id);
}
