import type { Secret } from "../secrets/secret.ts";
import type { LdapSettings, LdapSimpleSettings, OAuth2Settings, SmtpSettings, SourceKind } from "./settings.ts";

interface SourceFacts {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly isSynchronized: boolean;
  readonly skipsSecondFactor: boolean;
  readonly hasSecret: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type OAuth2Source = SourceFacts & { readonly kind: "oauth2"; readonly settings: OAuth2Settings };
export type LdapSource = SourceFacts &
  (
    | { readonly kind: "ldap"; readonly settings: LdapSettings }
    | { readonly kind: "ldap-simple"; readonly settings: LdapSimpleSettings }
  );

export type SmtpSource = SourceFacts & { readonly kind: "smtp"; readonly settings: SmtpSettings };

/** What is asked whether a password is right. */
export type PasswordSource = LdapSource | SmtpSource;

/** Where people sign in other than by a password that is kept here. */
export type SignInSource = OAuth2Source | PasswordSource;

/** What is said of a source that is added or changed; absent stays as it is. */
export interface SourceEdit {
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly isSynchronized?: boolean | undefined;
  readonly skipsSecondFactor?: boolean | undefined;
  readonly settings?: Readonly<Record<string, string | boolean | number | undefined>>;
  readonly secret?: Secret | undefined;
}

/** The numbers by which the API and the terminal's users know the kinds (contract identity.md 7). */
export const KIND_NAMES: Readonly<Record<SourceKind, string>> = {
  oauth2: "OAuth2",
  ldap: "LDAP (via BindDN)",
  "ldap-simple": "LDAP (simple auth)",
  smtp: "SMTP",
};

/** Someone as a source knows them. Everything in it was said by another server: it is checked where it is used. */
export interface OutsideIdentity {
  readonly issuer: string;
  /** Who it is for the issuer, for ever. */
  readonly subject: string;
  /** What the source calls them. */
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  /** The source says that the address is theirs. */
  readonly isEmailProven: boolean;
  readonly pictureUrl: string;
  readonly picture: Uint8Array | undefined;
  /** undefined: the source was not asked. */
  readonly groups: readonly string[] | undefined;
  readonly isAdmin: boolean | undefined;
  readonly isRestricted: boolean | undefined;
  readonly sshKeys: readonly string[] | undefined;
}

/** An account somewhere else that signs one in here. */
export interface OutsideAccount {
  readonly sourceId: number;
  readonly sourceName: string;
  readonly issuer: string;
  readonly subject: string;
  readonly userId: number;
  readonly name: string;
  readonly isGone: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}
