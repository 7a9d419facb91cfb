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

/** A source that checks passwords. */
export type PasswordSource = LdapSource | SmtpSource;

/** A way to sign in other than by a local password. */
export type SignInSource = OAuth2Source | PasswordSource;

/** Fields of a source to add or change; absent ones stay as they are. */
export interface SourceEdit {
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly isSynchronized?: boolean | undefined;
  readonly skipsSecondFactor?: boolean | undefined;
  readonly settings?: Readonly<Record<string, string | boolean | number | undefined>>;
  readonly secret?: Secret | undefined;
}

/** The names of the kinds in the API and on the command line (contract identity.md 7). */
export const KIND_NAMES: Readonly<Record<SourceKind, string>> = {
  oauth2: "OAuth2",
  ldap: "LDAP (via BindDN)",
  "ldap-simple": "LDAP (simple auth)",
  smtp: "SMTP",
};

/** A person as a source describes them. All of it comes from another server and is checked where it is used. */
export interface OutsideIdentity {
  readonly issuer: string;
  /** The issuer's permanent identifier for them. */
  readonly subject: string;
  /** The source's name for them. */
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  /** The source vouches for the address. */
  readonly isEmailProven: boolean;
  readonly pictureUrl: string;
  readonly picture: Uint8Array | undefined;
  /** undefined: groups were not requested. */
  readonly groups: readonly string[] | undefined;
  readonly isAdmin: boolean | undefined;
  readonly isRestricted: boolean | undefined;
  readonly sshKeys: readonly string[] | undefined;
}

/** An external account that can sign in here. */
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
