/** A pull source of bytes, produced piece by piece. */
export interface Pieces {
  /** The next piece, never empty; undefined at the end. */
  next(): Uint8Array<ArrayBuffer> | undefined;
  /** Frees the underlying resources. Idempotent. */
  close(): void;
}

export const PIECE_BYTES = 64 * 1024;

/** Wraps pieces in a stream, which closes them when it ends, fails or is cancelled. */
export function streamOfPieces(pieces: Pieces): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        try {
          const piece = pieces.next();
          if (piece) controller.enqueue(piece);
          else {
            pieces.close();
            controller.close();
          }
        } catch (error) {
          pieces.close();
          controller.error(error);
        }
      },
      cancel: () => pieces.close(),
    },
    { highWaterMark: 0 },
  );
}
