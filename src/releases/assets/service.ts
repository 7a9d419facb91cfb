import type { Principal } from "../../access/principal.ts";
import type { BlobBody, BlobService } from "../../blobs/service.ts";
import type { Database } from "../../db/database.ts";
import { receiveFile, type Upload } from "../../issues/attachments/receive.ts";
import { type AttachmentRules, checkName, requireAllowed } from "../../issues/attachments/rules.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, NotFound, TooLarge, ValidationFailed } from "../../kernel/errors.ts";
import type { QuotaService } from "../../quotas/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { ReleaseService } from "../service.ts";
import { findRelease } from "../store.ts";
import type { Release, ReleaseAsset } from "../types.ts";
import * as store from "./store.ts";

const AREA = "release-assets";

export interface ReleaseAssetNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly blobs: BlobService;
  readonly quotas: QuotaService;
  readonly releases: ReleaseService;
  readonly repos: RepoService;
  readonly rules: AttachmentRules;
}

/** Files of releases (contract repositories.md 17.5). Callers that change them have been checked for write access. */
export class ReleaseAssets {
  constructor(private readonly needs: ReleaseAssetNeeds) {}

  get maxBytes(): number {
    return this.needs.rules.maxBytes;
  }

  /** By release id, each list sorted by name. */
  ofReleases(releaseIds: readonly number[]): Map<number, ReleaseAsset[]> {
    return Map.groupBy(store.assetsOfReleases(this.needs.db, releaseIds), ({ releaseId }) => releaseId);
  }

  of({ id }: Release): ReleaseAsset[] {
    return store.assetsOfReleases(this.needs.db, [id]);
  }

  /** @throws NotFound, also for a file of another release */
  get(release: Release, id: number): ReleaseAsset {
    const found = store.findAsset(this.needs.db, id);
    if (found?.releaseId !== release.id) throw new NotFound();
    return found;
  }

  /** The first file with that name. @throws NotFound */
  named(release: Release, name: string): ReleaseAsset {
    const found = store.findAssetNamed(this.needs.db, release.id, name);
    if (!found) throw new NotFound();
    return found;
  }

  /**
   * Receives a file's bytes; dispose of the result once whatever refers to it is committed.
   * @throws BadRequest its name or type; TooLarge
   */
  async receive(bytes: AsyncIterable<Uint8Array>, given: string): Promise<Upload & Disposable> {
    try {
      return await receiveFile(this.needs, bytes, given);
    } catch (error) {
      if (error instanceof TooLarge) throw this.tooLarge();
      if (!(error instanceof ValidationFailed)) throw error;
      const isType = error.code === "attachment.forbidden-type";
      throw isType
        ? new BadRequest("release.asset-type", { field: "attachment" })
        : new BadRequest("release.asset-unnamed", { field: "name" });
    }
  }

  tooLarge(): TooLarge {
    return new TooLarge("release.asset-too-large", { params: { maxBytes: this.needs.rules.maxBytes } });
  }

  /** @throws NotFound the release was deleted meanwhile; TooLarge the owner's quota is exhausted */
  add(seen: SeenRepo, release: Release, { name, stored }: Upload): ReleaseAsset {
    const { blobs, clock, db, quotas, releases } = this.needs;
    return db.transaction(() => {
      releases.get(seen, release.id);
      quotas.require(seen.owner, "size:assets:attachments:releases", stored.sizeBytes);
      const made = store.insertAsset(db, {
        uuid: crypto.randomUUID(),
        releaseId: release.id,
        name,
        sizeBytes: stored.sizeBytes,
        createdAt: clock(),
      });
      blobs.refer(AREA, made.uuid, stored);
      return made;
    });
  }

  /**
   * @param given empty: keep the name.
   * @throws ValidationFailed
   */
  rename(asset: ReleaseAsset, given: string): ReleaseAsset {
    const { db, rules } = this.needs;
    if (given === "") return asset;
    const name = checkName(given);
    try {
      requireAllowed(rules, name, undefined);
    } catch {
      throw new ValidationFailed("release.asset-type", { field: "name" });
    }
    db.transaction(() => store.renameAsset(db, asset.id, name));
    return { ...asset, name };
  }

  remove({ id }: ReleaseAsset): void {
    const { db } = this.needs;
    db.transaction(() => store.deleteAsset(db, id));
  }

  /** The bytes of a file whose release the caller may see. */
  open({ uuid }: ReleaseAsset): BlobBody {
    const body = this.needs.blobs.open(AREA, uuid);
    if (!body) throw new Error("a file of a release has no bytes");
    return body;
  }

  /** The file at an address, if the principal may see its release. */
  find(principal: Principal, uuid: string): { readonly asset: ReleaseAsset; readonly seen: SeenRepo } | undefined {
    const { db, releases, repos } = this.needs;
    const asset = store.findAssetByUuid(db, uuid);
    const release = asset && findRelease(db, asset.releaseId);
    const seen = release && repos.seeById(principal, release.repoId);
    if (!asset || !seen || seen.access.on("releases") === "none") return undefined;
    return release.isDraft && !releases.maySeeDrafts(seen) ? undefined : { asset, seen };
  }

  countDownload({ id }: ReleaseAsset): void {
    const { db } = this.needs;
    db.transaction(() => store.countAssetDownload(db, id));
  }
}
