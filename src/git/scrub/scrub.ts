import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { GitError, ObjectTooLarge } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { hashObject } from "../objects/hash.ts";
import type { Oid } from "../objects/types.ts";
import { objectFormatOf } from "../odb/folder-format.ts";
import { LooseObjects } from "../odb/loose.ts";
import { ObjectStore } from "../odb/store.ts";
import type { Damage, ScrubFinding, ScrubReport } from "./finding.ts";
import { Pacer } from "./pacer.ts";
import { isHitBy, Reach } from "./reach.ts";
import { hashStream, isMissing, scrubPack } from "./scrub-pack.ts";

export interface ScrubOptions {
  /** All refs and the objects they point to. */
  readonly refs: readonly { readonly name: string; readonly oid: Oid }[];
  /** The share of one core it may use: above 0, at most 1. */
  readonly coreShare: number;
  /** Called with how many bytes of the files have been read. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** How many objects and refs of a finding are named; all are counted. */
const MAX_NAMED = 20;
const MAX_LOOSE_BYTES = 16 * 1024 * 1024;

/**
 * Reads everything a repository stores and compares it with its checksums and ids: packs, their indexes, loose objects;
 * and finds objects reachable from refs that are missing. Writes nothing. May run alongside pushes and maintenance.
 * @throws the signal's reason; the system's error
 */
export async function scrubRepository(repoDir: string, options: ScrubOptions): Promise<ScrubReport> {
  if (!isDirectory(join(repoDir, "objects"))) return nothingThere(options);
  const scrub = new Scrub(repoDir, options);
  await scrub.packs();
  await scrub.loose();
  return scrub.report();
}

class Scrub {
  private readonly format: ObjectFormat;
  private readonly pacer: Pacer;
  private readonly stems: readonly string[];
  private readonly damages: Damage[] = [];
  private readonly totalBytes: number;
  private objects = 0;
  private bytes = 0;

  constructor(
    private readonly repoDir: string,
    private readonly options: ScrubOptions,
  ) {
    this.format = objectFormatOf(repoDir);
    this.pacer = new Pacer(options.coreShare, options.signal);
    const packDir = join(repoDir, "objects", "pack");
    const names = (isDirectory(packDir) ? readdirSync(packDir) : []).filter((name) =>
      /^pack-[0-9a-f]+\.(pack|idx)$/.test(name),
    );
    this.stems = [...new Set(names.map((name) => join(packDir, name.replace(/\.\w+$/, ""))))].sort();
    this.totalBytes = this.stems.reduce((sum, stem) => sum + sizeOf(`${stem}.pack`), 0);
  }

  async packs(): Promise<void> {
    for (const stem of this.stems) {
      const count = (bytes: number) => {
        this.bytes += bytes;
        this.options.onProgress?.(this.bytes, Math.max(this.totalBytes, this.bytes));
      };
      const found = await scrubPack(stem, this.format, this.pacer, count, this.options.signal);
      if (!found) continue;
      this.objects += found.objects;
      for (const { extension, message, oids } of found.troubles)
        this.damages.push({ file: this.nameOf(`${stem}.${extension}`), message, oids });
    }
  }

  async loose(): Promise<void> {
    const loose = new LooseObjects(join(this.repoDir, "objects"), this.format);
    try {
      for (const oid of loose.list()) {
        this.pacer.rest();
        const diskBytes = loose.diskBytes(oid);
        if (diskBytes === undefined) continue;
        this.objects++;
        this.bytes += diskBytes;
        const message = await this.troubleWith(loose, oid);
        if (message !== undefined && loose.has(oid))
          this.damages.push({ file: this.nameOf(loose.path(oid)), message, oids: new Set([oid]) });
      }
    } finally {
      loose.close();
    }
  }

  private async troubleWith(loose: LooseObjects, oid: Oid): Promise<string | undefined> {
    const other = "it holds another object";
    try {
      const object = loose.read(oid, MAX_LOOSE_BYTES);
      return object && hashObject(this.format, object.type, object.data) !== oid ? other : undefined;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (!(error instanceof ObjectTooLarge)) return error.message;
    }
    try {
      const header = loose.header(oid);
      const stream = loose.stream(oid);
      if (!header || !stream) return undefined;
      const actual = await hashStream(this.format, header.type, header.sizeBytes, stream, this.pacer);
      return actual === oid ? undefined : other;
    } catch (error) {
      if (error instanceof GitError) return error.message;
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** What is damaged, which of it is lost, and what that affects. */
  report(): ScrubReport {
    const store = ObjectStore.open(this.repoDir, { verify: true, format: this.format });
    try {
      const reach = new Reach(store, this.pacer);
      const lost = this.damages.map(({ oids }) => [...oids].filter((oid) => !this.isReadable(store, oid)));
      lost.forEach((oids, at) => {
        for (const oid of oids) reach.lose(oid, at + 1);
      });
      const hits = this.options.refs.map(({ name, oid }) => ({ name, bits: reach.from(oid) }));
      const refsOf = (finding: number) => hits.filter(({ bits }) => isHitBy(bits, finding)).map(({ name }) => name);
      const findings = this.damages.map((damage, at) => finding(damage, lost[at]?.length ?? 0, refsOf(at + 1)));
      const { missing } = reach;
      if (missing.size > 0) {
        const damage = { file: "objects", message: "objects that refs lead to are missing", oids: missing };
        findings.push(finding(damage, missing.size, refsOf(0)));
      }
      return { objects: this.objects, bytes: this.bytes, findings };
    } finally {
      store.close();
    }
  }

  private isReadable(store: ObjectStore, oid: Oid): boolean {
    this.pacer.rest();
    try {
      return store.read(oid) !== undefined;
    } catch (error) {
      if (error instanceof GitError) return false;
      throw error;
    }
  }

  private nameOf(path: string): string {
    return path.slice(this.repoDir.length + 1);
  }
}

function finding({ file, message, oids }: Damage, lostCount: number, refs: readonly string[]): ScrubFinding {
  return {
    file,
    message,
    objects: [...oids].slice(0, MAX_NAMED),
    objectCount: oids.size,
    lostCount,
    refs: refs.slice(0, MAX_NAMED),
    refCount: refs.length,
  };
}

/** Everything reachable from refs is unavailable, whether lost or on a disk that is not mounted. */
function nothingThere({ refs }: ScrubOptions): ScrubReport {
  const tips = new Set(refs.map(({ oid }) => oid));
  const names = refs.map(({ name }) => name);
  const damage = { file: "objects", message: "the repository's folder is not there", oids: tips };
  return { objects: 0, bytes: 0, findings: [finding(damage, tips.size, names)] };
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
