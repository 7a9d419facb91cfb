import type { BlobService } from "../../blobs/service.ts";
import type { Database } from "../../db/database.ts";
import type { LfsPointer } from "../../git/lfs/pointer.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import { TooLarge, ValidationFailed } from "../../kernel/errors.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import type { RemoteAddress } from "../../remotes/address.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { LfsPointers } from "../pointers/service.ts";
import type { LfsObjects } from "../service.ts";
import type { LfsUploads } from "../uploads.ts";
import { isPointer } from "../values.ts";
import { LfsClient, MAX_BATCH, type RemoteObject } from "./client.ts";
import { lfsEndpointOf, parseLfsEndpoint } from "./endpoint.ts";

export interface LfsRemoteParts {
  readonly blobs: BlobService;
  readonly db: Database;
  readonly objects: LfsObjects;
  readonly outbound: OutboundClient;
  readonly pointers: LfsPointers;
  readonly refs: RefService;
  readonly uploads: LfsUploads;
  /** Per object; 0: unlimited. */
  readonly maxBytes: number;
  readonly limits: { readonly timeoutMs: number; readonly idleMs: number };
}

export interface LfsTransfer {
  /** The remote repository. */
  readonly address: RemoteAddress;
  /** Its LFS endpoint; empty: the default of git LFS. */
  readonly endpoint: string;
  readonly signal: AbortSignal;
  /** How many are finished. */
  readonly onProgress?: (count: number) => void;
}

/** Transfers large files between a repository here and one on another server, as git LFS would. */
export class LfsRemote {
  constructor(private readonly parts: LfsRemoteParts) {}

  /** Whether a repository may have large files to send. */
  mayHave(seen: SeenRepo): boolean {
    const { objects } = this.parts;
    return objects.isEnabled && objects.hasAny(seen);
  }

  /** Parses an endpoint that overrides the default address. @throws ValidationFailed as `parseRemoteAddress` */
  addressOf(endpoint: string): RemoteAddress {
    return parseLfsEndpoint(endpoint);
  }

  /**
   * Fetches objects that the repository's refs point at and it lacks. Those the other server does not have stay
   * missing, as they do in clones from there. @returns how many were fetched
   * @throws TooLarge the owner may store nothing more; Failure `remote.…`; `lfs.…` the bytes do not match
   */
  async fetch(seen: SeenRepo, transfer: LfsTransfer): Promise<number> {
    const { objects, refs } = this.parts;
    if (!objects.isEnabled) return 0;
    const tips = refs.tips(seen.repo.id).split("\n").filter(isOid);
    const missing = (await this.named(seen, tips, [])).filter((pointer) => !this.isHere(seen, pointer));
    const client = this.client(transfer);
    let count = 0;
    for (let at = 0; at < missing.length; at += MAX_BATCH) {
      const batch = await client.batch("download", missing.slice(at, at + MAX_BATCH));
      if (!batch) throw new ValidationFailed("lfs.none-elsewhere", { params: { host: hostOf(transfer) } });
      for (const object of batch) {
        transfer.signal.throwIfAborted();
        if (await this.take(seen, client, object)) transfer.onProgress?.(++count);
      }
    }
    return count;
  }

  /**
   * Sends objects reachable from the pushed refs but not from the existing ones, if the other server lacks them and
   * supports LFS at all. @param tips the refs' new targets there @param there what its refs point at already
   * @throws Failure `remote.…`
   */
  async push(seen: SeenRepo, tips: readonly Oid[], there: readonly Oid[], transfer: LfsTransfer): Promise<void> {
    if (transfer.address.scheme === "git" || !this.mayHave(seen)) return;
    const named = (await this.named(seen, tips, there)).filter((pointer) => this.isHere(seen, pointer));
    const client = this.client(transfer);
    let count = 0;
    for (let at = 0; at < named.length; at += MAX_BATCH) {
      const batch = await client.batch("upload", named.slice(at, at + MAX_BATCH));
      if (!batch) return;
      for (const object of batch) {
        transfer.signal.throwIfAborted();
        await this.give(seen, client, object);
        transfer.onProgress?.(++count);
      }
    }
  }

  private client({ address, endpoint, signal }: LfsTransfer): LfsClient {
    return new LfsClient(this.parts.outbound, lfsEndpointOf(address, endpoint), signal, this.parts.limits);
  }

  /** Each object once. */
  private async named({ repo }: SeenRepo, wants: readonly Oid[], haves: readonly Oid[]): Promise<LfsPointer[]> {
    const found = await this.parts.pointers.between(repo, wants, haves);
    return [...new Map(found.filter(isPointer).map(({ oid, sizeBytes }) => [oid, { oid, sizeBytes }])).values()];
  }

  private isHere(seen: SeenRepo, { oid, sizeBytes }: LfsPointer): boolean {
    const { objects } = this.parts;
    const found = objects.find(seen, oid);
    return found !== undefined && found.sizeBytes === sizeBytes && objects.isStored(found);
  }

  /** @returns whether the other server had it */
  private async take(seen: SeenRepo, client: LfsClient, object: RemoteObject): Promise<boolean> {
    const { blobs, db, maxBytes, uploads } = this.parts;
    const { oid, sizeBytes } = object.pointer;
    if (object.errorCode !== 0) return false;
    if (maxBytes > 0 && sizeBytes > maxBytes) throw new ValidationFailed("lfs.too-large", { params: { maxBytes } });
    uploads.requireRoom(seen.owner, sizeBytes);
    const bytes = await client.download(object);
    if (!bytes) return false;
    using stored = await client.worded(() =>
      blobs.receive(bytes, { maxBytes: sizeBytes }).catch((error: unknown) => {
        throw error instanceof TooLarge ? new ValidationFailed("lfs.wrong-size") : error;
      }),
    );
    if (stored.sizeBytes !== sizeBytes) throw new ValidationFailed("lfs.wrong-size");
    if (stored.digest !== oid) throw new ValidationFailed("lfs.wrong-hash");
    db.transaction(() => uploads.add(seen.owner, seen.repo, stored));
    return true;
  }

  private async give(seen: SeenRepo, client: LfsClient, object: RemoteObject): Promise<void> {
    const { objects } = this.parts;
    const { oid } = object.pointer;
    if (object.errorCode !== 0)
      throw new ValidationFailed("lfs.refused-elsewhere", { params: { oid, code: object.errorCode } });
    if (!object.actions.upload) return;
    const found = objects.find(seen, oid);
    const body = found && objects.open(found);
    // It may have been deleted meanwhile.
    if (body) await client.upload(object, body.file.stream());
  }
}

const hostOf = ({ address, endpoint }: LfsTransfer) => new URL(lfsEndpointOf(address, endpoint).url).host;
