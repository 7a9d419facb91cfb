import { read } from "node:fs";
import { closeFile, openFile } from "../../../workers/descriptors.ts";
import { CorruptObject } from "../../errors.ts";
import type { AnswerRest } from "../../pack-objects/outlet.ts";
import { BAND_DATA, BAND_HEADER_BYTES, bandPayloadBytes, writeBandHeader } from "../../wire/sideband.ts";

const PIECE_BYTES = 64 * 1024;

/** The rest of an answer left by a worker. Opened at once, as its files may be deleted; the caller must close it. */
export class OpenRest {
  private readonly parts: readonly (Uint8Array | { fd: number; at: number; end: number; sideBand: SideBandOf })[];
  private current = 0;
  private isClosed = false;

  /** @throws the system's error when a file is gone */
  constructor(rest: AnswerRest) {
    const fds: number[] = [];
    try {
      this.parts = rest.map((part) => {
        if ("bytes" in part) return part.bytes;
        const fd = openFile(part.path, "r");
        fds.push(fd);
        return { fd, at: part.start, end: part.end, sideBand: part.sideBand };
      });
    } catch (error) {
      for (const fd of fds) closeFile(fd);
      throw error;
    }
  }

  /** The next piece; undefined at the end. Reads in another thread. @throws CorruptObject when a file is truncated */
  async next(): Promise<Uint8Array | undefined> {
    const part = this.parts[this.current];
    if (part === undefined) return undefined;
    if (part instanceof Uint8Array) {
      this.current++;
      return part;
    }
    const wanted = part.sideBand ? bandPayloadBytes(part.sideBand) : PIECE_BYTES;
    // Read straight into the buffer that is sent: copying each piece of a clone would double the garbage.
    const headerBytes = part.sideBand ? BAND_HEADER_BYTES : 0;
    const piece = await readAt(part.fd, part.at, Math.min(wanted, part.end - part.at), headerBytes);
    const read = piece.length - headerBytes;
    if (read === 0) throw new CorruptObject("a pack file is cut short");
    part.at += read;
    if (part.at === part.end) this.current++;
    if (part.sideBand) writeBandHeader(piece, BAND_DATA);
    return piece;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const part of this.parts) if (!(part instanceof Uint8Array)) closeFile(part.fd);
  }
}

type SideBandOf = Exclude<AnswerRest[number], { readonly bytes: Uint8Array }>["sideBand"];

/** @param headerBytes space to leave free before the bytes read */
function readAt(fd: number, position: number, length: number, headerBytes: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(headerBytes + length);
  return new Promise((resolve, reject) => {
    read(fd, buffer, headerBytes, length, position, (error, got) =>
      error ? reject(error) : resolve(buffer.subarray(0, headerBytes + got)),
    );
  });
}
