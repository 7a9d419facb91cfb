import { mkdirSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import type { SideBand } from "../wire/sideband.ts";
import type { Emit } from "./output.ts";

/** The rest of a response to send, in order: bytes, and ranges of files (start inclusive, end exclusive). */
export type AnswerRest = readonly RestPart[];
export type RestPart =
  | { readonly bytes: Uint8Array }
  | {
      readonly path: string;
      readonly start: number;
      readonly end: number;
      /** How to frame the bytes; undefined sends them as they are. */
      readonly sideBand: SideBand | undefined;
    };

/** A reader that does not accept available data for this long is slow. */
const SLOW_AFTER_MS = 100;
/** Limits on data buffered for a slow reader in memory, and in a file. */
const MAX_HELD_BYTES = 64 * 1024;
const MAX_SPOOLED_BYTES = 2 * 1024 ** 3;

/**
 * The destination of a response. A slow reader does not block a thread: from then on generated data goes into a file,
 * and stored packs are only referenced instead of copied, for the serving thread to send at the reader's pace.
 */
export class Outlet {
  private slow = false;
  private readonly parts: RestPart[] = [];
  private spool: number | undefined;
  private spooledBytes = 0;

  /** @param spoolPath a file to create if needed, with its directory; the owner of the response removes it */
  constructor(
    private readonly send: Emit,
    private readonly spoolPath: string,
  ) {}

  get isSlow(): boolean {
    return this.slow;
  }

  readonly emit: Emit = async (chunk) => {
    if (this.slow) {
      this.hold(chunk);
      return;
    }
    const sent = this.send(chunk).then(() => true);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, SLOW_AFTER_MS, false);
    });
    try {
      this.slow = !(await Promise.race([sent, late]));
    } finally {
      clearTimeout(timer);
    }
    // A reader that disconnects from now on ends the job itself.
    if (this.slow) sent.catch(() => {});
  };

  /** Defers sending a range of a file. Only for a slow reader. */
  handOver(path: string, start: number, end: number, sideBand: SideBand | undefined): void {
    if (end > start) this.parts.push({ path, start, end, sideBand });
  }

  /** Returns the rest to send. */
  finish(): AnswerRest {
    if (this.spool !== undefined) closeFile(this.spool);
    this.spool = undefined;
    return this.parts;
  }

  private hold(chunk: Uint8Array): void {
    const last = this.parts.at(-1);
    if (last === undefined || !("bytes" in last)) {
      if (chunk.length <= MAX_HELD_BYTES) {
        this.parts.push({ bytes: chunk.slice() });
        return;
      }
    } else if (last.bytes.length + chunk.length <= MAX_HELD_BYTES) {
      this.parts[this.parts.length - 1] = { bytes: Buffer.concat([last.bytes, chunk]) };
      return;
    }
    this.write(chunk);
  }

  private write(chunk: Uint8Array): void {
    if (this.spooledBytes + chunk.length > MAX_SPOOLED_BYTES)
      throw new RangeError("a slow reader wants more than is kept for one");
    if (this.spool === undefined) {
      mkdirSync(dirname(this.spoolPath), { recursive: true, mode: 0o700 });
      this.spool = openFile(this.spoolPath, "wx", 0o600);
    }
    for (let at = 0; at < chunk.length; ) at += writeSync(this.spool, chunk, at, chunk.length - at);
    const start = this.spooledBytes;
    this.spooledBytes += chunk.length;
    const last = this.parts.at(-1);
    if (last && "path" in last && last.path === this.spoolPath && last.end === start)
      this.parts[this.parts.length - 1] = { ...last, end: this.spooledBytes };
    else this.parts.push({ path: this.spoolPath, start, end: this.spooledBytes, sideBand: undefined });
  }
}
