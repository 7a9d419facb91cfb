import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, syncPath } from "../git/durable.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { TooLarge } from "../kernel/errors.ts";
import { randomHex } from "../kernel/ids.ts";
import { SNIFFED_BYTES, sniffMediaType } from "./media-type.ts";
import type { Blob } from "./types.ts";

const DIGEST = /^[0-9a-f]{64}$/;
/** The mark of a file that may have to be deleted: nothing refers to it yet, or nothing does any more. */
const MARK = /^([0-9a-f]{64})\.[0-9a-f]+$/;

/**
 * The folder of content-addressed files:
 *
 *     blobs/ab/ab…        a file, named by the SHA-256 of its bytes, never changed
 *     blobs/incoming/<random>           a file being received
 *     blobs/incoming/<digest>.<random>  an empty mark: the file with that digest is being added or removed
 *
 * A mark exists while a file may be in place without a row in the database; a start examines the marked files.
 */
export class BlobFiles {
  readonly root: string;
  private readonly incoming: string;

  constructor(
    dataDir: string,
    private readonly crash: CrashPoint,
  ) {
    this.root = join(dataDir, "blobs");
    this.incoming = join(this.root, "incoming");
  }

  /** @throws Error if it is not a digest: no file is named by anything else (security rule E10) */
  pathOf(digest: string): string {
    if (!DIGEST.test(digest)) throw new Error("not a digest");
    return join(this.root, digest.slice(0, 2), digest);
  }

  /**
   * Receives a file at the disk's pace, hashing it on the way, and flushes its bytes. It is not yet in its final place.
   * @throws TooLarge; the source's error; the file system's error. Nothing is left behind then.
   */
  async receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ blob: Blob; temporary: string }> {
    const { open, rm } = await import("node:fs/promises");
    makeDirectory(this.incoming, 0o700);
    const temporary = join(this.incoming, randomHex(16));
    const hasher = new Bun.CryptoHasher("sha256");
    const head: Uint8Array[] = [];
    let [sizeBytes, headBytes] = [0, 0];
    const file = await open(temporary, "wx", 0o600);
    try {
      for await (const chunk of source) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxBytes) throw new TooLarge("blob.too-large", { params: { maxBytes } });
        hasher.update(chunk);
        if (headBytes < SNIFFED_BYTES) {
          // A copy, because the source may reuse its buffer.
          head.push(chunk.slice(0, SNIFFED_BYTES - headBytes));
          headBytes += head.at(-1)?.byteLength ?? 0;
        }
        for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten;
      }
      await file.sync();
      await file.close();
      this.crash("blobs.written");
      const mediaType = await sniffMediaType(Buffer.concat(head));
      return { blob: { digest: hasher.digest("hex"), sizeBytes, mediaType }, temporary };
    } catch (error) {
      await file.close().catch(() => {});
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }

  /**
   * Durably moves a received file into place, even if the same bytes are already there: that takes the same time, and
   * repairs a damaged file.
   * @returns the mark, to be passed to `unmark` once the database refers to the file
   */
  place(digest: string, temporary: string): string {
    const path = this.pathOf(digest);
    makeDirectory(join(path, ".."), 0o700);
    const mark = this.mark(digest);
    renameSync(temporary, path);
    this.crash("blobs.renamed");
    syncPath(join(path, ".."));
    this.crash("blobs.placed");
    return mark;
  }

  /** Marks that a file may exist without a row. Not flushed: after a power cut, doctor finds such a file. */
  mark(digest: string): string {
    makeDirectory(this.incoming, 0o700);
    const mark = join(this.incoming, `${digest}.${randomHex(8)}`);
    writeFileSync(mark, "", { mode: 0o600 });
    return mark;
  }

  unmark(mark: string): void {
    rmSync(mark, { force: true });
  }

  discard(temporary: string): void {
    rmSync(temporary, { force: true });
  }

  /** Deletes a file for good; a missing one is not an error. */
  remove(digest: string): void {
    try {
      unlinkSync(this.pathOf(digest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }

  /** @returns undefined if it is missing or not a regular file: a link would expose its target, a pipe never ends */
  sizeOf(digest: string): number | undefined {
    const found = lstatSync(this.pathOf(digest), { throwIfNoEntry: false });
    return found?.isFile() ? found.size : undefined;
  }

  /** What a crashed process left: marks, and partially received files. Only while no other process writes here. */
  leftovers(): { readonly path: string; readonly digest: string | undefined; readonly changedAt: number }[] {
    if (!existsSync(this.incoming)) return [];
    return readdirSync(this.incoming).flatMap((name) => {
      const path = join(this.incoming, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? [{ path, digest: MARK.exec(name)?.[1], changedAt: found.mtimeMs }] : [];
    });
  }

  /** The digests of all files in place, one folder at a time. */
  *digests(): Generator<string> {
    if (!existsSync(this.root)) return;
    for (const shelf of readdirSync(this.root).sort()) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      for (const name of readdirSync(join(this.root, shelf))) if (DIGEST.test(name)) yield name;
    }
  }
}
