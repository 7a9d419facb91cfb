/** A program that signs people in here, or acts for them. */
export interface Application {
  readonly id: number;
  /** undefined: the site's own. */
  readonly ownerId: number | undefined;
  readonly name: string;
  readonly clientId: string;
  /** It can keep a secret to authenticate with; programs on people's own machines cannot. */
  readonly isConfidential: boolean;
  /** Skips consent for users who have given it before, although the application is public. */
  readonly skipsLaterConsent: boolean;
  readonly isBuiltIn: boolean;
  readonly redirectUris: readonly string[];
  readonly createdAt: number;
}

/** The fields an application's owner sets. */
export interface ApplicationFields {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly isConfidential: boolean;
  readonly skipsLaterConsent: boolean;
}

/** An account's authorization of an application. */
export interface Grant {
  readonly id: number;
  readonly applicationId: number;
  readonly userId: number;
  /** As requested: `openid read:user`. */
  readonly scope: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** A grant as shown to its owner. */
export interface NamedGrant extends Grant {
  readonly applicationName: string;
}

/** All tokens from one consent; see the table's comment. */
export interface TokenFamily {
  readonly id: number;
  readonly generation: number;
  readonly grant: Grant;
  readonly clientId: string;
}
