import { ProtocolError } from "../errors.ts";

/**
 * The same bytes, as long as some come every now and then: who opens a push and falls silent would keep its place for
 * ever.
 * @throws ProtocolError when nothing came for `stallTimeoutMs`
 */
export async function* failWhenStalled(
  body: AsyncIterable<Uint8Array>,
  stallTimeoutMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = body[Symbol.asyncIterator]();
  for (;;) {
    const step = await orStall(pieces.next(), stallTimeoutMs);
    if (step.done) return;
    yield step.value;
  }
}

function orStall<T>(next: Promise<T>, stallTimeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ProtocolError("the request's body stopped coming")), stallTimeoutMs);
    next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
