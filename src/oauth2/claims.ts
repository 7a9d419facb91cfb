import { accountOf, asAccount, type Principal } from "../access/principal.ts";
import { hasScope, scopeNames } from "../access/scopes.ts";
import type { User } from "../access/user.ts";
import type { EmailService } from "../identity/emails/service.ts";
import { gitIdentityOf } from "../identity/git-identity.ts";
import type { IdentityService } from "../identity/service.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import { hasItem, tokenScopeOf } from "./scope.ts";
import type { SigningKeys } from "./signing-keys/service.ts";
import type { IdTokenRequest } from "./tokens/service.ts";

/** The organizations and teams of an account, in lower case (`org`, `org:team`), provided by their area. */
export type GroupSource = (user: User, options: { readonly publicOnly: boolean }) => readonly string[];

export interface ClaimParts {
  readonly identity: IdentityService;
  readonly emails: EmailService;
  readonly links: Links;
  readonly keys: SigningKeys;
  /** The scope of the grant behind an issued token. */
  readonly scopeOf: (tokenId: number) => string | undefined;
}

/**
 * What an application learns about a user who authorized it, as far as its scope allows (contract identity.md 6.4 and
 * 6.6).
 */
export class ClaimService {
  private readonly groupSources: GroupSource[] = [];

  constructor(private readonly parts: ClaimParts) {}

  addGroups(source: GroupSource): void {
    this.groupSources.push(source);
  }

  /** The ID token (OpenID Connect Core 1.0, section 2). */
  async idToken({ grant, clientId, nonce, issuedAtSeconds, expiresAtSeconds }: IdTokenRequest): Promise<string> {
    const { identity, keys, links } = this.parts;
    const user = identity.byId(grant.userId);
    if (!user) throw new Error(`grant ${grant.id} is of no account`);
    return keys.sign({
      iss: issuerOf(links),
      aud: clientId,
      iat: issuedAtSeconds,
      exp: expiresAtSeconds,
      ...(nonce === "" ? {} : { nonce }),
      ...this.of(user, grant.scope),
    });
  }

  /** OpenID Connect Core 1.0, section 5.3. @throws Unauthorised anonymous; Forbidden a token without `read:user` */
  userInfo(principal: Principal) {
    const user = accountOf(principal);
    const { issuedToken, scope } = principal;
    if (scope && !hasScope(principal, "user", "read"))
      throw new Forbidden("access.scope-missing", {
        params: { required: "read:user", held: scopeNames(scope).join(",") },
      });
    const granted = issuedToken && this.parts.scopeOf(issuedToken.id);
    const wantsGroups = granted !== undefined && hasItem(granted, "groups");
    const groups = wantsGroups ? this.groups(user, scope?.publicOnly ?? false) : [];
    return {
      sub: String(user.id),
      name: user.fullName || user.login,
      preferred_username: user.login,
      // A public-only token sees no more of its own account than others do.
      email: scope?.publicOnly ? gitIdentityOf(user, this.parts.links).email : user.email,
      picture: this.picture(user),
      ...(groups.length > 0 ? { groups } : {}),
    };
  }

  private of(user: User, scope: string) {
    const { links } = this.parts;
    return {
      sub: String(user.id),
      ...(hasItem(scope, "profile")
        ? {
            name: user.fullName || user.login,
            preferred_username: user.login,
            profile: `${links.rootUrl}${user.login}`,
            picture: this.picture(user),
            website: user.website,
            locale: user.language,
            updated_at: Math.floor(user.updatedAt / 1000),
          }
        : {}),
      ...(hasItem(scope, "email") ? { email: user.email, email_verified: this.isVerified(user) } : {}),
      ...(hasItem(scope, "groups") ? { groups: this.groups(user, tokenScopeOf(scope).publicOnly) } : {}),
    };
  }

  private groups(user: User, publicOnly: boolean): string[] {
    return this.groupSources.flatMap((source) => source(user, { publicOnly }));
  }

  private isVerified(user: User): boolean {
    // Where addresses are not confirmed, anyone may have entered anyone's: other sites must not trust them.
    return this.parts.emails.list(asAccount(user), user).find(({ isPrimary }) => isPrimary)?.isProven ?? false;
  }

  private picture(user: User): string {
    return `${this.parts.links.rootUrl}avatars/${user.avatar || user.login.toLowerCase()}`;
  }
}

/** The token issuer: the site's address without its trailing slash. */
export function issuerOf({ rootUrl }: Links): string {
  return rootUrl.replace(/\/$/, "");
}
