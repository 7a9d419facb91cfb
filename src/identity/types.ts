import type { PrincipalUser, Visibility } from "../kernel/permissions.ts";

export type UserKind = "individual" | "organization" | "bot" | "reserved";

/** An account as the services know it. Never shown as it is: resource.ts decides what whom is shown. */
export interface User extends PrincipalUser {
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

export interface Email {
  readonly id: number;
  readonly email: string;
  /** It may be used: as the primary one, to sign in. What the API calls verified. */
  readonly isVerified: boolean;
  /** Shown to be the account's, by a mail or an administrator: only then are commits with it attributed. */
  readonly isProven: boolean;
  readonly isPrimary: boolean;
}

/** An address together with whose it is. */
export interface OwnedEmail {
  readonly email: Email;
  readonly owner: { readonly id: number; readonly login: string };
}

export interface AccessToken {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly lastEight: string;
  /** Normalised scope names. */
  readonly scopes: string[];
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

export interface Session {
  /** SHA-256 of the cookie's secret. */
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string;
}
