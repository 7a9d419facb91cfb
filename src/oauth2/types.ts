/** A program that signs people in here, or works for them. */
export interface Application {
  readonly id: number;
  /** undefined: the site's own. */
  readonly ownerId: number | undefined;
  readonly name: string;
  readonly clientId: string;
  /** It can keep a secret and proves with it who it is; programs on people's own machines cannot. */
  readonly isConfidential: boolean;
  /** Whoever let it in once is not asked again, though it is public. */
  readonly skipsLaterConsent: boolean;
  readonly isBuiltIn: boolean;
  readonly redirectUris: readonly string[];
  readonly createdAt: number;
}

/** What the owner of an application decides. */
export interface ApplicationFields {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly isConfidential: boolean;
  readonly skipsLaterConsent: boolean;
}

/** That an account let an application in. */
export interface Grant {
  readonly id: number;
  readonly applicationId: number;
  readonly userId: number;
  /** As it was asked for: `openid read:user`. */
  readonly scope: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** A grant as its owner sees it. */
export interface NamedGrant extends Grant {
  readonly applicationName: string;
}

/** All tokens that come from one consent; see the table's comment. */
export interface TokenFamily {
  readonly id: number;
  readonly generation: number;
  readonly grant: Grant;
  readonly clientId: string;
}
