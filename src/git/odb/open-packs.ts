import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CorruptObject, MissingRepository } from "../errors.ts";
import type { Oid } from "../objects/types.ts";
import { PackFile, type PackReading } from "../packs/pack-file.ts";

/** The location of an object in a pack. */
export interface PackPlace {
  readonly pack: PackFile;
  readonly offset: number;
}

/** A directory modified this recently may change again without its mtime changing. */
const SETTLED_MS = 1000;

/** Error codes from reading a pipe, a directory or a symlink to itself. */
const NO_FILE = /^(ESPIPE|EISDIR|ENXIO|ELOOP|ENOTDIR)$/;

/** The open packs of a directory, most recently useful first, and of extra directories, which are scanned once. */
export class OpenPacks implements Iterable<PackFile> {
  /** By path without extension. */
  private open = new Map<string, PackFile>();
  private order: PackFile[] = [];
  /** Packs that vanished but whose places a caller may still hold. */
  private vanished: PackFile[] = [];
  private readonly broken = new Map<string, number>();
  private scannedMtimeMs = -1;
  private settled = false;

  constructor(
    private readonly packDir: string,
    private readonly reading: PackReading,
    private readonly furtherDirs: readonly string[],
  ) {
    for (const directory of furtherDirs) this.addPacks(directory, this.open);
    this.order = [...this.open.values()];
    this.rescan();
  }

  [Symbol.iterator](): Iterator<PackFile> {
    return this.order[Symbol.iterator]();
  }

  /** Finds the first pack containing the object and moves it to the front. */
  locate(oid: Oid): PackPlace | undefined {
    for (let i = 0; i < this.order.length; i++) {
      const pack = this.order[i]!;
      const offset = pack.index.find(oid);
      if (offset < 0) continue;
      if (i > 0) {
        this.order.splice(i, 1);
        this.order.unshift(pack);
      }
      return { pack, offset };
    }
    return undefined;
  }

  /** Closes vanished packs. No caller may still be copying from them. */
  releaseVanished(): void {
    for (const pack of this.vanished.splice(0)) pack.release();
  }

  close(): void {
    for (const pack of this.open.values()) pack.release();
    this.releaseVanished();
    this.open.clear();
    this.order = [];
  }

  /**
   * Scans the pack directory again if it may have changed; returns whether anything did.
   * @throws MissingRepository
   */
  rescan(): boolean {
    const mtimeMs = statSync(this.packDir, { throwIfNoEntry: false })?.mtimeMs ?? this.withoutPacks();
    if (mtimeMs === this.scannedMtimeMs && this.settled) return false;
    this.scannedMtimeMs = mtimeMs;
    this.settled = Date.now() - mtimeMs > SETTLED_MS;
    const before = this.open;
    const now = new Map<string, PackFile>();
    const seen = this.addPacks(this.packDir, now, before);
    for (const [stem, pack] of before) {
      if (now.has(stem)) continue;
      if (stem.startsWith(`${this.packDir}/`) && !seen.has(stem)) this.vanished.push(pack);
      else now.set(stem, pack);
    }
    const changed = now.size !== before.size || [...now.keys()].some((stem) => !before.has(stem));
    if (!changed) return false;
    this.open = now;
    const known = new Set(this.order);
    this.order = [
      ...[...now.values()].filter((pack) => !known.has(pack)),
      ...this.order.filter((pack) => now.get(pack.stem) === pack),
    ];
    return true;
  }

  /**
   * A repository may have no pack directory, but if its disk is missing there is no objects directory either. A
   * quarantine has neither: its packs are in one of the further directories.
   */
  private withoutPacks(): number {
    const objects = dirname(this.packDir);
    if (this.furtherDirs.length > 0) return 0;
    if (!statSync(objects, { throwIfNoEntry: false })?.isDirectory()) throw new MissingRepository(dirname(objects));
    return 0;
  }

  private addPacks(directory: string, into: Map<string, PackFile>, known?: Map<string, PackFile>): Set<string> {
    let names: string[] = [];
    try {
      names = readdirSync(directory);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
    const stems = new Set(
      names.filter((name) => name.endsWith(".idx")).map((name) => `${directory}/${name.slice(0, -4)}`),
    );
    for (const stem of stems) {
      const pack = known?.get(stem) ?? this.tryOpen(stem);
      if (pack) into.set(stem, pack);
    }
    return stems;
  }

  /** A pack that cannot be opened hides only its own objects. It is retried when its index changes. */
  private tryOpen(stem: string): PackFile | undefined {
    // lstat, because a symlink to itself has an mtime too.
    const mtimeMs = lstatSync(`${stem}.idx`, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined || this.broken.get(stem) === mtimeMs) return undefined;
    try {
      return PackFile.open(stem, this.reading);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      const missing = code === "ENOENT";
      if (!missing && !(error instanceof CorruptObject) && !NO_FILE.test(code)) throw error;
      if (!missing) this.broken.set(stem, mtimeMs);
      return undefined;
    }
  }
}
