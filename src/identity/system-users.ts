import type { User } from "../access/user.ts";

/** Accounts that own nothing, appear in no list and cannot sign in (contract identity.md 8.1). */
function systemUser(id: number, login: string, fullName: string, email: string): User {
  return {
    id,
    login,
    kind: "reserved",
    fullName,
    email,
    hideEmail: email === "",
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

/** Stands in as the author of what deleted accounts left behind. */
export const ghost: User = systemUser(-1, "Ghost", "", "");

/** Acts for running workflows; it has a row (migration 58), since it writes issues, comments and statuses. */
export const actionsUser: User = systemUser(-2, "gitea-actions", "Gitea Actions", "teabot@gitea.io");

export function systemUserById(id: number): User | undefined {
  return [ghost, actionsUser].find((user) => user.id === id);
}
