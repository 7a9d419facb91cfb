import { operator } from "../../access/principal.ts";
import type { BlobService } from "../../blobs/service.ts";
import type { Blob, StoredBlob } from "../../blobs/types.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Failure, NotFound, TooLarge, ValidationFailed } from "../../kernel/errors.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { QuotaService } from "../../quotas/service.ts";
import type { RepoService } from "../../repos/service.ts";
import * as store from "./store.ts";
import { type Artifact, type ArtifactBlock, type ArtifactKey, ArtifactStatus, type AskingJob } from "./types.ts";
import { artifactNameOf, endAfterDays, endAt, itemOf, mediaTypeOf, type SentRange } from "./values.ts";

/** Blob namespaces, keyed by the IDs of artifacts and of blocks. */
export const ARTIFACTS = "actions-artifacts";
const BLOCKS = "actions-blocks";

/** Artifacts, or files of the older protocol, per run. */
const MAX_OF_RUN = 10_000;
/** Azure's limit for one file; the protocol is Azure's. */
const MAX_BLOCKS = 50_000;
const MAX_BLOCK_KEY = 256;
/** Files of the older protocol finished per transaction. */
const SOME = 50;

export interface ArtifactUploadNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly blobs: BlobService;
  readonly quotas: QuotaService;
  readonly repos: RepoService;
  readonly maxBytes: number;
  /** Retention in days of artifacts whose sender gives none. */
  readonly standardDays: number;
}

/** A file of the older protocol, or a part of one. */
export interface SentPart {
  /** Its name and path: `dist/sub/a.txt`. */
  readonly item: string;
  readonly range: SentRange;
  /** Size of its content before compression; undefined if it was not compressed. */
  readonly contentBytes: number | undefined;
  readonly encoding: "" | "gzip";
  /** MD5 of the bytes, in base64; undefined if not given. */
  readonly md5: string | undefined;
  readonly retentionDays: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Artifact uploads by jobs (contract actions.md 7.2 and 7.3): in blocks, each a separate file until all have arrived
 * and become the artifact's file. Storage is counted from the first block on.
 */
export class ArtifactUploads {
  constructor(private readonly needs: ArtifactUploadNeeds) {}

  /** The maximum size of an artifact's file. */
  get maxBytes(): number {
    return this.needs.maxBytes;
  }

  /**
   * Creates an artifact of the newer protocol, replacing one of that name in the same attempt.
   * @param until RFC 3339; empty if not given
   * @throws BadRequest if the name is invalid; TooLarge if the owner's quota is exhausted
   */
  create(
    job: AskingJob,
    given: { readonly name: string; readonly until: string; readonly mediaType: string },
  ): Artifact {
    const { clock, db, standardDays } = this.needs;
    const name = artifactNameOf(given.name);
    const expiresAt = endAt(clock(), given.until, standardDays);
    const made = { name, path: "", mediaType: mediaTypeOf(given.mediaType), encoding: "" as const, expiresAt };
    return db.transaction(() => this.insert(job, made));
  }

  /**
   * Stores one block of an artifact, replacing one with the same key.
   * @param given its key; undefined: it follows the blocks that have arrived
   */
  async addBlock(artifactId: number, given: string | undefined, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    if (given !== undefined && (given === "" || given.length > MAX_BLOCK_KEY))
      throw new BadRequest("actions.artifact-block", { field: "blockid" });
    const { db } = this.needs;
    const { maxBytes } = this.room(artifactId);
    using stored = await this.needs.blobs.receive(bytes, { maxBytes });
    db.transaction(() => {
      const count = store.countBlocks(db, artifactId);
      if (count >= MAX_BLOCKS) throw new ValidationFailed("actions.artifact-blocks", { params: { max: MAX_BLOCKS } });
      const key = given === undefined ? `append:${count}` : `id:${given}`;
      this.putBlock(artifactId, { key, place: given === undefined ? count : null }, stored);
    });
  }

  /** Stores a whole artifact at once. */
  async addWhole(artifactId: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { blobs, db } = this.needs;
    const { maxBytes } = this.room(artifactId);
    using stored = await blobs.receive(bytes, { maxBytes });
    db.transaction(() => {
      store.deleteBlocks(db, artifactId);
      this.putBlock(artifactId, { key: "whole", place: 0 }, stored);
    });
  }

  /** Sets the blocks of an artifact and their order. @throws BadRequest if a block is missing or named twice */
  arrange(artifactId: number, keys: readonly string[]): void {
    const { db } = this.needs;
    db.transaction(() => {
      this.pending(artifactId);
      const placed = store.placeBlocks(
        db,
        artifactId,
        keys.map((key) => `id:${key}`),
      );
      if (placed !== keys.length || new Set(keys).size !== keys.length)
        throw new BadRequest("actions.artifact-block", { field: "blockid" });
    });
  }

