import { accountOf } from "../access/principal.ts";
import type { BlobBody, BlobService } from "../blobs/service.ts";
import type { Database } from "../db/database.ts";
import type { LfsPointer } from "../git/lfs/pointer.ts";
import type { Clock } from "../kernel/clock.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { segment } from "../kernel/url-path.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";
import type { LfsTokens } from "./tokens.ts";
import type { LfsGrant, LfsObject, LfsOperation } from "./types.ts";

/** The minimum interval between such updates of one object. */
const RELY_STEP_MS = 3_600_000;

type InRepo = Pick<SeenRepo, "repo">;

/** The large files of repositories, for callers already admitted. */
export class LfsObjects {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly blobs: BlobService,
    private readonly tokens: LfsTokens,
    private readonly links: Links,
    readonly isEnabled: boolean,
  ) {}

  find({ repo }: InRepo, oid: string): LfsObject | undefined {
    return store.findObject(this.db, repo.id, oid);
  }

  /** @throws NotFound, also for an object of another repository */
  get(seen: InRepo, oid: string): LfsObject {
    const found = this.find(seen, oid);
    if (!found) throw new NotFound();
    return found;
  }

  /** The given objects that the repository has, by id. */
  among({ repo }: InRepo, oids: readonly string[]): Map<string, LfsObject> {
    return new Map(store.objectsAmong(this.db, repo.id, oids).map((object) => [object.oid, object]));
  }

  /** Whether it has any. */
  hasAny({ repo }: InRepo): boolean {
    return store.hasObjects(this.db, repo.id);
  }

  /** Whether its bytes are in storage. */
  isStored({ oid, sizeBytes }: LfsObject): boolean {
    return this.blobs.files.sizeOf(oid) === sizeBytes;
  }

  /** Records that a client was told not to upload these: they are kept until the push that references them. */
  rely({ repo }: InRepo, oids: readonly string[]): void {
    const now = this.clock();
    this.db.transaction(() => store.touchObjects(this.db, repo.id, oids, now - RELY_STEP_MS, now));
  }

  /** @returns undefined: its bytes are missing on disk */
  open(object: LfsObject): BlobBody | undefined {
    return this.isStored(object) ? this.blobs.open("lfs", `${object.repoId}:${object.oid}`) : undefined;
  }

  /** The target of a pointer file, if present: an object of that repository and of that size. */
  pointedAt(seen: InRepo, { oid, sizeBytes }: LfsPointer): { object: LfsObject; body: BlobBody } | undefined {
    const object = this.isEnabled ? this.find(seen, oid) : undefined;
    const body = object?.sizeBytes === sizeBytes ? this.open(object) : undefined;
    return object && body && { object, body };
  }

  /** Newest first. */
  page({ repo }: InRepo, { limit, offset }: Paging): Slice<LfsObject> & { readonly bytes: number } {
    const { bytes, count } = store.objectTotals(this.db, repo.id);
    return { items: store.listObjects(this.db, repo.id, limit, offset), total: count, bytes };
  }

  /** @throws NotFound */
  remove({ repo }: InRepo, oid: string): void {
    this.db.transaction(() => {
      if (!store.deleteObject(this.db, repo.id, oid)) throw new NotFound();
    });
  }

  /**
   * The output of `git-lfs-authenticate`, with which git-lfs continues over HTTP as the principal admitted over SSH.
   * @param seen the repository as the principal sees it, who may read it or, for an upload, write it
   * @param deployKey the key's type and base64, if a deploy key was used
   */
  async authenticate(seen: SeenRepo, operation: LfsOperation, deployKey?: string): Promise<LfsGrant> {
    const { owner, principal, repo } = seen;
    const holder = deployKey === undefined ? { userId: accountOf(principal).id } : { deployKey };
    const token = await this.tokens.issue(holder, repo.id, operation);
    return {
      href: lfsAddress(this.links, owner.login, repo.name),
      header: { Authorization: `Bearer ${token}` },
      expires_in: this.tokens.lifeSeconds,
    };
  }
}

/** The LFS endpoint of a repository, without a trailing slash. */
export function lfsAddress({ rootUrl }: Pick<Links, "rootUrl">, owner: string, repo: string): string {
  return `${rootUrl}${segment(owner)}/${segment(repo)}.git/info/lfs`;
}
