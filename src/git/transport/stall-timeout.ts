import { ProtocolError } from "../errors.ts";

/** Less than this in twice the time in which something must come (half a KiB a second) is as good as silence. */
const MIN_BYTES = 64 * 1024;

/**
 * The same bytes, as long as enough come every now and then: who opens a push and falls silent, or sends a byte at a
 * time, would keep its place for ever.
 * @throws ProtocolError when nothing came for `stallTimeoutMs`, or next to nothing for twice as long
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
    // The time that whoever reads takes is not the sender's.
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
