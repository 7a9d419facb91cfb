import type { Principal } from "../access/principal.ts";
import type { BlobService } from "../blobs/service.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Failure, NotFound } from "../kernel/errors.ts";
import { randomBytes } from "../kernel/ids.ts";
import type { PackageContents } from "./contents.ts";
import { fileTooLarge, maxFileBytes, type PackageLimits } from "./limits.ts";
import type { ContentHashes, ReceivedContent, SeenPackages } from "./types.ts";
import * as store from "./uploads-store.ts";

/** The blob namespace of chunks, by upload and position. */
const CHUNKS = "package-chunks";

export interface UploadParts {
  readonly blobs: BlobService;
  readonly clock: Clock;
  readonly contents: PackageContents;
  readonly db: Database;
  readonly limits: PackageLimits;
}

/** The range of bytes that a chunk claims, both ends inclusive. */
export interface ChunkRange {
  readonly start: number;
  /** undefined if not given. */
  readonly end: number | undefined;
}

const MAX_CHUNKS = 10_000;
const notReached = new Error("a piece that was received has its blob");

/** Image blobs uploaded in chunks: each is durable on arrival; a blob that arrives in one chunk is not rewritten. */
export class PackageUploads {
  /** Uploads that a request is writing to. */
  private readonly busy = new Set<string>();

  constructor(private readonly parts: UploadParts) {}

  start({ owner }: SeenPackages, image: string): store.PackageUpload {
    const { clock, db } = this.parts;
    const letters = [...randomBytes(25)].map((byte) => (byte % 36).toString(36)).join("");
    store.insertUpload(db, { id: letters, ownerId: owner.id, image }, clock());
    return this.find({ owner }, image, letters);
  }

  /** An upload of that owner and image. @throws NotFound */
  find({ owner }: Pick<SeenPackages, "owner">, image: string, id: string): store.PackageUpload {
    const found = store.findUpload(this.parts.db, id);
    if (!found || found.ownerId !== owner.id || found.image !== image) throw new NotFound("packages.upload-unknown");
    return found;
  }

  /**
   * Appends a chunk.
   * @param range where the sender says it belongs; undefined if not given
   * @throws BadRequest for a second chunk without a range; Failure 416 for one that does not follow on; Forbidden if it
   *   is too large
   */
  async append(
    { owner, principal }: SeenPackages,
    upload: store.PackageUpload,
    bytes: AsyncIterable<Uint8Array>,
    range: ChunkRange | undefined,
  ): Promise<store.PackageUpload> {
    if (range ? range.start !== upload.bytesReceived : upload.bytesReceived > 0)
      throw range ? new Failure(416, "packages.upload-range") : new BadRequest("packages.upload-stream");
    if (this.busy.has(upload.id)) throw new Failure(416, "packages.upload-range");
    this.busy.add(upload.id);
    try {
      using content = await this.receive(principal, upload, bytes);
      if (range?.end !== undefined && content.sizeBytes !== range.end - range.start + 1)
        throw new BadRequest("packages.upload-size");
      if (content.sizeBytes > 0) this.add(upload, content);
      return this.find({ owner }, upload.image, upload.id);
    } finally {
      this.busy.delete(upload.id);
    }
  }

  /** The uploaded bytes as one content, ready to be referenced. @throws as `append` */
  async finish({ principal }: SeenPackages, upload: store.PackageUpload): Promise<ReceivedContent> {
    const { contents, db } = this.parts;
    const chunks = store.chunksOf(db, upload.id);
    const [only, ...more] = chunks;
    if (only && more.length === 0) return this.hold(upload, only);
    return contents.receive(this.joined(upload, chunks), { principal, type: "container" });
  }

  /** Ends an upload and deletes its chunks unless referenced elsewhere. Joins the running transaction, or is one. */
  remove({ id }: store.PackageUpload): void {
    store.deleteUpload(this.parts.db, id);
  }

  private add(upload: store.PackageUpload, content: ReceivedContent): void {
    const { blobs, clock, contents, db } = this.parts;
    db.transaction(() => {
      const present = store.findUpload(db, upload.id);
      if (present?.bytesReceived !== upload.bytesReceived) throw new Failure(416, "packages.upload-range");
      const position = store.addChunk(db, upload.id, content, clock());
      if (position >= MAX_CHUNKS) throw new BadRequest("packages.upload-range");
      blobs.refer(CHUNKS, `${upload.id}:${position}`, contents.storedOf(content));
    });
  }

  private receive(
    principal: Principal,
    { bytesReceived }: store.PackageUpload,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<ReceivedContent> {
    const maxBytes = maxFileBytes(this.parts.limits, principal, "container");
    async function* bounded() {
      let received = bytesReceived;
      for await (const chunk of bytes) {
        received += chunk.byteLength;
        if (received > maxBytes) throw fileTooLarge();
        yield chunk;
      }
    }
    return this.parts.contents.receive(bounded(), { principal, type: "container" });
  }

  /** The blob of the only chunk; the chunk holds it until the upload is removed. */
  private hold(upload: store.PackageUpload, chunk: store.UploadChunk): ReceivedContent {
    const { blobs, contents } = this.parts;
    const blob = blobs.of(CHUNKS, `${upload.id}:${chunk.position}`);
    if (!blob) throw notReached;
    const hashes: ContentHashes = chunk;
    return contents.held({ ...blob, [Symbol.dispose]: () => {} }, hashes);
  }

  private async *joined(upload: store.PackageUpload, chunks: readonly store.UploadChunk[]): AsyncGenerator<Uint8Array> {
    for (const { position } of chunks) {
      const body = this.parts.blobs.open(CHUNKS, `${upload.id}:${position}`);
      if (!body) throw notReached;
      yield* body.file.stream();
    }
  }
}
