import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, syncPath } from "../git/durable.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { TooLarge } from "../kernel/errors.ts";
import { randomHex } from "../kernel/ids.ts";
import { SNIFFED_BYTES, sniffMediaType } from "./media-type.ts";
import type { Blob } from "./types.ts";

const DIGEST = /^[0-9a-f]{64}$/;
/** A file that may have to go: nothing refers to it yet, or nothing any more. */
const MARK = /^([0-9a-f]{64})\.[0-9a-f]+$/;

/**
 * The folder of content-addressed files:
 *
 *     blobs/ab/ab…        a file, named by the SHA-256 of its bytes, never changed
 *     blobs/incoming/<random>           one that is being received
 *     blobs/incoming/<digest>.<random>  an empty mark: the file of that digest is on its way in or out
 *
 * A mark is there while a file may be in place without a row in the database; a start examines what is marked.
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

  /** @throws Error what is no digest names no file (security rule E10) */
  pathOf(digest: string): string {
    if (!DIGEST.test(digest)) throw new Error("not a digest");
    return join(this.root, digest.slice(0, 2), digest);
  }

  /**
   * Receives a file at the pace of the disk, hashing it on its way, and flushes its bytes. Its name is not there yet.
   * @throws TooLarge; the source's error; the file system's error. Nothing stays then.
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
          // A copy: the source may use its buffer again.
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
   * Puts a received file in its place, durably, also where the same bytes are already: it takes the same time, and a file
   * that was damaged is whole again.
   * @returns the mark, for `unmark` when the database knows of it
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

  /** Notes that a file may be there without a row. Not flushed: what a power cut leaves is a file that doctor finds. */
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

  /** Takes a file away for good; one that is not there is fine. */
  remove(digest: string): void {
    try {
      unlinkSync(this.pathOf(digest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }

  /** @returns undefined when it is not there, or something else is: a link would give away what it leads to, a pipe never ends */
  sizeOf(digest: string): number | undefined {
    const found = lstatSync(this.pathOf(digest), { throwIfNoEntry: false });
    return found?.isFile() ? found.size : undefined;
  }

  /** What a process that died left: marks, and files that were being received. Only while no other process writes here. */
  leftovers(): { readonly path: string; readonly digest: string | undefined; readonly changedAt: number }[] {
    if (!existsSync(this.incoming)) return [];
    return readdirSync(this.incoming).flatMap((name) => {
      const path = join(this.incoming, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? [{ path, digest: MARK.exec(name)?.[1], changedAt: found.mtimeMs }] : [];
    });
  }

  /** The digests of all files in place, a folder at a time. */
  *digests(): Generator<string> {
    if (!existsSync(this.root)) return;
    for (const shelf of readdirSync(this.root).sort()) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      for (const name of readdirSync(join(this.root, shelf))) if (DIGEST.test(name)) yield name;
    }
  }
}
