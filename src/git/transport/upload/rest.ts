import { read } from "node:fs";
import { closeFile, openFile } from "../../../workers/descriptors.ts";
import { CorruptObject } from "../../errors.ts";
import type { AnswerRest } from "../../pack-objects/outlet.ts";
import { BAND_DATA, bandPayloadBytes, framed } from "../../wire/sideband.ts";

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
    const bytes = await readAt(part.fd, part.at, Math.min(wanted, part.end - part.at));
    if (bytes.length === 0) throw new CorruptObject("a pack file is cut short");
    part.at += bytes.length;
    if (part.at === part.end) this.current++;
    return part.sideBand ? framed(BAND_DATA, bytes, part.sideBand) : bytes;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const part of this.parts) if (!(part instanceof Uint8Array)) closeFile(part.fd);
  }
}

type SideBandOf = Exclude<AnswerRest[number], { readonly bytes: Uint8Array }>["sideBand"];

function readAt(fd: number, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, length, position, (error, got) => (error ? reject(error) : resolve(buffer.subarray(0, got))));
  });
}