  /**
   * Assembles an artifact from its blocks. Repeating this for a finished one is allowed.
   * @param sha256 of its bytes, hexadecimal; undefined if not given
   * @throws NotFound; Failure 500 if its bytes do not match what was announced
   */
  async finalize(
    job: AskingJob,
    {
      name,
      sha256,
      sizeBytes,
    }: { readonly name: string; readonly sizeBytes: number; readonly sha256: string | undefined },
  ): Promise<Artifact> {
    const { db } = this.needs;
    const found = store.findNamed(db, { ...job, name: artifactNameOf(name), path: "" });
    if (!found) throw new NotFound("actions.no-such-artifact");
    if (found.status === ArtifactStatus.there && this.is(found, sizeBytes, sha256)) return found;
    if (found.status !== ArtifactStatus.pending) throw new NotFound("actions.no-such-artifact");
    const blocks = placedBlocks(store.blocksOf(db, found.id));
    const isRight = totalOf(blocks) === sizeBytes;
    using whole = isRight ? await this.joined(blocks) : undefined;
    if (!whole || (sha256 !== undefined && whole.digest !== sha256)) {
      this.fail(found.id);
      throw new Failure(500, "actions.artifact-mismatch");
    }
    db.transaction(() => this.become(found.id, whole, sizeBytes));
    return { ...found, status: ArtifactStatus.there, sizeBytes };
  }

  /**
   * Stores a part of a file of the older protocol.
   * @throws BadRequest if the path or length is wrong; Failure 500 if the hash does not match; TooLarge
   */
  async addPart(job: AskingJob, part: SentPart): Promise<void> {
    const { blobs, clock, db, maxBytes, standardDays } = this.needs;
    const { encoding, range } = part;
    const { name, path } = itemOf(part.item);
    if (range.total > maxBytes) throw this.tooLarge();
    const hash = new Bun.CryptoHasher("md5");
    using stored = await blobs.receive(hashed(part.bytes, hash), { maxBytes: range.end - range.start + 1 });
    if (stored.sizeBytes !== range.end - range.start + 1)
      throw new BadRequest("actions.artifact-range", { field: "Content-Range" });
    if (part.md5 !== undefined && hash.digest("base64") !== part.md5) throw new Failure(500, "actions.artifact-md5");
    db.transaction(() => {
      const key: ArtifactKey = { ...job, name, path };
      const before = store.findNamed(db, key);
      const goesOn = before?.status === ArtifactStatus.pending && before.encoding === encoding;
      const expiresAt = endAfterDays(clock(), part.retentionDays, standardDays);
      const file = goesOn ? before : this.insert(job, { name, path, mediaType: "", encoding, expiresAt });
      // A different total: the earlier parts belonged to another file.
      if (file.announcedBytes !== undefined && file.announcedBytes !== range.total) this.dropBlocks(file.id);
      store.announce(db, file.id, range.total, part.contentBytes ?? range.total, clock());
      this.putBlock(file.id, { key: `at:${range.start}`, place: range.start }, stored);
    });
  }

  /** Assembles the files uploaded under a name from their parts. @throws BadRequest if parts of one are missing */
  async confirm(job: AskingJob, given: string): Promise<void> {
    const { db } = this.needs;
    const name = artifactNameOf(given);
    const key = { runId: job.runId, attempt: job.attempt, name };
    for (let files = store.pendingFiles(db, key, SOME); files.length > 0; files = store.pendingFiles(db, key, SOME)) {
      const made: { readonly file: Artifact; readonly whole: StoredBlob }[] = [];
      using held = new DisposableStack();
      for (const file of files) {
        const blocks = store.blocksOf(db, file.id);
        if (!followEachOther(blocks, file.announcedBytes)) {
          this.fail(file.id);
          throw new BadRequest("actions.artifact-incomplete", { params: { path: file.path } });
        }
        made.push({ file, whole: held.use(await this.joined(blocks)) });
      }
      db.transaction(() => {
        for (const { file, whole } of made) this.become(file.id, whole, undefined);
      });
      await nextTurn();
    }
  }

  /** Joins the running transaction. */
  private insert(
    job: AskingJob,
    made: Omit<Parameters<typeof store.insertArtifact>[1], "attempt" | "repoId" | "runId">,
  ) {
    const { clock, db } = this.needs;
    const { attempt, runId } = job;
    const repoId = store.repoOfRun(db, runId);
    if (repoId === undefined) throw new NotFound("actions.no-such-run", { params: { id: runId } });
    const before = store.findNamed(db, { runId, attempt, name: made.name, path: made.path });
    if (before) store.deleteArtifact(db, before.id);
    if (store.countOfRun(db, runId) >= MAX_OF_RUN)
      throw new ValidationFailed("actions.too-many-artifacts", { params: { max: MAX_OF_RUN } });
    this.requireRoom(repoId);
    return store.insertArtifact(db, { ...made, attempt, repoId, runId }, clock());
  }

