import { createDeflateRaw } from "node:zlib";

/** Compresses a stream (RFC 1951); zlib runs in its own thread. @param level 0 to 9, or -1 for zlib's default */
export async function* deflated(
  pieces: AsyncIterable<Uint8Array>,
  level: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const deflate = createDeflateRaw({ level, chunkSize: 64 * 1024 });
  // There is only one waiter: the feeder, until there is room or the consumer has stopped.
  let wake = () => {};
  deflate.on("drain", () => wake());
  deflate.on("close", () => wake());
  const drained = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const feed = async () => {
    try {
      for await (const piece of pieces) {
        if (!deflate.write(piece)) await drained();
        if (deflate.destroyed) return;
      }
      deflate.end();
    } catch (error) {
      deflate.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const feeding = feed();
  try {
    for await (const piece of deflate) yield new Uint8Array(piece as Uint8Array);
  } finally {
    deflate.destroy();
  }
  await feeding;
}
