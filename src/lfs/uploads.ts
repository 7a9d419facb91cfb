import type { User } from "../access/user.ts";
import type { BlobService } from "../blobs/service.ts";
import type { StoredBlob } from "../blobs/types.ts";
import type { Database } from "../db/database.ts";
import type { LfsPointer } from "../git/lfs/pointer.ts";
import { clientNetwork } from "../kernel/client-network.ts";
import type { Clock } from "../kernel/clock.ts";
import { TooLarge, ValidationFailed } from "../kernel/errors.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import type { QuotaService } from "../quotas/service.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import type { LfsAccess } from "./access.ts";
import type { LfsObjects } from "./service.ts";
import { insertObject } from "./store.ts";
import { checkPointer } from "./values.ts";

/** git-lfs uploads eight at a time. */
const UPLOADS_OF_ONE_ACCOUNT = 8;
const UPLOADS_OF_ONE_NETWORK = 16;

export interface LfsUploadParts {
  readonly access: LfsAccess;
  readonly blobs: BlobService;
  readonly clock: Clock;
  readonly db: Database;
  readonly objects: LfsObjects;
  readonly quotas: QuotaService;
  /** Per object; 0: unlimited. */
  readonly maxBytes: number;
}

export interface LfsUpload {
  readonly pointer: LfsPointer;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly address: string;
  readonly signal: AbortSignal;
}

/** Receives objects: streamed, hashed on the way, durable and in place before the upload is confirmed. */
export class LfsUploads {
  private readonly turnsOfAccount = new Semaphore(UPLOADS_OF_ONE_ACCOUNT);
  private readonly turnsOfNetwork = new Semaphore<string>(UPLOADS_OF_ONE_NETWORK);

  constructor(private readonly parts: LfsUploadParts) {}

  /**
   * An uploader must have all the bytes, even if the object is already stored (contract git-content.md 16.4).
   * @throws ValidationFailed the bytes do not match the pointer; TooLarge the owner may store nothing more;
   * Unauthorised the right to write was lost meanwhile. Nothing is stored then.
   */
  async receive(seen: SeenRepo, { address, bytes, pointer, signal }: LfsUpload): Promise<void> {
    const { access, blobs, maxBytes, objects, quotas } = this.parts;
    const { oid, sizeBytes } = checkPointer(pointer);
    const present = objects.find(seen, oid);
    if (present && present.sizeBytes !== sizeBytes) throw new ValidationFailed("lfs.wrong-size");
    if (present && objects.isStored(present)) return;
    if (maxBytes > 0 && sizeBytes > maxBytes) throw new ValidationFailed("lfs.too-large", { params: { maxBytes } });
    quotas.require(seen.owner, "size:git:lfs", present ? 0 : sizeBytes);
    const leave = await this.enter(seen, address, signal);
    try {
      using stored = await blobs.receive(bytes, { maxBytes: sizeBytes }).catch((error: unknown) => {
        throw error instanceof TooLarge ? new ValidationFailed("lfs.wrong-size") : error;
      });
      if (stored.sizeBytes !== sizeBytes) throw new ValidationFailed("lfs.wrong-size");
      if (stored.digest !== oid) throw new ValidationFailed("lfs.wrong-hash");
      this.parts.db.transaction(() => {
        const now = access.still(seen, "write", "lfs.no-push");
        this.add(now.owner, now.repo, stored);
      });
    } finally {
      leave();
    }
  }

  /** Checked before fetching that much. @throws TooLarge the owner may store no more */
  requireRoom(owner: User, moreBytes: number): void {
    this.parts.quotas.require(owner, "size:git:lfs", moreBytes);
  }

  /** Adds stored bytes to the repository. In the running transaction. @throws TooLarge */
  add(owner: User, repo: Repo, stored: StoredBlob): void {
    const { blobs, clock, db, objects, quotas } = this.parts;
    const { digest: oid, sizeBytes } = stored;
    if (!objects.find({ repo }, oid)) quotas.require(owner, "size:git:lfs", sizeBytes);
    blobs.refer("lfs", `${repo.id}:${oid}`, stored);
    insertObject(db, { repoId: repo.id, oid, sizeBytes, updatedAt: clock() });
  }

  private async enter({ principal, repo }: SeenRepo, address: string, signal: AbortSignal): Promise<() => void> {
    const leaveAccount = await this.turnsOfAccount.enter(principal.user?.id ?? -repo.id, signal);
    try {
      const leaveNetwork = await this.turnsOfNetwork.enter(clientNetwork(address), signal);
      return () => {
        leaveNetwork();
        leaveAccount();
      };
    } catch (error) {
      leaveAccount();
      throw error;
    }
  }
}