  /** How many bytes the artifact may still receive. @throws NotFound if it is not being uploaded; TooLarge */
  private room(artifactId: number): { readonly maxBytes: number } {
    const { db, maxBytes } = this.needs;
    const { repoId } = this.pending(artifactId);
    this.requireRoom(repoId);
    return { maxBytes: Math.max(0, maxBytes - store.bytesOfBlocks(db, artifactId)) };
  }

  /** @throws NotFound */
  private pending(artifactId: number): Artifact {
    const found = store.findArtifact(this.needs.db, artifactId);
    if (found?.status !== ArtifactStatus.pending) throw new NotFound("actions.artifact-gone");
    return found;
  }

  /** Joins the running transaction. @throws NotFound; TooLarge */
  private putBlock(
    artifactId: number,
    { key, place }: { readonly key: string; readonly place: number | null },
    stored: StoredBlob,
  ): void {
    const { blobs, clock, db, maxBytes } = this.needs;
    const { repoId } = this.pending(artifactId);
    const id = store.putBlock(db, { artifactId, key, place, sizeBytes: stored.sizeBytes }, clock());
    blobs.refer(BLOCKS, String(id), stored);
    if (store.bytesOfBlocks(db, artifactId) > maxBytes) throw this.tooLarge();
    this.requireRoom(repoId);
  }

  /** @throws TooLarge if the owner exceeds their quota */
  private requireRoom(repoId: number): void {
    const { quotas, repos } = this.needs;
    const seen = repos.seeById(operator, repoId);
    if (!seen) throw new NotFound();
    quotas.require(seen.owner, "size:assets:artifacts");
  }

  private tooLarge(): TooLarge {
    return new TooLarge("actions.artifact-too-large", { params: { maxBytes: this.needs.maxBytes } });
  }

  /** The bytes of blocks in order, as one file. A single block already is that file. */
  private async joined(blocks: readonly ArtifactBlock[]): Promise<StoredBlob> {
    const { blobs } = this.needs;
    const [first, ...others] = blocks;
    if (first && others.length === 0) {
      const blob = blobs.of(BLOCKS, String(first.id));
      // The block holds a reference until the artifact does.
      if (blob) return { ...blob, [Symbol.dispose]: () => {} };
    }
    return blobs.receive(this.bytesOf(blocks), { maxBytes: totalOf(blocks) });
  }

  private async *bytesOf(blocks: readonly ArtifactBlock[]): AsyncGenerator<Uint8Array> {
    for (const { id } of blocks) {
      const body = this.needs.blobs.open(BLOCKS, String(id));
      if (!body) throw new NotFound("actions.artifact-gone");
      yield* body.file.stream();
    }
  }

  /** Joins the running transaction. @throws NotFound if it was deleted meanwhile */
  private become(artifactId: number, whole: StoredBlob, sizeBytes: number | undefined): void {
    const { blobs, clock, db } = this.needs;
    this.pending(artifactId);
    blobs.refer(ARTIFACTS, String(artifactId), whole);
    store.deleteBlocks(db, artifactId);
    store.finish(db, artifactId, { sizeBytes, storedBytes: whole.sizeBytes }, clock());
  }

  private fail(artifactId: number): void {
    const { clock, db } = this.needs;
    db.transaction(() => {
      store.deleteBlocks(db, artifactId);
      store.setWithoutBytes(db, artifactId, ArtifactStatus.failed, clock());
    });
  }

  private dropBlocks(artifactId: number): void {
    const { db } = this.needs;
    store.deleteBlocks(db, artifactId);
    store.clearStored(db, artifactId);
  }

  private is({ id, sizeBytes }: Artifact, size: number, sha256: string | undefined): boolean {
    const blob: Blob | undefined = this.needs.blobs.of(ARTIFACTS, String(id));
    return sizeBytes === size && (sha256 === undefined || blob?.digest === sha256);
  }
}

/** The blocks that a list named, or, if there was no list, all in order of arrival. */
function placedBlocks(blocks: readonly ArtifactBlock[]): readonly ArtifactBlock[] {
  const placed = blocks.filter(({ place }) => place !== undefined);
  return placed.length > 0 ? placed : blocks;
}

const totalOf = (blocks: readonly ArtifactBlock[]) => blocks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Whether parts cover a file without gaps or overlaps. */
function followEachOther(blocks: readonly ArtifactBlock[], totalBytes: number | undefined): boolean {
  let at = 0;
  for (const { place, sizeBytes } of blocks) {
    if (place !== at) return false;
    at += sizeBytes;
  }
  return at === totalBytes;
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}
