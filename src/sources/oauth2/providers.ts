/** Known providers; anything else is in each source's settings (contract identity.md 7). */

export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly profile: string;
  /** Lists the addresses, where the profile does not say which are confirmed. */
  readonly email?: string;
}

/** A provider's profile of the user, in a common form. */
export interface Profile {
  readonly subject: string;
  readonly nickname: string;
  readonly fullName: string;
  readonly email: string;
  readonly isEmailProven: boolean;
  readonly pictureUrl: string;
}

export interface Provider {
  /** Its display name. */
  readonly label: string;
  /** `openid` identifies the user itself; for `oauth2` the profile is requested. */
  readonly protocol: "openid" | "oauth2";
  /** `{tenant}` stands for the tenant in the settings. Absent: configured in the settings. */
  readonly discoveryUrl?: string;
  readonly needsTenant?: true;
  /** Absent: configured in the settings. */
  readonly endpoints?: Endpoints;
  readonly scopes: readonly string[];
  /** For profile requests. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @param emails the response with the list of addresses; undefined if there is none */
  read?(profile: unknown, emails: unknown): Profile;
}

const OPENID_SCOPES = ["openid", "profile", "email"];

const providers: readonly (readonly [id: string, provider: Provider])[] = [
  ["openidConnect", { label: "OpenID Connect", protocol: "openid", scopes: OPENID_SCOPES }],
  [
    "gplus",
    {
      label: "Google",
      protocol: "openid",
      discoveryUrl: "https://accounts.google.com/.well-known/openid-configuration",
      scopes: OPENID_SCOPES,
    },
  ],
  [
    "azureadv2",
    {
      label: "Microsoft Entra",
      protocol: "openid",
      discoveryUrl: "https://login.microsoftonline.com/{tenant}/v2.0/.well-known/openid-configuration",
      needsTenant: true,
      scopes: OPENID_SCOPES,
    },
  ],
  [
    "github",
    {
      label: "GitHub",
      protocol: "oauth2",
      endpoints: {
        authorization: "https://github.com/login/oauth/authorize",
        token: "https://github.com/login/oauth/access_token",
        profile: "https://api.github.com/user",
        email: "https://api.github.com/user/emails",
      },
      scopes: ["read:user", "user:email"],
      headers: { accept: "application/vnd.github+json" },
      read: (profile, emails) =>
        withListedEmail(
          {
            subject: textAt(profile, "id"),
            nickname: textAt(profile, "login"),
            fullName: textAt(profile, "name"),
            email: textAt(profile, "email"),
            isEmailProven: false,
            pictureUrl: textAt(profile, "avatar_url"),
          },
          emails,
          "verified",
        ),
    },
  ],
  [
    "gitlab",
    {
      label: "GitLab",
      protocol: "oauth2",
      endpoints: {
        authorization: "https://gitlab.com/oauth/authorize",
        token: "https://gitlab.com/oauth/token",
        profile: "https://gitlab.com/api/v4/user",
      },
      scopes: ["read_user"],
      read: (profile) => ({
        subject: textAt(profile, "id"),
        nickname: textAt(profile, "username"),
        fullName: textAt(profile, "name"),
        email: textAt(profile, "email"),
        // A GitLab account has an address only once it is confirmed; a new one is in another field.
        isEmailProven: textAt(profile, "confirmed_at") !== "",
        pictureUrl: textAt(profile, "avatar_url"),
      }),
    },
  ],
  [
    "gitea",
    {
      label: "Gitea",
      protocol: "oauth2",
      endpoints: {
        authorization: "https://gitea.com/login/oauth/authorize",
        token: "https://gitea.com/login/oauth/access_token",
        profile: "https://gitea.com/api/v1/user",
        email: "https://gitea.com/api/v1/user/emails",
      },
      scopes: ["read:user"],
      read: (profile, emails) =>
        withListedEmail(
          {
            subject: textAt(profile, "id"),
            nickname: textAt(profile, "login"),
            fullName: textAt(profile, "full_name"),
            email: textAt(profile, "email"),
            isEmailProven: false,
            pictureUrl: textAt(profile, "avatar_url"),
          },
          emails,
          "verified",
        ),
    },
  ],
  [
    "bitbucket",
    {
      label: "Bitbucket",
      protocol: "oauth2",
      endpoints: {
        authorization: "https://bitbucket.org/site/oauth2/authorize",
        token: "https://bitbucket.org/site/oauth2/access_token",
        profile: "https://api.bitbucket.org/2.0/user",
        email: "https://api.bitbucket.org/2.0/user/emails",
      },
      scopes: ["account", "email"],
      read: (profile, emails) =>
        withListedEmail(
          {
            subject: textAt(profile, "uuid"),
            nickname: textAt(profile, "username") || textAt(profile, "nickname"),
            fullName: textAt(profile, "display_name"),
            email: "",
            isEmailProven: false,
            pictureUrl: textAt(profile, "links", "avatar", "href"),
          },
          at(emails, "values"),
          "is_confirmed",
        ),
    },
  ],
  [
    "discord",
    {
      label: "Discord",
      protocol: "oauth2",
      endpoints: {
        authorization: "https://discord.com/oauth2/authorize",
        token: "https://discord.com/api/oauth2/token",
        profile: "https://discord.com/api/users/@me",
      },
      scopes: ["identify", "email"],
      read: (profile) => ({
        subject: textAt(profile, "id"),
        nickname: textAt(profile, "username"),
        fullName: textAt(profile, "global_name"),
        email: textAt(profile, "email"),
        isEmailProven: at(profile, "verified") === true,
        pictureUrl: "",
      }),
    },
  ],
  [
    "mastodon",
    {
      label: "Mastodon",
      protocol: "oauth2",
      scopes: ["read:accounts"],
      read: (profile) => ({
        subject: textAt(profile, "id"),
        nickname: textAt(profile, "username"),
        fullName: textAt(profile, "display_name"),
        email: "",
        isEmailProven: false,
        pictureUrl: textAt(profile, "avatar"),
      }),
    },
  ],
  [
    "nextcloud",
    {
      label: "Nextcloud",
      protocol: "oauth2",
      scopes: [],
      headers: { "ocs-apirequest": "true", accept: "application/json" },
      read: (answer) => {
        const profile = at(at(answer, "ocs"), "data");
        return {
          subject: textAt(profile, "id"),
          nickname: textAt(profile, "id"),
          fullName: textAt(profile, "displayname") || textAt(profile, "display-name"),
          email: textAt(profile, "email"),
          // Entered by the users there, unconfirmed.
          isEmailProven: false,
          pictureUrl: "",
        };
      },
    },
  ],
];

/** By their id in the contract. */
export const PROVIDERS: ReadonlyMap<string, Provider> = new Map(providers);

/** The profile with the confirmed primary address of a list, if there is one. */
function withListedEmail(profile: Profile, emails: unknown, confirmed: string): Profile {
  if (!Array.isArray(emails)) return profile;
  const isPrimary = (each: unknown) => at(each, "primary") === true || at(each, "is_primary") === true;
  const found: unknown = emails.find(isPrimary);
  const email = textAt(found, "email");
  return email === "" ? profile : { ...profile, email, isEmailProven: at(found, confirmed) === true };
}

/** A member of another server's response; undefined if absent. */
export function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A text or number in another server's response, as trimmed text; empty if absent. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((inner, name) => at(inner, name), value);
  if (typeof found === "number" && Number.isSafeInteger(found)) return String(found);
  return typeof found === "string" ? found.trim().slice(0, 1000) : "";
}
