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
