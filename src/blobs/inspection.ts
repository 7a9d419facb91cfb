import type { Database } from "../db/database.ts";
import type { FailureParams } from "../kernel/errors.ts";
import type { BlobFiles } from "./files.ts";
import { blobsAfter, type CountedBlob, findBlob, recountReferences } from "./store.ts";

/** A file that does not match the database. */
export interface BlobProblem {
  readonly subject: string;
  readonly code: string;
  readonly params: FailureParams;
  /** Whether `repair` can fix it; lost bytes cannot be recovered. */
  readonly canRepair: boolean;
}

/** A file being received is in the folder for as long as the upload takes; an older one was left behind. */
const STALE_MS = 24 * 3_600_000;
const BATCH = 500;

/** Compares the content-addressed files with the database, byte for byte. Only `repair` writes anything. */
export class BlobInspector {
  constructor(
    private readonly db: Database,
    private readonly files: BlobFiles,
  ) {}

  /** @returns how many files the database knows, their total bytes, and the problems found */
  async inspect(): Promise<{ files: number; bytes: number; problems: BlobProblem[] }> {
    const problems: BlobProblem[] = [];
    let [files, bytes] = [0, 0];
    for (const blob of this.all()) {
      files++;
      bytes += blob.sizeBytes;
      const trouble = await this.troubleWith(blob);
      // It may have been deleted in the meantime.
      if (trouble && findBlob(this.db, blob.digest))
        problems.push({ subject: blob.digest, ...trouble, canRepair: false });
      if ((blob.references === 0) === (blob.unreferencedSince === null)) {
        const code = blob.references === 0 ? "blob.marked-in-use" : "blob.marked-unused";
        problems.push({ subject: blob.digest, code, params: {}, canRepair: true });
      }
    }
    for (const digest of this.strays())
      problems.push({ subject: digest, code: "blob.stray", params: {}, canRepair: true });
    for (const { path } of this.stale())
      problems.push({ subject: path, code: "blob.left-behind", params: {}, canRepair: true });
    return { files, bytes, problems };
  }

  /** Only while no server runs: removes unreferenced files, and counts references again. */
  repair(): void {
    for (const digest of this.strays()) this.files.remove(digest);
    for (const { path } of this.files.leftovers()) this.files.unmark(path);
    recountReferences(this.db);
  }

  private *all(): Generator<CountedBlob> {
    for (let after = ""; ; ) {
      const some = blobsAfter(this.db, after, BATCH);
      yield* some;
      const last = some.at(-1);
      if (!last || some.length < BATCH) return;
      after = last.digest;
    }
  }

  /** Files that have no row and are not being received either. */
  private *strays(): Generator<string> {
    for (const digest of this.files.digests()) {
      if (findBlob(this.db, digest)) continue;
      if (!this.files.leftovers().some((marked) => marked.digest === digest && isRecent(marked))) yield digest;
    }
  }

  private stale() {
    return this.files.leftovers().filter((leftover) => !isRecent(leftover));
  }

  private async troubleWith({
    digest,
    sizeBytes,
  }: CountedBlob): Promise<Pick<BlobProblem, "code" | "params"> | undefined> {
    const size = this.files.sizeOf(digest);
    if (size === undefined) return { code: "blob.missing", params: {} };
    if (size !== sizeBytes) return { code: "blob.wrong-size", params: { found: size, expected: sizeBytes } };
    const hasher = new Bun.CryptoHasher("sha256");
    try {
      for await (const chunk of Bun.file(this.files.pathOf(digest)).stream()) hasher.update(chunk);
    } catch (error) {
      return { code: "blob.unreadable", params: { detail: error instanceof Error ? error.message : String(error) } };
    }
    return hasher.digest("hex") === digest ? undefined : { code: "blob.changed", params: {} };
  }
}

const isRecent = ({ changedAt }: { readonly changedAt: number }): boolean => Date.now() - changedAt < STALE_MS;
