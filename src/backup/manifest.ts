import { fsyncSync, readSync, statSync, writeSync } from "node:fs";
import { closeFile, openFile } from "../workers/descriptors.ts";
import { BackupError } from "./error.ts";

/**
 * The list of all files in a backup, in path order:
 *
 *     hearth-backup 1 {"version":…,"schema":…,"createdAt":…,"hasKey":…}
 *     <sha-256> <bytes> <- or x> <path>
 *     …
 *     end {"files":…,"bytes":…,"faults":[…]} <sha-256 of all before it>
 */
export const MANIFEST = "manifest";

export interface BackupHead {
  /** The version of Hearth that made it. */
  readonly version: string;
  readonly schema: number;
  /** Milliseconds since 1970: the instant of the snapshot. */
  readonly createdAt: number;
  readonly hasKey: boolean;
}

export interface BackupTotals {
  readonly files: number;
  readonly bytes: number;
  /** The first files that were already missing or damaged in the data directory. */
  readonly faults: readonly string[];
}

export interface BackupEntry {
  /** With slashes, relative to the backup and to the data directory. */
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly isExecutable: boolean;
}

const FORMAT = "hearth-backup 1 ";
const LINE = /^([0-9a-f]{64}) (\d{1,15}) ([-x]) (.+)$/s;
const END = /^(end (\{.*\}) )([0-9a-f]{64})$/s;
const BUFFER_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 1 << 20;
/** More than the length of the last line. */
const TAIL_BYTES = 256 * 1024;

export class ManifestWriter {
  private readonly hasher = new Bun.CryptoHasher("sha256");
  private readonly fd: number;
  private waiting = "";
  files = 0;
  bytes = 0;

  constructor(path: string, head: BackupHead) {
    this.fd = openFile(path, "wx", 0o600);
    this.write(`${FORMAT}${JSON.stringify(head)}\n`);
  }

  add({ path, sha256, sizeBytes, isExecutable }: BackupEntry): void {
    this.files++;
    this.bytes += sizeBytes;
    this.write(`${sha256} ${sizeBytes} ${isExecutable ? "x" : "-"} ${path}\n`);
  }

  /** Durable when it returns, except for its name. */
  end(faults: readonly string[]): BackupTotals {
    const totals = { files: this.files, bytes: this.bytes, faults };
    this.write(`end ${JSON.stringify(totals)} `);
    this.flush();
    writeAll(this.fd, Buffer.from(`${this.hasher.digest("hex")}\n`));
    fsyncSync(this.fd);
    return totals;
  }

  close(): void {
    closeFile(this.fd);
  }

  private write(text: string): void {
    this.waiting += text;
    if (this.waiting.length >= BUFFER_BYTES) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.from(this.waiting);
    this.waiting = "";
    this.hasher.update(bytes);
    writeAll(this.fd, bytes);
  }
}

/** Reads a manifest line by line. Each method throws BackupError `damaged` if it is malformed. */
export class ManifestReader implements Disposable {
  readonly head: BackupHead;
  private readonly fd: number;
  private readonly hasher = new Bun.CryptoHasher("sha256");
  private rest: Buffer = Buffer.alloc(0);
  private ahead: BackupEntry | undefined;
  private files = 0;
  private bytes = 0;
  /** Known once all entries have been read. */
  totals: BackupTotals | undefined;

  constructor(path: string) {
    this.fd = openFile(path, "r");
    try {
      const first = this.line();
      if (!first.startsWith(FORMAT)) throw damaged();
      this.hasher.update(`${first}\n`);
      this.head = parseHead(first.slice(FORMAT.length));
      this.ahead = this.read();
    } catch (error) {
      closeFile(this.fd);
      throw error;
    }
  }

  /** @returns undefined after the last one, when the checksum of the whole list has been verified */
  next(): BackupEntry | undefined {
    const entry = this.ahead;
    if (entry) this.ahead = this.read();
    return entry;
  }

  /** The entries below that directory, by path; earlier ones are skipped. Must be called in path order. */
  below(prefix: string): Map<string, BackupEntry> {
    const found = new Map<string, BackupEntry>();
    while (this.ahead && (this.ahead.path < prefix || this.ahead.path.startsWith(prefix))) {
      if (this.ahead.path.startsWith(prefix)) found.set(this.ahead.path, this.ahead);
      this.ahead = this.read();
    }
    return found;
  }

  [Symbol.dispose](): void {
    closeFile(this.fd);
  }

  private read(): BackupEntry | undefined {
    const line = this.line();
    const [, beginning, totals, digest] = END.exec(line) ?? [];
    if (beginning !== undefined) {
      this.hasher.update(beginning);
      if (this.hasher.digest("hex") !== digest) throw damaged();
      this.totals = parseTotals(totals ?? "");
      if (this.totals.files !== this.files || this.totals.bytes !== this.bytes) throw damaged();
      if (this.rest.length > 0 || readSync(this.fd, Buffer.alloc(1)) > 0) throw damaged();
      return undefined;
    }
    this.hasher.update(`${line}\n`);
    const [, sha256 = "", size = "", mode, path = ""] = LINE.exec(line) ?? [];
    if (!isSafe(path) || (this.ahead && path <= this.ahead.path)) throw damaged();
    this.files++;
    this.bytes += Number(size);
    return { path, sha256, sizeBytes: Number(size), isExecutable: mode === "x" };
  }

  private line(): string {
    for (;;) {
      const at = this.rest.indexOf(0x0a);
      if (at >= 0) {
        const line = this.rest.toString("utf8", 0, at);
        this.rest = this.rest.subarray(at + 1);
        return line;
      }
      const more = Buffer.alloc(BUFFER_BYTES);
      const got = readSync(this.fd, more);
      if (got === 0 || this.rest.length > MAX_LINE_BYTES) throw damaged();
      this.rest = Buffer.concat([this.rest, more.subarray(0, got)]);
    }
  }
}

/** The first and last line of a manifest. @throws BackupError `damaged` */
export function manifestSummary(path: string): BackupHead & BackupTotals {
  const { size } = statSync(path);
  const fd = openFile(path, "r");
  try {
    const head = Buffer.alloc(Math.min(size, BUFFER_BYTES));
    readSync(fd, head, 0, head.length, 0);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    const first = head.toString("utf8").split("\n", 1)[0] ?? "";
    const [, , totals] = END.exec(tail.toString("utf8").trimEnd().split("\n").at(-1) ?? "") ?? [];
    if (!first.startsWith(FORMAT) || totals === undefined) throw damaged();
    return { ...parseHead(first.slice(FORMAT.length)), ...parseTotals(totals) };
  } finally {
    closeFile(fd);
  }
}

/** Writes all bytes, even to a pipe with a slow reader. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(1);
    }
  }
}

const damaged = () => new BackupError("damaged", MANIFEST);

/** Rejects paths that leave the directory. */
const isSafe = (path: string): boolean =>
  !/[\\\0\n]/.test(path) && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

function parseHead(text: string): BackupHead {
  const { version, schema, createdAt, hasKey }: Partial<BackupHead> = parse(text);
  if (typeof version !== "string" || typeof schema !== "number" || typeof createdAt !== "number") throw damaged();
  return { version, schema, createdAt, hasKey: hasKey === true };
}

function parseTotals(text: string): BackupTotals {
  const { files, bytes, faults }: Partial<BackupTotals> = parse(text);
  if (typeof files !== "number" || typeof bytes !== "number" || !Array.isArray(faults)) throw damaged();
  return { files, bytes, faults: faults.map(String) };
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // It does not match what was written.
  }
  throw damaged();
}
