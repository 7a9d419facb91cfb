export interface Email {
  readonly id: number;
  readonly email: string;
  /** Usable as the primary address and for signing in; the API's "verified". */
  readonly isVerified: boolean;
  /** Proven to belong to the account, by mail or by an administrator: required for attributing commits. */
  readonly isProven: boolean;
  readonly isPrimary: boolean;
}

/** An address with its owner. */
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
  /** When it expires; undefined: never. */
  readonly expiresAt: number | undefined;
}

export interface Session {
  /** SHA-256 of the cookie's secret. */
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Rounded to the minute. */
  readonly lastUsedAt: number;
  readonly address: string;
  readonly userAgent: string;
  /** The provider that vouched for the user at sign-in. */
  readonly sourceId: number | undefined;
}

/**
 * Counts shown beside an account, each provided by the area that owns what is counted (`IdentityService.addCount`), 0
 * if none does. Areas add further ones by declaration merging.
 */
export interface UserCounts {
  readonly followers: number;
  readonly following: number;
  readonly starredRepos: number;
}

export type UserCountName = keyof UserCounts;

export const noUserCounts: UserCounts = { followers: 0, following: 0, starredRepos: 0 };
