import { anonymous, deployKey, type Principal } from "../access/principal.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { hmacSha256 } from "../kernel/ids.ts";
import type { DeployKeyService } from "../keys/deploy/service.ts";
import type { LfsOperation } from "./types.ts";

export interface LfsTokenParts {
  readonly clock: Clock;
  readonly deployKeys: DeployKeyService;
  readonly identity: IdentityService;
  /** The server's secret, from which the key is derived. */
  readonly secret: string;
  readonly lifeSeconds: number;
}

/** The holder of a token: an account, or a deploy key as text (type and base64). */
export type LfsHolder = { readonly userId: number } | { readonly deployKey: string };

const isSigned = (secret: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(secret);

/**
 * The tokens that git-lfs gets over SSH and sends over HTTP (contract git-content.md 16.2). A token is for one
 * repository and operation, and only authenticates: its holder must still have the permission there.
 */
export class LfsTokens {
  private readonly key: Uint8Array;

  constructor(private readonly parts: LfsTokenParts) {
    this.key = new TextEncoder().encode(hmacSha256(parts.secret, "lfs-tokens", "hex"));
  }

  get lifeSeconds(): number {
    return this.parts.lifeSeconds;
  }

  async issue(holder: LfsHolder, repoId: number, operation: LfsOperation): Promise<string> {
    const { SignJWT } = await import("jose");
    const now = Math.floor(this.parts.clock() / 1000);
    const who = "userId" in holder ? { UserID: holder.userId } : { DeployKey: holder.deployKey };
    return new SignJWT({ RepoID: repoId, Op: operation, ...who })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setNotBefore(now)
      .setExpirationTime(now + this.parts.lifeSeconds)
      .sign(this.key);
  }

  /** The principal of such a token in an Authorization header; undefined if there is none, or it is invalid. */
  async principalOf(authorization: string | null): Promise<Principal | undefined> {
    const [scheme = "", token = "", ...more] = authorization?.trim().split(/\s+/) ?? [];
    if (scheme.toLowerCase() !== "bearer" || more.length > 0 || !isSigned(token)) return undefined;
    const claims = await this.claimsOf(token);
    if (!claims) return undefined;
    const { DeployKey: key, Op: operation, RepoID: repoId, UserID: userId } = claims;
    if (typeof repoId !== "number" || (operation !== "upload" && operation !== "download")) return undefined;
    const level = operation === "upload" ? "write" : "read";
    if (typeof key === "string") {
      const now = this.parts.deployKeys.principalOf(key, repoId);
      return now && (level === "write" ? now : deployKey(repoId, "read"));
    }
    const user = typeof userId === "number" ? this.parts.identity.byId(userId) : undefined;
    return user && { ...anonymous, user, via: "token", onlyIn: { repoId, level } };
  }

  private async claimsOf(token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { errors, jwtVerify } = await import("jose");
    try {
      const options = { algorithms: ["HS256"], currentDate: new Date(this.parts.clock()) };
      return (await jwtVerify(token, this.key, options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
