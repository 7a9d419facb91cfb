import type { Principal } from "../access/principal.ts";
import type { BlobService } from "../blobs/service.ts";
import type { StoredBlob } from "../blobs/types.ts";
import { TooLarge } from "../kernel/errors.ts";
import { fileTooLarge, maxFileBytes, type PackageLimits } from "./limits.ts";
import type { ContentHashes, PackageType, ReceivedContent } from "./types.ts";

/** The blob namespace of package contents, keyed by SHA-256. */
export const PACKAGES = "packages";

/** Contents of packages: received at the pace of the disk, hashed with every algorithm clients ask for, and read. */
export class PackageContents {
  constructor(
    private readonly blobs: BlobService,
    private readonly limits: PackageLimits,
  ) {}

  /**
   * Receives a file. Dispose of it when the transaction that publishes it has ended.
   * @throws Forbidden if it exceeds its type's size limit; errors of the source or the disk. Leaves nothing behind.
   */
  async receive(
    source: AsyncIterable<Uint8Array>,
    { principal, type }: { readonly principal: Principal; readonly type: PackageType },
  ): Promise<ReceivedContent> {
    const hashes = {
      md5: new Bun.CryptoHasher("md5"),
      sha1: new Bun.CryptoHasher("sha1"),
      sha512: new Bun.CryptoHasher("sha512"),
    };
    async function* hashed() {
      for await (const chunk of source) {
        for (const hasher of Object.values(hashes)) hasher.update(chunk);
        yield chunk;
      }
    }
    const stored = await this.store(hashed(), maxFileBytes(this.limits, principal, type));
    return this.held(stored, {
      md5: hashes.md5.digest("hex"),
      sha1: hashes.sha1.digest("hex"),
      sha512: hashes.sha512.digest("hex"),
    });
  }

  /** Wraps a stored blob as a received content, with its other hashes. */
  held(stored: StoredBlob, hashes: Pick<ContentHashes, "md5" | "sha1" | "sha512">): ReceivedContent {
    return new HeldContent(stored, this.blobs.files.pathOf(stored.digest), hashes);
  }

  /** The blob of a received content. */
  storedOf(content: ReceivedContent): StoredBlob {
    if (!(content instanceof HeldContent)) throw new Error("a received content has a blob");
    return content.stored;
  }

  /** Receives bytes that are in memory. */
  receiveBytes(
    bytes: Uint8Array,
    from: { readonly principal: Principal; readonly type: PackageType },
  ): Promise<ReceivedContent> {
    return this.receive(once(bytes), from);
  }

  /** Takes a lasting reference, so that files may hold it. Joins the running transaction. */
  refer(content: ContentHashes): void {
    if (content instanceof HeldContent) this.blobs.refer(PACKAGES, content.sha256, content.stored);
  }

  /** The content's bytes; undefined if they are missing. */
  open(sha256: string): Bun.BunFile | undefined {
    const blob = this.blobs.of(PACKAGES, sha256);
    if (!blob || this.blobs.files.sizeOf(sha256) !== blob.sizeBytes) return undefined;
    return Bun.file(this.blobs.files.pathOf(sha256));
  }

  private async store(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredBlob> {
    try {
      return await this.blobs.receive(source, { maxBytes });
    } catch (error) {
      throw error instanceof TooLarge && error.code === "blob.too-large" ? fileTooLarge() : error;
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}

class HeldContent implements ReceivedContent {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha1: string;
  readonly sha512: string;

  constructor(
    readonly stored: StoredBlob,
    readonly path: string,
    hashes: Pick<ContentHashes, "md5" | "sha1" | "sha512">,
  ) {
    this.sha256 = stored.digest;
    this.sizeBytes = stored.sizeBytes;
    this.md5 = hashes.md5;
    this.sha1 = hashes.sha1;
    this.sha512 = hashes.sha512;
  }

  [Symbol.dispose](): void {
    this.stored[Symbol.dispose]();
  }
}
