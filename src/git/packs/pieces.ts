/** Bytes that are made piece by piece, by whoever pulls. */
export interface Pieces {
  /** The next piece, never empty; undefined at the end. */
  next(): Uint8Array<ArrayBuffer> | undefined;
  /** Frees what they are made of; may be called again. */
  close(): void;
}

export const PIECE_BYTES = 64 * 1024;

/** The same as a stream, which closes them when it ends, fails or is cancelled. */
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
