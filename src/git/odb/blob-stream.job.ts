import { join } from "node:path";
import type { JobContext } from "../../workers/job.ts";
import { CorruptObject } from "../errors.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "./store.ts";

export interface BlobStreamInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly oid: Oid;
}

const PIECE_BYTES = 256 * 1024;

/** Streams the content of an object of any size. @throws CorruptObject when it is missing or damaged */
export async function run({ repoDir, oid }: BlobStreamInput, context: JobContext): Promise<void> {
  const store = ObjectStore.open(repoDir, { cacheBytes: 0, verify: true, spoolDir: join(repoDir, "objects") });
  try {
    const stream = store.stream(oid);
    if (!stream) throw new CorruptObject(`object ${oid} is missing`);
    for await (const piece of stream)
      for (let at = 0; at < piece.length && !context.signal.aborted; at += PIECE_BYTES)
        await context.emit(piece.slice(at, at + PIECE_BYTES));
  } finally {
    store.close();
  }
}
