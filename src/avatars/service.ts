import { atLeast } from "../access/levels.ts";
import { isSiteAdmin, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { BlobBody, BlobService } from "../blobs/service.ts";
import type { StoredBlob } from "../blobs/types.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import { BadRequest, Forbidden, ValidationFailed } from "../kernel/errors.ts";
import { randomHex } from "../kernel/ids.ts";
import type { RepoService } from "../repos/service.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { LARGE_PX, SMALL_PX } from "./render.ts";

/** Maximum upload size in bytes: enough for a phone camera's picture. */
export const MAX_AVATAR_BYTES = 8 * 2 ** 20;

const AREA = "avatars";

export interface AvatarNeeds {
  readonly db: Database;
  readonly blobs: BlobService;
  readonly identity: IdentityService;
  readonly repos: RepoService;
  readonly pool: WorkerPool;
}

/** A picture and whether it is public. */
export interface ShownAvatar extends BlobBody {
  readonly isPublic: boolean;
}

/**
 * Uploaded pictures of accounts and repositories. Without an upload, a picture is drawn from the name without this
 * service.
 */
export class AvatarService {
  constructor(private readonly needs: AvatarNeeds) {}

  /**
   * Replaces an account's picture with an upload, cropped to a square and re-encoded.
   * @param upload PNG, JPEG, GIF or WebP of at most `MAX_AVATAR_BYTES` and 4096 pixels a side
   * @throws Forbidden; ValidationFailed `avatar.not-an-image`, `avatar.too-many-pixels`, `avatar.too-large`
   */
  async setForUser(principal: Principal, user: User, upload: Uint8Array): Promise<void> {
    requireOwn(principal, user);
    await this.keep(upload, (address) => this.needs.identity.setAvatar(principal, user, address));
  }

  /** Restores the drawn picture; does nothing if there is no upload. @throws Forbidden */
  removeFromUser(principal: Principal, user: User): void {
    requireOwn(principal, user);
    this.needs.identity.setAvatar(principal, user, "");
  }

  /** As `setForUser`, for a repository that the principal administers. */
  async setForRepo(seen: SeenRepo, upload: Uint8Array): Promise<void> {
    requireAdmin(seen);
    await this.keep(upload, (address) => this.needs.repos.setAvatar(seen, address));
  }

  /** Gives a new repository another's picture, at a separate address. Joins the running transaction. */
  copyOfTemplate(template: Repo, made: Repo): void {
    if (template.avatar === "") return;
    const address = randomHex(16);
    for (const size of ["large", "small"])
      this.needs.blobs.share(AREA, { from: `${template.avatar}:${size}`, to: `${address}:${size}` });
    this.needs.repos.setAvatar({ repo: made }, address);
  }

  /** A repository without a picture shows none. @throws Forbidden */
  removeFromRepo(seen: SeenRepo): void {
    requireAdmin(seen);
    this.needs.repos.setAvatar(seen, "");
  }

  /**
   * The picture at an address, for those who may see its account or repository: a leaked address does not expose a
   * private one.
   * @param sizePx the desired side length; the next larger stored size is used
   */
  open(
    principal: Principal,
    of: "user" | "repo",
    address: string,
    sizePx: number | undefined,
  ): ShownAvatar | undefined {
    if (!/^[0-9a-f]{32}$/.test(address)) return undefined;
    const isPublic = of === "user" ? this.userIsPublic(principal, address) : this.repoIsPublic(principal, address);
    if (isPublic === undefined) return undefined;
    const size = sizePx !== undefined && sizePx <= SMALL_PX ? "small" : "large";
    const found = this.needs.blobs.open(AREA, `${address}:${size}`);
    return found && { ...found, isPublic };
  }

  /** @returns undefined: not visible */
  private userIsPublic(principal: Principal, address: string): boolean | undefined {
    const user = this.needs.identity.byAvatar(address);
    return user && this.needs.identity.sees(principal, user) ? user.visibility === "public" : undefined;
  }

  private repoIsPublic(principal: Principal, address: string): boolean | undefined {
    const seen = this.needs.repos.seeByAvatar(principal, address);
    return seen && !seen.repo.isPrivate && seen.owner.visibility === "public";
  }

  /**
   * Stores a picture for something that an area owns.
   * @param assign called with its address in the storing transaction; the caller has checked permissions
   * @throws ValidationFailed as `setForUser`
   */
  async keep(upload: Uint8Array, assign: (address: string) => void): Promise<void> {
    if (upload.byteLength > MAX_AVATAR_BYTES) throw new ValidationFailed("avatar.too-large", tooLarge);
    const rendered = await this.needs.pool.run("avatars.render", { upload });
    if ("refused" in rendered)
      throw new ValidationFailed(`avatar.${rendered.refused}`, { field: "image", params: { maxPx: 4096 } });
    using large = await this.store(rendered.large);
    using small = await this.store(rendered.small);
    this.needs.db.transaction(() => {
      // Unguessable and independent of the picture: the same upload by two people gets two addresses.
      const address = randomHex(16);
      this.needs.blobs.refer(AREA, `${address}:large`, large);
      this.needs.blobs.refer(AREA, `${address}:small`, small);
      assign(address);
    });
  }

  private store(bytes: Uint8Array): Promise<StoredBlob> {
    return this.needs.blobs.receive(one(bytes), { maxBytes: 16 * LARGE_PX * LARGE_PX });
  }
}

const tooLarge = { field: "image", params: { maxBytes: MAX_AVATAR_BYTES } };

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads the whole upload, which is small. @throws ValidationFailed `avatar.too-large` */
export async function readUpload(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > MAX_AVATAR_BYTES) throw new ValidationFailed("avatar.too-large", tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requireOwn(principal: Principal, user: User): void {
  if (user.kind === "reserved") throw new BadRequest("avatar.reserved-account");
  if (principal.user?.id !== user.id && !isSiteAdmin(principal)) throw new Forbidden("avatar.not-yours");
}

function requireAdmin(seen: SeenRepo): void {
  if (!atLeast(seen.access.level, "admin")) throw new Forbidden("avatar.not-yours");
}
