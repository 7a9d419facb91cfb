import type { Visibility } from "./levels.ts";

export type UserKind = "individual" | "organization" | "bot" | "reserved";

/** An account as the services know it. Never shown directly: resource.ts decides what each viewer sees of it. */
export interface User {
  readonly id: number;
  readonly login: string;
  readonly kind: UserKind;
  readonly fullName: string;
  readonly email: string;
  readonly hideEmail: boolean;
  readonly hideActivity: boolean;
  readonly hasPassword: boolean;
  readonly mustChangePassword: boolean;
  readonly isAdmin: boolean;
  readonly isActive: boolean;
  readonly isRestricted: boolean;
  readonly prohibitLogin: boolean;
  readonly visibility: Visibility;
  readonly language: string;
  readonly theme: string;
  readonly diffViewStyle: string;
  readonly website: string;
  readonly location: string;
  readonly description: string;
  readonly pronouns: string;
  /** The address of the uploaded picture; empty if none. */
  readonly avatar: string;
  readonly sourceId: number;
  readonly loginName: string;
  readonly allowGitHook: boolean;
  readonly allowImportLocal: boolean;
  readonly allowCreateOrganization: boolean;
  readonly maxRepoCreation: number;
  readonly lastLoginAt: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * Why an account cannot be used at the moment. Users who must change their password or set up a second factor may sign
 * in to do that.
 */
export type AccountProblem = "inactive" | "prohibited" | "must-change-password" | "two-factor-required";
