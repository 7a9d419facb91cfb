import { read } from "node:fs";
import { closeFile, openFile } from "../../../workers/descriptors.ts";
import { CorruptObject } from "../../errors.ts";
import type { AnswerRest } from "../../pack-objects/outlet.ts";
import { BAND_DATA, BAND_HEADER_BYTES, bandPayloadBytes, writeBandHeader } from "../../wire/sideband.ts";

const PIECE_BYTES = 64 * 1024;

/** What a worker left of an answer, opened at once, as its files may be taken away; close it in any case. */
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

  /** The next piece; undefined at the end. Reads in another thread. @throws CorruptObject when a file is cut short */
  async next(): Promise<Uint8Array | undefined> {
    const part = this.parts[this.current];
    if (part === undefined) return undefined;
    if (part instanceof Uint8Array) {
      this.current++;
      return part;
    }
    const wanted = part.sideBand ? bandPayloadBytes(part.sideBand) : PIECE_BYTES;
    // Read to where it goes out from: a copy of each piece of a clone would be twice the garbage.
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

/** @param headerBytes left free before what is read */
function readAt(fd: number, position: number, length: number, headerBytes: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(headerBytes + length);
  return new Promise((resolve, reject) => {
    read(fd, buffer, headerBytes, length, position, (error, got) =>
      error ? reject(error) : resolve(buffer.subarray(0, headerBytes + got)),
    );
  });
}
