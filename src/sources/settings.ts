/**
 * The settings of sources, by kind: one table for storage, form and command line, whose option names are the
 * contract's (identity.md 17.2).
 */

interface Declared<Standard extends string | boolean | number> {
  /** As on the command line; the form writes it with underscores. */
  readonly option: string;
  readonly standard: Standard;
}

function setting<Standard extends string | boolean | number>(option: string, standard: Standard): Declared<Standard> {
  return { option, standard };
}

/** Group settings shared by both kinds. */
const teams = {
  /** JSON: group, organization, names of teams. */
  teamMap: setting<string>("group-team-map", ""),
  removesFromTeams: setting<boolean>("group-team-map-removal", false),
};

export const oauth2Fields = {
  provider: setting<string>("provider", "openidConnect"),
  clientId: setting<string>("key", ""),
  discoveryUrl: setting<string>("auto-discover-url", ""),
  usesCustomUrls: setting<boolean>("use-custom-urls", false),
  tenant: setting<string>("custom-tenant-id", ""),
  authorizationUrl: setting<string>("custom-auth-url", ""),
  tokenUrl: setting<string>("custom-token-url", ""),
  profileUrl: setting<string>("custom-profile-url", ""),
  emailUrl: setting<string>("custom-email-url", ""),
  iconUrl: setting<string>("icon-url", ""),
  /** Separated by blanks or commas, in addition to those the provider requires. */
  scopes: setting<string>("scopes", ""),
  sshKeyClaim: setting<string>("ssh-public-key-claim-name", ""),
  fullNameClaim: setting<string>("full-name-claim-name", ""),
  requiredClaim: setting<string>("required-claim-name", ""),
  requiredValue: setting<string>("required-claim-value", ""),
  groupClaim: setting<string>("group-claim-name", ""),
  adminGroup: setting<string>("admin-group", ""),
  restrictedGroup: setting<string>("restricted-group", ""),
  /** Signing out here redirects to the provider to sign out there too. */
  signsOutThere: setting<boolean>("provider-sign-out", false),
  ...teams,
};

const entryFields = {
  security: setting<string>("security-protocol", "unencrypted"),
  skipsVerification: setting<boolean>("skip-tls-verify", false),
  host: setting<string>("host", ""),
  port: setting<number>("port", 389),
  userBase: setting<string>("user-search-base", ""),
  /** `%s` stands for the typed name. */
  userFilter: setting<string>("user-filter", ""),
  adminFilter: setting<string>("admin-filter", ""),
  restrictedFilter: setting<string>("restricted-filter", ""),
  usernameAttribute: setting<string>("username-attribute", ""),
  firstNameAttribute: setting<string>("firstname-attribute", ""),
  surnameAttribute: setting<string>("surname-attribute", ""),
  emailAttribute: setting<string>("email-attribute", ""),
  sshKeyAttribute: setting<string>("public-ssh-key-attribute", ""),
  sshKeysAreVerified: setting<boolean>("ssh-keys-are-verified", false),
  avatarAttribute: setting<string>("avatar-attribute", ""),
};

/** A directory searched with a service account. */
export const ldapFields = {
  ...entryFields,
  bindDn: setting<string>("bind-dn", ""),
  attributesInBind: setting<boolean>("attributes-in-bind", false),
  deactivatesAll: setting<boolean>("allow-deactivate-all", false),
  pageSize: setting<number>("page-size", 0),
  usesGroups: setting<boolean>("enable-groups", false),
  groupBase: setting<string>("group-search-base-dn", ""),
  groupFilter: setting<string>("group-filter", ""),
  groupMemberAttribute: setting<string>("group-member-attribute", ""),
  groupUserAttribute: setting<string>("group-user-attribute", ""),
  ...teams,
};

/** A directory in which users look up their own entry. */
export const ldapSimpleFields = {
  ...entryFields,
  /** `%s` stands for the typed name. */
  userDn: setting<string>("user-dn", ""),
};

/** A mail server: everyone who may send mail through it is admitted. */
export const smtpFields = {
  authType: setting<string>("auth-type", "PLAIN"),
  host: setting<string>("host", ""),
  port: setting<number>("port", 587),
  /** TLS from the start; otherwise STARTTLS. */
  forcesTls: setting<boolean>("force-smtps", false),
  skipsVerification: setting<boolean>("skip-verify", false),
  heloName: setting<string>("helo-hostname", ""),
  hidesName: setting<boolean>("disable-helo", false),
  /** Separated by commas; empty: all. */
  allowedDomains: setting<string>("allowed-domains", ""),
};

export const sourceFields = {
  oauth2: oauth2Fields,
  ldap: ldapFields,
  "ldap-simple": ldapSimpleFields,
  smtp: smtpFields,
};

type Values<Fields> = { readonly [Key in keyof Fields]: Fields[Key] extends Declared<infer Value> ? Value : never };

export type OAuth2Settings = Values<typeof oauth2Fields>;
export type LdapSettings = Values<typeof ldapFields>;
export type LdapSimpleSettings = Values<typeof ldapSimpleFields>;
export type SmtpSettings = Values<typeof smtpFields>;

export type SourceKind = keyof typeof sourceFields;
export type SourceSettings = Readonly<Record<string, string | boolean | number>>;

/** The stored settings, with defaults for missing ones; unknown ones and those of a wrong type are left out. */
export function settingsFrom<Fields extends Readonly<Record<string, Declared<string | boolean | number>>>>(
  fields: Fields,
  stored: Readonly<Record<string, unknown>>,
): Values<Fields> {
  const entries = Object.entries(fields).map(([key, { standard }]) => {
    const value = stored[key];
    return [key, typeof value === typeof standard ? value : standard];
  });
  return Object.fromEntries(entries) as Values<Fields>;
}
