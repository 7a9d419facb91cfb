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
  /** From then on it is good no more; undefined: it does not end. */
  readonly expiresAt: number | undefined;
}

export interface Session {
  /** SHA-256 of the cookie's secret. */
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To the minute. */
  readonly lastUsedAt: number;
  readonly address: string;
  readonly userAgent: string;
  /** The provider that vouched for whoever signed in. */
  readonly sourceId: number | undefined;
}

/**
 * Numbers shown beside an account, each counted by the area that owns what is counted (`IdentityService.addCount`) and 0
 * without one. An area adds further ones by declaration merging.
 */
export interface UserCounts {
  readonly followers: number;
  readonly following: number;
  readonly starredRepos: number;
}

export type UserCountName = keyof UserCounts;

export const noUserCounts: UserCounts = { followers: 0, following: 0, starredRepos: 0 };
