import { GitError } from "../errors.ts";

/** No legitimate body compresses better than this, except small ones. */
const MAX_RATIO = 100;
const RATIO_FREE_BYTES = 256 * 1024;

/** A request body is longer than allowed, as sent or inflated. */
export class BodyTooLarge extends GitError {
  override name = "BodyTooLarge";
  constructor(readonly maxBytes: number) {
    super(`the request body is longer than ${maxBytes} bytes`);
  }
}

/** A request body is not in the encoding it claims. */
export class BodyUndecodable extends GitError {
  override name = "BodyUndecodable";
}

/**
 * Decodes a request body as it is read: git compresses requests of more than a kilobyte.
 * @param contentEncoding the header's value; null or empty: none
 * @param maxInflatedBytes maximum number of bytes yielded, whatever their compressed size
 * @throws BodyTooLarge (also if the body inflates to hundreds of times its size), BodyUndecodable, both while it is
 * read
 */
export async function* inflatedBody(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | null | undefined,
  maxInflatedBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoding = (contentEncoding ?? "").trim().toLowerCase();
  if (encoding !== "" && encoding !== "identity" && encoding !== "gzip" && encoding !== "x-gzip")
    throw new BodyUndecodable(`a body in ${encoding.slice(0, 40)} is not understood`);
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of body) {
      received += piece.byteLength;
      yield piece;
    }
  }
  const isPlain = encoding === "" || encoding === "identity";
  let bytes = 0;
  for await (const piece of isPlain ? body : gunzipped(counted())) {
    bytes += piece.byteLength;
    const isBomb = !isPlain && bytes > RATIO_FREE_BYTES && bytes > received * MAX_RATIO;
    if (bytes > maxInflatedBytes || isBomb) throw new BodyTooLarge(maxInflatedBytes);
    yield piece;
  }
}

async function* gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const { createGunzip } = await import("node:zlib");
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const stop = new AbortController();
  const feed = async () => {
    for await (const piece of body) {
      if (stop.signal.aborted) return;
      if (gunzip.write(piece)) continue;
      await new Promise<void>((resume) => {
        gunzip.once("drain", resume);
        gunzip.once("close", resume);
      });
    }
    gunzip.end();
  };
  let brokenBody: unknown;
  const fed = feed().catch((error) => {
    brokenBody = error;
    gunzip.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const piece of gunzip) yield piece as Uint8Array;
    await fed;
  } catch (error) {
    if (brokenBody !== undefined) throw brokenBody;
    throw new BodyUndecodable("the request body is not gzip", { cause: error });
  } finally {
    stop.abort();
    gunzip.destroy();
  }
}
