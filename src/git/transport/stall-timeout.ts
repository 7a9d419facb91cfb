import { ProtocolError } from "../errors.ts";

/** Minimum to receive within twice the stall timeout (half a KiB a second); anything less counts as stalled. */
const MIN_BYTES = 64 * 1024;

/**
 * Passes the body through as long as it keeps coming: a client that opens a push and falls silent, or sends one byte at
 * a time, would otherwise hold its slot forever.
 * @throws ProtocolError when nothing arrived for `stallTimeoutMs`, or next to nothing for twice as long
 */
export async function* failWhenStalled(
  body: AsyncIterable<Uint8Array>,
  stallTimeoutMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = body[Symbol.asyncIterator]();
  let since = performance.now();
  let bytes = 0;
  for (;;) {
    const step = await orStall(pieces.next(), stallTimeoutMs);
    if (step.done) return;
    bytes += step.value.byteLength;
    if (bytes >= MIN_BYTES) {
      since = performance.now();
      bytes = 0;
    } else if (performance.now() - since > 2 * stallTimeoutMs) throw tooSlow();
    yield step.value;
    // Time the consumer spends is not counted against the sender.
    if (bytes === 0) since = performance.now();
  }
}

function orStall<T>(next: Promise<T>, stallTimeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), stallTimeoutMs);
    next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function tooSlow(): ProtocolError {
  return new ProtocolError("the request's body stopped coming");
}
